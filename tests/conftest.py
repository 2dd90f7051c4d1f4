"""What all tests share."""

import os
from typing import Final

import pytest
from hypothesis import settings

_SHOWN: Final = 60

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name a case by how long its bytes or its text are where they would fill the screen, or differ from run to run."""
    del config
    if isinstance(val, bytes):
        return f"{argname}:{len(val)}-bytes"
    if isinstance(val, str) and len(val) > _SHOWN:
        return f"{argname}:{len(val)}-characters"
    return None
