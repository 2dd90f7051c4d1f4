"""What all tests share."""

from typing import Final

import pytest

_SHOWN: Final = 60


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name a case by how long its bytes or its text are where they would fill the screen, or differ from run to run."""
    del config
    if isinstance(val, bytes):
        return f"{argname}:{len(val)}-bytes"
    if isinstance(val, str) and len(val) > _SHOWN:
        return f"{argname}:{len(val)}-characters"
    return None
