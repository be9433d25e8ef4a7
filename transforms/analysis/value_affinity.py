"""Where the storage of a stream-level value lives: the affinity of what defines it.

```mlir
%0 = stream.async.splat on(@a) …                  // on a
%1 = stream.async.transfer %0 … -> to(@b) …       // on b
%r = scf.for … iter_args(%x = %1) { … }           // %x and %r: on b, if what is yielded is
util.func public @f(%y: !stream.resource<*> {stream.affinity = @a})   // %y: on a
```
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, OpResult, SSAValue

from ...dialects import stream
from ...dialects.access import op_affinity, result_affinity
from .affinity import declared_affinities, default_affinity
from .value_flow import host_functions, is_public, program_edges


def _stated(value: SSAValue) -> tuple[SSAValue, Attribute | None]:
    """The first name of `value` that ops of its function tell, and the affinity they state.

    None for arguments and for ops that state none. A transfer's result lives at its target; casts,
    views and awaits only pass values on.
    """
    while isinstance(value, OpResult):
        match value.op:
            case stream.AsyncTransferOp() as transfer:
                return value, result_affinity(transfer)
            case stream.AsyncCastOp() | stream.ResourceSubviewOp() as other_name:
                value = other_name.source
            case stream.TimepointAwaitOp() as awaiting:
                value = awaiting.resource_operands[value.index]
            case owner:
                return value, op_affinity(owner)
    return value, None


class ValueAffinities:
    """The affinities of the resources of `module`, control flow and calls taken into account.

    A carried value lives where all do that it may come from; one that comes from several devices
    lives nowhere in particular. Arguments live where the function declares, those of public
    functions else where its default is. Decided once, linear in ops: stays as it is while copies
    and names are rewritten.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._homes: dict[SSAValue, Attribute | None] = {}
        """Of carried values; None where sources differ."""
        onward: dict[SSAValue, list[SSAValue]] = {}
        pending = _argument_affinities(module)
        for edge in program_edges(module):
            if isinstance(edge.source.type, stream.ResourceType):
                source, home = _stated(edge.source)
                if home is None:
                    onward.setdefault(source, []).append(edge.target)
                else:
                    pending.append((edge.target, home))
        while pending:
            value, home = pending.pop()
            merged = home if self._homes.get(value, home) == home else None
            if value not in self._homes or self._homes[value] != merged:
                self._homes[value] = merged
                pending.extend((target, merged) for target in onward.get(value, ()))

    def of(self, value: SSAValue) -> Attribute | None:
        """The affinity of `value`; None where none is known or sources differ."""
        source, home = _stated(value)
        return self._homes.get(source) if home is None else home


def _argument_affinities(module: ModuleOp) -> list[tuple[SSAValue, Attribute | None]]:
    """Arguments of functions, each with the affinity that its function states for it."""
    found: list[tuple[SSAValue, Attribute | None]] = []
    for function in host_functions(module).values():
        entry = function.regions[0].first_block
        if entry is None:
            continue
        declared = declared_affinities(function, "arg_attrs")
        default = default_affinity(function) if is_public(function) else None
        for number, argument in enumerate(entry.args):
            home = declared.get(number, default)
            if home is not None and isinstance(argument.type, stream.ResourceType):
                found.append((argument, home))
    return found
