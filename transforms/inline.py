"""inline: the bodies of private functions in the place of their calls.

```mlir
util.func private @half(%x: tensor<32xi32>) -> tensor<16xi32> {
  %0 = flow.tensor.slice %x[%c0 for %c16] : tensor<32xi32> -> tensor<16xi32>
  util.return %0 : tensor<16xi32>
}
util.func public @main(%x: tensor<32xi32>) … {
  %1 = util.call @half(%x) : (tensor<32xi32>) -> tensor<16xi32>
```

becomes

```mlir
util.func public @main(%x: tensor<32xi32>) … {
  %1 = flow.tensor.slice %x[%c0 for %c16] : tensor<32xi32> -> tensor<16xi32>
```

What a function takes and gives is then a value like any other: it needs no copy at the border,
and no wait. A function that is called once is inlined whatever its size, one that is called more
often if it has at most `max-ops` ops besides constants, so that the program grows by no more than
that for each call. Functions whose calls are all inlined go. As MLIR's pass of this name, and after
IREE's `inlining_policy`.

Does not handle: public and recursive functions, those of several blocks, those that declare
affinities, those with the inlining policy `#util.inline.never`, and calls by `func.call`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike

from ..dialects import util
from .analysis.call_summaries import callees_first
from .analysis.value_flow import callee_name, host_functions, host_ops
from .functions import functions_of

NEVER = "#util.inline.never"


@dataclass(frozen=True)
class InlinePass(ModulePass):
    """Inline calls of private functions."""

    name = "inline"

    max_ops: int = 64
    """Ops, constants not counted, of functions that are inlined at several calls."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Inline into callees before their callers; remove what is called no more."""
        functions = host_functions(op)
        calls = Counter(callee_name(call) for call in _calls(op))
        bodies: dict[str, util.FuncOp] = {}
        settled = callees_first(functions)
        for name in settled:
            function = functions[name]
            _inline_in(function, bodies)
            if _may_inline(function) and (calls[name] == 1 or _size(function) <= self.max_ops):
                bodies[name] = function
        for function in functions_of(op):
            _inline_in(function, bodies)
        named = _named(op)
        for name, function in bodies.items():
            if calls[name] and name not in named:
                function.detach()
                function.erase()


def _calls(root: Operation) -> Iterator[util.CallOp]:
    return (op for op in host_ops(root) if isinstance(op, util.CallOp))


def _may_inline(function: Operation) -> TypeIs[util.FuncOp]:
    """Whether `function` says nothing that would be lost, and its body fits into any block."""
    if not isinstance(function, util.FuncOp) or len(function.body.blocks) != 1:
        return False
    private = function.sym_visibility is not None and function.sym_visibility.data == "private"
    policy = function.inlining_policy
    return (
        private
        and (policy is None or str(policy) != NEVER)
        and function.arg_attrs is None
        and function.res_attrs is None
        and not function.attributes
        and isinstance(function.body.block.last_op, util.ReturnOp)
    )


def _size(function: util.FuncOp) -> int:
    """The ops of a body besides constants."""
    return sum(not op.has_trait(ConstantLike) for op in function.body.walk())


def _inline_in(function: Operation, bodies: dict[str, util.FuncOp]) -> None:
    for call in list(_calls(function)):
        if (callee := bodies.get(callee_name(call))) is not None and callee is not function:
            _inline(call, callee)


def _inline(call: util.CallOp, callee: util.FuncOp) -> None:
    body = callee.body.clone().block
    end = body.last_op
    assert end is not None
    Rewriter.inline_block(body, InsertPoint.before(call), call.operands)
    for result, value in zip(call.results, end.operands, strict=True):
        result.replace_all_uses_with(value)
    end.detach()
    end.erase()
    call.detach()
    call.erase()


def _named(module: ModuleOp) -> set[str]:
    """The symbols that host ops name."""
    return {
        reference.root_reference.data
        for op in host_ops(module)
        for reference in op.properties.values()
        if isinstance(reference, SymbolRefAttr)
    }
