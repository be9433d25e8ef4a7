"""Implementations of the hal ops for fences, and of the statuses that waits give."""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects import util
from ...dialects.hal.fence import (
    FenceAwaitOp,
    FenceCreateOp,
    FenceFailOp,
    FenceJoinOp,
    FenceQueryOp,
    FenceSignalOp,
)
from ...dialects.hal.types import FenceType
from ...dialects.location import location_text, value_name
from ..errors import DeadlockError, HalError
from ..hal.semaphore import NULL_FENCE, Fence
from .hal_values import DEFERRED, HalState, integer, status_code
from .state import source

_NANOSECONDS = 1_000_000
"""In a millisecond."""


@register_impls
class HalFenceFunctions(InterpreterFunctions):
    """Fences, each over a semaphore of its own, named after its value."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(FenceCreateOp)
    def create(
        self, interpreter: Interpreter, op: FenceCreateOp, args: PythonValues
    ) -> PythonValues:
        """A fence that nothing has signaled."""
        return (Fence.create(value_name(op.result)),)

    @impl(FenceJoinOp)
    def join(self, interpreter: Interpreter, op: FenceJoinOp, args: PythonValues) -> PythonValues:
        """All of several fences."""
        return (Fence.join(args, value_name(op.result)),)

    @impl(FenceAwaitOp)
    def await_(
        self, interpreter: Interpreter, op: FenceAwaitOp, args: PythonValues
    ) -> PythonValues:
        """The host waits; a failure is a status that `util.status.check_ok` raises.

        In a checked run a wait without a time limit that can never end raises DeadlockError, as
        what follows it would never run.
        """
        millis = integer(args[0])
        timeout = None if millis < 0 else millis * _NANOSECONDS
        try:
            self._state.vm.system.host.wait(Fence.join(args[1:]), timeout, source(op))
        except DeadlockError as error:
            if timeout is None and not self._state.vm.system.strict:
                raise
            return (self._state.status(error),)
        except HalError as error:
            return (self._state.status(error),)
        return (self._state.status(None),)

    @impl(FenceQueryOp)
    def query(self, interpreter: Interpreter, op: FenceQueryOp, args: PythonValues) -> PythonValues:
        """0 for a fence that is reached, else its failure or DEFERRED."""
        fence: Fence = args[0]
        try:
            self._state.vm.system.host.wait(fence, 0, source(op))
        except HalError as error:
            if not fence.settled:
                return (IntegerAttr(DEFERRED, 32),)
            return (self._state.status(error),)
        return (self._state.status(None),)

    @impl(FenceSignalOp)
    def signal(
        self, interpreter: Interpreter, op: FenceSignalOp, args: PythonValues
    ) -> PythonValues:
        """The host reaches a fence."""
        self._state.vm.system.host.signal(args[0], source(op))
        return ()

    @impl(FenceFailOp)
    def fail(self, interpreter: Interpreter, op: FenceFailOp, args: PythonValues) -> PythonValues:
        """The host fails a fence, with the error that a status came from if it is one of ours."""
        code = integer(args[1])
        error = self._state.failures.get(code) or HalError(
            status_code(code), "the host program failed the fence", location_text(op)
        )
        self._state.vm.system.host.fail(args[0], error, source(op))
        return ()

    @impl(util.NullOp)
    def null(self, interpreter: Interpreter, op: util.NullOp, args: PythonValues) -> PythonValues:
        """The fence that is reached from the start, or the null of another type."""
        return (NULL_FENCE if isinstance(op.result.type, FenceType) else None,)

    @impl(util.StatusCheckOkOp)
    def check_ok(
        self, interpreter: Interpreter, op: util.StatusCheckOkOp, args: PythonValues
    ) -> PythonValues:
        """Fail with the error that a status stands for, at the place where that arose."""
        code = integer(args[0])
        if code == 0:
            return ()
        error = self._state.failures.get(code) or HalError(
            status_code(code), f"status {code} is not ok"
        )
        message = error.message
        if op.message is not None:
            message = f"{op.message.data}: {message}"
        raise HalError(error.code, message, error.location or location_text(op))
