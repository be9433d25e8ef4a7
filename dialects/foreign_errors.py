"""What xDSL's own code raises besides ParseError and VerifyException when it meets odd input.

Its readers and verifiers assert, index and convert where they should refuse. Errors of our own
code are not taken for such: they are bugs and stay visible.
"""

import struct

FOREIGN_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
    struct.error,
)


def foreign_reason(error: Exception) -> str | None:
    """Why xDSL stopped, for a message, where its own code raised `error`; else None."""
    trace = error.__traceback__
    module = ""
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    if not module.startswith("xdsl."):
        return None
    lines = str(error).strip().splitlines()
    text = lines[0] if lines else type(error).__name__
    return f"xDSL cannot take this: {text.rstrip('.')}"
