"""The one exception type of the host API, with the codes that CANN publishes.

A refused call has no effect. Its message names the operation, the parameter with its value, and
the rule that it breaks. What the HAL refuses, or what fails while it executes, reaches the caller
of the host API as a `HostError` too, with the HAL's status in the message.
"""

from enum import IntEnum

from ..errors import HalError, StatusCode


class ErrorCode(IntEnum):
    """Codes as CANN numbers them; 0 is success."""

    SUCCESS = 0
    INVALID_PARAMETER = 100000
    """A null, zero or reserved argument, refused by the API itself."""
    NOT_INITIALIZED = 100001
    REPEAT_INITIALIZE = 100002
    INVALID_FILE = 100003
    INVALID_MODEL_ID = 100011
    KERNEL_NOT_FOUND = 100029
    REPEAT_FINALIZE = 100037
    INVALID_RUNTIME_PARAMETER = 107000
    """A value out of the range that the runtime allows."""
    INVALID_DEVICE_ID = 107001
    NO_CONTEXT = 107002
    STREAM_OF_OTHER_CONTEXT = 107003
    ADDRESS_UNALIGNED = 107008
    CANNOT_OPEN_FILE = 107009
    INVALID_HANDLE = 107017
    WAIT_WITHOUT_RECORD = 107024
    UNJOINED_STREAM = 107025
    MODEL_CAPTURING = 107026
    STREAM_CAPTURING = 107027
    EVENT_CAPTURING = 107028
    STREAM_NOT_CAPTURING = 107029
    FORBIDDEN_IN_CAPTURE_MODE = 107030
    DEFAULT_STREAM_IN_CAPTURE = 107031
    MODEL_RUNNING = 107037
    CAPTURE_ENDED_ON_WRONG_THREAD = 107038
    ASYNC_BLOCKED_BY_CAPTURE_MODE = 107041
    """An asynchronous call that became synchronous, which the capture mode does not allow."""
    INVALID_MODEL_PARAMETER = 145000
    """Model memory, or the size of an input or output."""
    UNALIGNED = 200003
    NOT_SUPPORTED = 200006
    FEATURE_NOT_SUPPORTED = 207000
    ALLOCATION_FAILED = 207001
    DEVICE_MEMORY_EXHAUSTED = 207018
    CAPTURE_INVALIDATED = 507903
    ALREADY_REGISTERED = 507910
    NOT_REGISTERED = 507911


NO_FAIL_INDEX = 2**64 - 1
"""What batch copies give as the item at fault where no item is (`SIZE_MAX`, CP-46)."""


class HostError(Exception):
    """A refused call of the host API, or a failed task that a synchronization found."""

    def __init__(
        self,
        code: int,
        operation: str,
        message: str,
        *,
        parameter: str = "",
        value: object = None,
    ) -> None:
        super().__init__(code, operation, message)
        self.code = int(code)
        """One of `ErrorCode`; another number only where a test injected it."""
        self.operation = operation
        """The documented name of the call, `aclrtMemcpy`."""
        self.message = message
        """Lower case, without the operation and the code."""
        self.parameter = parameter
        """The parameter at fault, or ""."""
        self.value = value
        """What was given for it."""
        self.fail_index: int | None = NO_FAIL_INDEX
        """In a batch copy the item whose place or direction is wrong; see `NO_FAIL_INDEX`."""

    def __str__(self) -> str:
        return f"{self.operation}: {self.message} (error {self.code})"


def null_argument(operation: str, parameter: str) -> HostError:
    """INVALID_PARAMETER for a parameter that was None."""
    return HostError(
        ErrorCode.INVALID_PARAMETER,
        operation,
        f"{parameter} is null; a value is required",
        parameter=parameter,
    )


def invalid_value(
    operation: str,
    parameter: str,
    value: object,
    rule: str,
    code: int = ErrorCode.INVALID_RUNTIME_PARAMETER,
) -> HostError:
    """A value that breaks `rule`, which says what is expected."""
    return HostError(
        code,
        operation,
        f"value {value} for parameter {parameter} is invalid; expected {rule}",
        parameter=parameter,
        value=value,
    )


_CODES = {
    StatusCode.RESOURCE_EXHAUSTED: ErrorCode.ALLOCATION_FAILED,
    StatusCode.UNIMPLEMENTED: ErrorCode.FEATURE_NOT_SUPPORTED,
}
"""Codes for what the HAL says; anything else is an invalid parameter of the runtime."""


def from_hal(operation: str, error: HalError) -> HostError:
    """The host API's error for one of the HAL; the message begins with the HAL's status."""
    code = _CODES.get(error.code, ErrorCode.INVALID_RUNTIME_PARAMETER)
    place = f" at {error.location}" if error.location else ""
    return HostError(code, operation, f"{error}{place}")
