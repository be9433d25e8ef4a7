"""xDSL's interpreter, for ops that stand in for xDSL's under the same name.

Our dialects put subclasses of some of xDSL's ops in their place (`zcir.dialects.foreign`); xDSL
looks implementations up by the very class.
"""

from collections.abc import MutableMapping
from typing import TypeVar

from xdsl.interpreter import Interpreter, OpImplResult, PythonValues
from xdsl.ir import Operation

Implementation = TypeVar("Implementation")


def implementation_for(
    implementations: MutableMapping[type[Operation], Implementation], kind: type[Operation]
) -> Implementation | None:
    """The implementation for ops of class `kind`, else for its nearest base; None for neither.

    One found at a base is entered for `kind`, so that it is found at once the next time.
    """
    found = implementations.get(kind)
    if found is not None:
        return found
    for base in kind.__mro__[1:]:
        found = implementations.get(base)
        if found is not None:
            implementations[kind] = found
            return found
    return None


class HostInterpreter(Interpreter):
    """Runs an op by the implementation for its class, or for the class it stands in for."""

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        implementation_for(self._impls._impl_dict, type(op))
        return super()._run_op(op, inputs)
