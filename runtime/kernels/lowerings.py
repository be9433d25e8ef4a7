"""The table from op names to lowerings, and what to do with ops that are not in it."""

from functools import cache

from xdsl.dialects import scf
from xdsl.ir import Operation

from .attention import ATTENTION_LOWERINGS
from .control import lower_for, lower_if
from .elementwise import ELEMENTWISE_LOWERINGS
from .indexed import INDEXED_LOWERINGS
from .interface import INTERFACE_LOWERINGS
from .named import LINALG_LOWERINGS, lower_by_name
from .packing import PACKING_LOWERINGS
from .program import Compiler, Lowering, refuse
from .selection import SELECTION_LOWERINGS
from .stores import STORE_LOWERINGS
from .tensors import TENSOR_LOWERINGS
from .winograd import WINOGRAD_LOWERINGS


@cache
def all_lowerings() -> dict[str, Lowering]:
    """Every lowering by op name."""
    return {
        **ELEMENTWISE_LOWERINGS,
        **LINALG_LOWERINGS,
        **TENSOR_LOWERINGS,
        **INTERFACE_LOWERINGS,
        **STORE_LOWERINGS,
        **INDEXED_LOWERINGS,
        **PACKING_LOWERINGS,
        **SELECTION_LOWERINGS,
        **ATTENTION_LOWERINGS,
        **WINOGRAD_LOWERINGS,
        scf.ForOp.name: lower_for,
        scf.IfOp.name: lower_if,
    }


def lower_otherwise(compiler: Compiler, op: Operation) -> None:
    """Compile an op by what its name or class says; refuse it where that is nothing."""
    if not lower_by_name(compiler, op):
        refuse(op)
