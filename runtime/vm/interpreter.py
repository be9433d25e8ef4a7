"""xDSL's interpreter, with errors that say where they arose."""

from xdsl.interpreter import OpImplResult, PythonValues
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from ...dialects.diagnostics import fail
from ...dialects.location import location_text
from ..element_types import reason_of
from ..errors import HalError
from ..interpretation import HostInterpreter, implementation_for


class VmInterpreter(HostInterpreter):
    """Runs host programs. Every error has the place of the op at fault.

    xDSL would print the module into each error instead.
    """

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        implementation = implementation_for(self._impls._impl_dict, type(op))
        if implementation is None:
            fail(op, "is not supported in host programs")
        functions, run = implementation
        try:
            return run(functions, self, op, inputs)
        except HalError as error:
            raise error.at(location_text(op)) from None
        except InterpretationError as error:
            fail(op, reason_of(error))
