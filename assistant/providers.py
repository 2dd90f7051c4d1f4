"""Chooses what answers: a model where one is configured, else the built-in assistant."""

from pathlib import Path

from assistant.model_settings import ModelSettings
from assistant.provider import Provider


def provider_for(settings: ModelSettings, *, replies_folder: Path | None = None) -> Provider:
    """Return what answers with these settings; `replies_folder` holds the team's own saved replies."""
    if settings.names_a_model:
        from assistant.openai_provider import OpenAIProvider

        return OpenAIProvider(settings)
    from assistant.builtin import BuiltinAssistant

    return BuiltinAssistant(replies_folder)
