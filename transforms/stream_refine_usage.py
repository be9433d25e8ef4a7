"""stream-refine-usage: give every resource its lifetime.

```mlir
%1 = stream.async.cast %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
%2 = stream.async.dispatch @f(%1[…]) … -> !stream.resource<*>{%c64}
%3 = stream.async.dispatch @g(%2[…]) … -> !stream.resource<*>{%c64}
%4 = stream.async.cast %3 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
```

becomes

```mlir
%2 = stream.async.dispatch @f(%0[…]) … -> !stream.resource<transient>{%c64}
%3 = stream.async.dispatch @g(%2[…]) … -> !stream.resource<external>{%c64}
```

All names of one storage get one lifetime: what a transfer aliases or an op updates in place is
external if any of it comes in or goes out of the program. So are all names that loops,
branches, calls and globals carry: what a global holds is variable, or constant if nothing but
initializers store to it. Signatures and globals that leave a lifetime open get one; what public
functions take and give is external, but an import that the caller gave away (`consume`) is
whatever it becomes: variable where a global keeps it. A constant that goes out is cloned. What an
alias transfer makes of staging memory has a lifetime of its own (IR-51).

Does not handle: memory that should be staging and does not say so.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialects import stream, util
from ..dialects.access import op_affinity
from ..dialects.walk import walk
from .analysis.lifetimes import ModuleLifetimes, is_given_away
from .analysis.value_flow import function_returns
from .build import make
from .functions import refuse_func_dialect


@dataclass(frozen=True)
class StreamRefineUsagePass(ModulePass):
    """Replace `!stream.resource<*>` by a lifetime everywhere and drop the casts."""

    name = "stream-refine-usage"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite values, signatures and globals; raises OpError at a func.func."""
        refuse_func_dialect(op)
        lifetimes = ModuleLifetimes(op)
        for value in lifetimes.values:
            if value.type == OPEN or is_given_away(value):
                type = stream.ResourceType(lifetimes.of(value))
                Rewriter.replace_value_with_new_type(value, type)
        for inner in op.body.block.ops:
            match inner:
                case util.GlobalOp() if inner.type == OPEN:
                    inner.type = stream.ResourceType(lifetimes.of(inner.sym_name.data))
                case util.FuncOp():
                    _refine_signature(inner)
                case _:
                    pass
            if isinstance(inner, util.FuncOp | util.InitializerOp):
                for cast in [each for each in walk(inner) if isinstance(each, stream.AsyncCastOp)]:
                    _drop_cast(cast)


OPEN = stream.ResourceType(stream.Lifetime.UNKNOWN)


def _refine_signature(function: util.FuncOp) -> None:
    """The types that the body takes and returns; a declaration belongs to others."""
    external = stream.ResourceType(stream.Lifetime.EXTERNAL)
    inputs, outputs = (
        list(types) for types in (function.function_type.inputs, function.function_type.outputs)
    )
    entry = function.body.first_block
    if entry is not None:
        inputs = list(entry.arg_types)
        for end in function_returns(function):
            outputs = [value.type for value in end.operands]
    function.function_type = FunctionType.from_lists(
        [external if type == OPEN else type for type in inputs],
        [external if type == OPEN else type for type in outputs],
    )


def _drop_cast(op: stream.AsyncCastOp) -> None:
    """A cast that changes nothing goes; one between two lifetimes is a copy."""
    block = op.parent
    assert block is not None
    if op.source.type == op.result.type:
        op.result.replace_all_uses_with(op.source)
    else:
        clone = make(
            stream.AsyncCloneOp,
            op,
            [op.result.type],
            source=op.source,
            source_size=op.source_size,
            result_size=op.result_size,
            affinity=op_affinity(op),
        )
        block.insert_op_before(clone, op)
        op.result.replace_all_uses_with(clone.result)
    block.erase_op(op)
