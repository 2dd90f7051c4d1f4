"""The content of a message of ChatGPT as text, for each of its content types."""

from collections.abc import Mapping
from typing import Final

from storage.importers.chats.fields import items_of, list_of, object_of, plain_text, text_of
from storage.importers.chats.wording import AUDIO, FILE, IMAGE, fenced, placeholder, unknown
from storage.values import Json, JsonObject

HIDDEN_TYPES: Final = frozenset(
    {"thoughts", "reasoning_recap", "model_editable_context", "user_editable_context", "app_pairing_content"}
)
"""What the program keeps with a chat but does not show as a part of it."""

_SOUND_AND_VIDEO: Final = frozenset({"audio_asset_pointer", "real_time_user_audio_video_asset_pointer"})


def content_text(content: Json, attachments: Json) -> tuple[str, bool]:
    """Return what is shown of a content, and whether that is all of it; parts without one are one of text."""
    fields = content if isinstance(content, Mapping | None) else {"content_type": "text", "parts": content}
    lines, is_whole = _lines(fields or {})
    files = [object_of(each) for each in list_of(attachments)]
    has_images = any(line.startswith(f"[{IMAGE}") for line in lines)
    for file in files:
        is_image = text_of(file.get("mime_type")).startswith("image/")
        if not (is_image and has_images):
            lines.append(placeholder(IMAGE if is_image else FILE, text_of(file.get("name"))))
    return "\n".join(line for line in lines if line), is_whole and not files


def _lines(content: JsonObject) -> tuple[list[str], bool]:
    kind = text_of(content.get("content_type"))
    match kind:
        case "text" | "multimodal_text":
            parts = items_of(content.get("parts", content.get("text")))
            return [_part(part) for part in parts], all(isinstance(part, str) for part in parts)
        case "code":
            return [fenced(text, _language(content)) if (text := text_of(content.get("text"))) else ""], False
        case "execution_output":
            return [text_of(content.get("text"))], True
        case "citable_code_output":
            return [text_of(content.get("output_str"))], False
        case "tether_quote" | "sonic_webpage":
            return [text_of(content.get(name)) for name in ("title", "url", "text")], False
        case "tether_browsing_display":
            return [text_of(content.get(name)) for name in ("summary", "result")], False
        case "system_error":
            named = [found for name in ("name", "text") if (found := text_of(content.get(name)))]
            return [": ".join(named)], False
        case "computer_output":
            return [placeholder(IMAGE)], False
        case "" if not content:
            return [], True
        case "":
            return [text_of(content.get("text")) or unknown(kind)], False
        case _:
            return [unknown(kind)], False


def _language(content: JsonObject) -> str:
    language = text_of(content.get("language"))
    return "" if language == "unknown" else language


def _part(part: Json) -> str:
    if part is None:
        return ""
    fields = object_of(part)
    match kind := text_of(fields.get("content_type")):
        case "image_asset_pointer":
            return placeholder(IMAGE)
        case "audio_transcription":
            return text_of(fields.get("text"))
        case _ if kind in _SOUND_AND_VIDEO:
            return placeholder(AUDIO)
        case _:
            return part if isinstance(part, str) else plain_text(part) or unknown(kind)
