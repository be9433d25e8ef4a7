"""xDSL's interpreter, with errors that say where they arose."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import OpImplResult, PythonValues
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from ...dialects.diagnostics import fail
from ...dialects.location import location_text
from ..element_types import reason_of
from ..errors import HalError
from ..interpretation import HostInterpreter, implementation_for
from .scalar_ops import INDEX_BITS, Scalars, scalar_function


class VmInterpreter(HostInterpreter):
    """Runs host programs. Every error has the place of the op at fault.

    xDSL would print the module into each error instead.
    """

    def __init__(self, module: ModuleOp) -> None:
        super().__init__(module, index_bitwidth=INDEX_BITS)
        self._scalars: dict[Operation, Scalars] = {}
        """By op, what was built for it."""

    def _scalar_function(self, op: Operation) -> Scalars:
        found = self._scalars.get(op)
        if found is None:
            found = scalar_function(op)
            if found is None:
                fail(op, "is not supported in host programs")
            self._scalars[op] = found
        return found

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        implementation = implementation_for(self._impls._impl_dict, type(op))
        if implementation is None:
            function = self._scalar_function(op)
            return OpImplResult(function(inputs), None)
        functions, run = implementation
        try:
            return run(functions, self, op, inputs)
        except HalError as error:
            raise error.at(location_text(op)) from None
        except InterpretationError as error:
            fail(op, reason_of(error))
