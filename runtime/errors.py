"""The one exception type of the runtime, with IREE's status names.

What the HAL refuses and what fails while it executes is a `HalError`; a failed fence carries the
error of the submission that failed it, so that whoever waits gets the original code (IR-59).
"""

from enum import StrEnum

from ..dialects.diagnostics import PlacedError
from .events import Wait


class StatusCode(StrEnum):
    """IREE's status names, as messages print them."""

    CANCELLED = "CANCELLED"
    UNKNOWN = "UNKNOWN"
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    ABORTED = "ABORTED"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    UNIMPLEMENTED = "UNIMPLEMENTED"
    INTERNAL = "INTERNAL"
    UNAVAILABLE = "UNAVAILABLE"
    DATA_LOSS = "DATA_LOSS"


class HalError(PlacedError):
    """A refused call or a failed execution: a status, a message, and where it stands."""

    def __init__(self, code: StatusCode, message: str, location: str = "") -> None:
        super().__init__(code, message, location)
        self.code = code
        self.message = message
        self.location = location
        """`file:line:col` of the op that failed, or "" where unknown."""

    def __str__(self) -> str:
        return f"{self.code}; {self.message}"

    def told(self) -> str:
        """The status before the message."""
        return str(self)

    def at(self, location: str) -> "HalError":
        """The same error at `location`, unless it has a place already."""
        return self if self.location else HalError(self.code, self.message, location)


class DeadlockError(HalError):
    """DEADLINE_EXCEEDED: a wait for a fence that nothing left to execute will signal."""

    def __init__(self, message: str, location: str, waits: tuple[Wait, ...]) -> None:
        super().__init__(StatusCode.DEADLINE_EXCEEDED, message, location)
        self.waits = waits
        """All that waits for ever, the host first."""


def invalid_argument(message: str, location: str = "") -> HalError:
    """INVALID_ARGUMENT with `message`."""
    return HalError(StatusCode.INVALID_ARGUMENT, message, location)


def out_of_range(message: str, location: str = "") -> HalError:
    """OUT_OF_RANGE with `message`."""
    return HalError(StatusCode.OUT_OF_RANGE, message, location)


def failed_precondition(message: str, location: str = "") -> HalError:
    """FAILED_PRECONDITION with `message`."""
    return HalError(StatusCode.FAILED_PRECONDITION, message, location)


def permission_denied(message: str, location: str = "") -> HalError:
    """PERMISSION_DENIED with `message`."""
    return HalError(StatusCode.PERMISSION_DENIED, message, location)


def unimplemented(message: str, location: str = "") -> HalError:
    """UNIMPLEMENTED with `message`."""
    return HalError(StatusCode.UNIMPLEMENTED, message, location)
