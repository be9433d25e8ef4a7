"""Where in the host program a call of the host API stands."""

import sys
from pathlib import Path

_PACKAGE = str(Path(__file__).parent)


def caller() -> str:
    """`file:line:1` of the innermost frame outside of this package, or "" where there is none.

    Diagnostics ask for a column, which a frame does not have: it is 1.
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return ""
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}:1"
