import gzip
import hashlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
import tiktoken_ext.openai_public as published  # type: ignore[import-untyped]

from assistant.errors import VocabularyError
from assistant.tokens import encodings
from assistant.tokens.encodings import VOCABULARIES, VOCABULARY_FOLDER, EncodingName, build, encoding_for

O200K = VOCABULARIES["o200k_base"]


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.fixture
def no_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_vocabulary_is_built_without_network_or_cache(name: EncodingName, no_cache_folder: Path) -> None:
    encoding = build(VOCABULARIES[name], VOCABULARY_FOLDER / f"{name}.tiktoken.gz")
    assert (
        encoding.decode(encoding.encode_ordinary("Grüße <|endoftext|> 漢字 👩\u200d👧"))
        == "Grüße <|endoftext|> 漢字 👩\u200d👧"
    )
    assert not no_cache_folder.exists()


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_definitions_are_those_of_the_installed_tiktoken(
    name: EncodingName, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes: list[object] = []

    def ranks(url: str, expected_hash: str | None = None) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(published, "load_tiktoken_bpe", ranks)
    theirs = published.ENCODING_CONSTRUCTORS[name]()
    ours = VOCABULARIES[name]
    assert (ours.pattern, dict(ours.special_tokens)) == (theirs["pat_str"], theirs["special_tokens"])
    assert [ours.sha256] == hashes


def test_importing_and_estimating_load_neither_tiktoken_nor_a_vocabulary() -> None:
    code = (
        "import sys; from assistant.tokens.counters import counter_for; import assistant.plan.planner; "
        "counter_for('gpt-4.1'); counter_for('', kind='estimate').text('x'); print('tiktoken' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_an_encoding_is_read_once() -> None:
    assert encodings.load("o200k_base") is encodings.load("o200k_base")


def damaged_files(folder: Path) -> Iterator[bytes]:
    whole = (folder / "o200k_base.tiktoken.gz").read_bytes()
    yield whole[: len(whole) // 2]
    yield b"not gzip at all"
    yield b""
    yield gzip.compress(b"IQ== 0\n")
    yield whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:]


def test_a_damaged_file_is_refused_with_a_sentence_that_helps(tmp_path: Path) -> None:
    file = tmp_path / "o200k_base.tiktoken.gz"
    for data in damaged_files(VOCABULARY_FOLDER):
        file.write_bytes(data)
        with pytest.raises(VocabularyError, match=r"vocabulary o200k_base .*\. Install Ticketree again, or count with"):
            build(O200K, file)


def test_a_missing_file_is_refused_with_a_sentence_that_helps(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match=r"cannot be read .* Install Ticketree again"):
        build(O200K, tmp_path / "none.gz")


def test_the_digest_decides_whatever_the_words(tmp_path: Path) -> None:
    data = b"IQ== 0\n"
    file = tmp_path / "tiny.gz"
    file.write_bytes(gzip.compress(data))
    with pytest.raises(VocabularyError, match="not the published one"):
        build(replace(O200K, sha256=hashlib.sha256(b"other").hexdigest()), file)


@pytest.mark.parametrize(
    "model",
    [
        "gpt-5",
        "gpt-5-mini",
        "gpt-5.1",
        "gpt-5.2-2025-12-11",
        "gpt-4o",
        "gpt-4o-mini-2024-07-18",
        "gpt-4.1-nano",
        "gpt-4.5-preview",
        "chatgpt-4o-latest",
        "o1",
        "o3-mini",
        "o4-mini-2025-04-16",
        "ft:gpt-4.1-mini:desk::abc123",
        "ft:gpt-4o-2024-08-06:desk:tone:9",
        "openai/gpt-4o",
        "openrouter/openai/gpt-5-mini",
        " GPT-4.1 ",
    ],
)
def test_newer_models_of_openai_are_exact_by_o200k(model: str) -> None:
    assert encoding_for(model) == ("o200k_base", "exact")


@pytest.mark.parametrize(
    "model",
    [
        "gpt-4",
        "gpt-4-0613",
        "gpt-4-turbo-2024-04-09",
        "gpt-3.5-turbo",
        "gpt-35-turbo",
        "ft:gpt-3.5-turbo:desk::1",
        "azure/gpt-4",
    ],
)
def test_older_models_of_openai_are_exact_by_cl100k(model: str) -> None:
    assert encoding_for(model) == ("cl100k_base", "exact")


@pytest.mark.parametrize(
    "model",
    [
        "llama3.2",
        "qwen3:8b",
        "mistral-small",
        "openai/gpt-oss-20b",
        "someone/gpt-4o",
        "gpt-4.9",
        "gpt-50",
        "o1000",
        "saved-replies",
        "",
    ],
)
def test_every_other_model_is_near_by_o200k(model: str) -> None:
    assert encoding_for(model) == ("cl100k_base", "near")
