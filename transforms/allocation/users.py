"""Who uses the storages of a module, across blocks, calls and globals.

A storage that leaves its block is allocated where all that may use it reach it (IR-26, IR-49):
the next iteration on another device, the callee, who loads the global.
"""

from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, range_accesses
from ...dialects.walk import walk
from ..analysis.storage import StorageSets
from ..analysis.value_flow import call_edges
from ..functions import functions_of


@dataclass(frozen=True, slots=True)
class Use:
    """A device that touches a storage."""

    affinity: Attribute | None
    writes: bool
    in_place: bool
    """By a kernel; else by a copy or fill command."""


@dataclass(slots=True)
class Users:
    """Those of one storage, or of several that share bytes."""

    uses: dict[Use, None] = field(default_factory=dict[Use, None])
    exports: dict[Attribute, None] = field(default_factory=dict[Attribute, None])
    """Affinities with which it is handed out."""


def uses_of(op: Operation, affinity: Attribute | None) -> list[tuple[SSAValue, Use]]:
    """What `op`, in a region on `affinity`, does to the storage of its operands and results."""
    in_place = isinstance(op, stream.AsyncDispatchOp | stream.AsyncCallOp)
    # A constant is there from the start: whoever puts it there is not the device.
    filled = isinstance(op, stream.AsyncConstantOp)
    return [
        (access.value, Use(affinity, bool(access.mode & Access.WRITE) and not filled, in_place))
        for access in range_accesses(op)
    ]


class ModuleUsers:
    """The users of every set of values of a module that may share storage."""

    def __init__(self, module: ModuleOp) -> None:
        functions = list(functions_of(module))
        self._sets = StorageSets(*functions, calls=call_edges(module))
        self._users: dict[object, Users] = {}
        for function in functions:
            for op in walk(function):
                self._visit(op)

    def of(self, value: SSAValue) -> Users:
        """The users of whatever storage `value` may have."""
        return self._users.setdefault(self._sets.find(value), Users())

    def _visit(self, op: Operation) -> None:
        if isinstance(op, stream.TensorExportOp):
            if op.affinity is not None:
                self.of(op.source).exports.setdefault(op.affinity)
        elif isinstance(op, stream.AsyncExecuteOp):
            for inner in op.body.walk():
                for value, use in uses_of(inner, op.affinity):
                    self.of(value).uses.setdefault(use)
