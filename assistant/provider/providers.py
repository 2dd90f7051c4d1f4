"""Chooses what answers: a model where one is configured, else the built-in assistant."""

from pathlib import Path

from assistant.provider.model_settings import ModelSettings
from assistant.provider.provider import Provider


def provider_for(settings: ModelSettings, *, replies_folder: Path | None = None, at_once: bool = False) -> Provider:
    """Return what answers with these settings.

    Args:
        settings: which model to ask, if any.
        replies_folder: holds the team's own saved replies.
        at_once: nobody reads along, so the built-in assistant need not keep a human pace.
    """
    if settings.names_a_model:
        from assistant.provider.openai_provider import OpenAIProvider

        return OpenAIProvider(settings)
    from assistant.builtin.assistant import PACE_S, BuiltinAssistant

    return BuiltinAssistant(replies_folder, pace_s=0 if at_once else PACE_S)
