"""Where in the host program a call of the host API stands."""

import os
import sys
from functools import cache
from pathlib import Path

_RUNTIME = Path(__file__).parents[1]
_OWN = tuple(str(_RUNTIME / name) + os.sep for name in ("host", "model"))
"""The host API, and models, which are calls of it."""


def caller() -> str:
    """`file:line:1` of the innermost frame outside of the host API, or "" where there is none.

    Diagnostics ask for a column, which a frame does not have: it is 1.
    """
    frame = sys._getframe(1)
    while frame is not None and _is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return "" if frame is None else f"{_name(frame.f_code.co_filename)}:{frame.f_lineno}:1"


@cache
def _is_own(path: str) -> bool:
    return path.startswith(_OWN)


@cache
def _name(path: str) -> str:
    return Path(path).name
