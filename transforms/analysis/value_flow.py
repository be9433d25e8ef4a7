"""Where values go when control flow and calls carry them, as plain edges.

```mlir
%r = scf.for … iter_args(%arg = %init) { … scf.yield %next }
// init -> arg, next -> arg, init -> r, next -> r
cf.cond_br %c, ^bb1(%a), ^bb2      // a -> the argument of ^bb1
%s = arith.select %c, %a, %b       // a -> s, b -> s
%t = util.call @f(%a)              // a -> the argument of @f, what @f returns -> t
```

Analyses over values (affinity, storage, lifetime) ask here and know no control-flow op.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, cast

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import util
from ...dialects.walk import descend, walk

FUNCTIONS = (util.FuncOp, util.InitializerOp, func.FuncOp)
"""Ops whose body is host code."""
RETURNS = (util.ReturnOp, func.ReturnOp)
GLOBAL_ACCESSES = (
    util.GlobalLoadOp,
    util.GlobalLoadIndirectOp,
    util.GlobalStoreOp,
    util.GlobalStoreIndirectOp,
)


class Edge(NamedTuple):
    """`source` may become `target`; both have the same type."""

    source: SSAValue
    target: SSAValue
    carrier: Operation
    """The op whose operand `source` is."""
    operand: int
    """Which operand of the carrier."""


def host_ops(root: Operation) -> Iterator[Operation]:
    """The ops of the host program in `root`, a module or a function; kernels are left out."""
    if not isinstance(root, ModuleOp):
        yield from walk(root)
        return
    for op in root.body.block.ops:
        if isinstance(op, FUNCTIONS):
            yield from walk(op)
        else:
            yield op


def value_edges(root: Operation) -> Iterator[Edge]:
    """All edges of the control flow in `root`, in textual order."""
    for op in host_ops(root):
        if not _has_edges(type(op)):
            continue
        match op:
            case scf.ForOp():
                yield from _for_edges(op)
            case scf.WhileOp():
                yield from _while_edges(op)
            case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                for region in op.regions:
                    for end in _terminators(region):
                        yield from _edges(end, 0, op.results)
            case cf.BranchOp() | cf.ConditionalBranchOp() | cf.SwitchOp():
                yield from branch_edges(op)
            case _ if op.name == "arith.select":
                yield Edge(op.operands[1], op.results[0], op, 1)
                yield Edge(op.operands[2], op.results[0], op, 2)
            case util.OptimizationBarrierOp():
                yield from _edges(op, 0, op.results)
            case _:
                pass


@cache
def _has_edges(kind: type[Operation]) -> bool:
    """Whether `value_edges` knows edges of ops of a class: of most there are none."""
    kinds = (
        *(scf.ForOp, scf.WhileOp, scf.IfOp, scf.IndexSwitchOp, scf.ExecuteRegionOp),
        *(cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp),
        util.OptimizationBarrierOp,
    )
    return issubclass(kind, kinds) or kind.name == "arith.select"


_CARRIERS = (scf.ForOp, scf.IfOp, scf.WhileOp)
_TERMINATORS = (scf.YieldOp, scf.ConditionOp)


def carries_values(op: Operation) -> bool:
    """Whether the operands or results of `op` are ends of edges that `value_edges` gives."""
    if isinstance(op, _TERMINATORS):
        return isinstance(op.parent_op(), _CARRIERS)
    return isinstance(op, _CARRIERS)


def exclude_each_other(left: Operation, right: Operation) -> bool:
    """Whether `left` and `right` are in different branches of one op, one of which is taken."""
    regions: dict[Operation, Region] = {}
    region = left.parent_region()
    while region is not None and (op := region.parent) is not None:
        regions[op] = region
        region = op.parent_region()
    region = right.parent_region()
    while region is not None and (op := region.parent) is not None:
        if op in regions:
            return isinstance(op, scf.IfOp | scf.IndexSwitchOp) and regions[op] is not region
        region = op.parent_region()
    return False


def is_carried_into(block: Block) -> bool:
    """Whether edges that `value_edges` gives end at the arguments of `block`."""
    return isinstance(block.parent_op(), scf.ForOp | scf.WhileOp)


def program_edges(root: Operation) -> Iterator[Edge]:
    """The edges of control flow in `root`, and for a module those of its calls."""
    yield from value_edges(root)
    if isinstance(root, ModuleOp):
        yield from call_edges(root)


def call_edges(module: ModuleOp) -> Iterator[Edge]:
    """From the operands of calls to the callee's arguments, and from returns to calls' results."""
    functions = host_functions(module)
    returns = {name: function_returns(function) for name, function in functions.items()}
    for op in host_ops(module):
        if not isinstance(op, util.CallOp | func.CallOp):
            continue
        name = callee_name(op)
        callee = functions.get(name)
        entry = None if callee is None else callee.regions[0].first_block
        if entry is None:
            continue
        yield from _edges(op, 0, entry.args)
        for end in returns[name]:
            yield from _edges(end, 0, op.results)


def host_functions(module: ModuleOp) -> dict[str, Operation]:
    """The functions directly in `module`, by symbol name."""
    return {
        function.sym_name.data: function
        for function in module.body.block.ops
        if isinstance(function, util.FuncOp | func.FuncOp)
    }


def is_public(function: Operation) -> bool:
    """Whether callers of `function` may be outside the module."""
    visibility = getattr(function, "sym_visibility", None)
    return visibility is None or visibility.data == "public"


def function_returns(function: Operation) -> list[Operation]:
    """The ops by which `function` returns."""
    return [
        block.last_op for block in function.regions[0].blocks if isinstance(block.last_op, RETURNS)
    ]


def callee_name(call: Operation) -> str:
    """The symbol that a call names."""
    callee = cast(SymbolRefAttr, call.properties["callee"])
    return callee.root_reference.data


def global_name(op: Operation) -> str:
    """The global that a load or store accesses; empty where the address comes from elsewhere."""
    if isinstance(op, util.GlobalLoadIndirectOp | util.GlobalStoreIndirectOp):
        address = op.global_pointer.owner
        return global_name(address) if isinstance(address, util.GlobalAddressOp) else ""
    return cast(SymbolRefAttr, op.properties["global"]).root_reference.data


def branch_edges(op: cf.BranchOp | cf.ConditionalBranchOp | cf.SwitchOp) -> Iterator[Edge]:
    """From the operands of a branch to the arguments of the blocks that it goes to."""
    match op:
        case cf.BranchOp():
            lists = [(op.successor, op.arguments)]
        case cf.ConditionalBranchOp():
            lists = [(op.then_block, op.then_arguments), (op.else_block, op.else_arguments)]
        case cf.SwitchOp():
            cases = zip(op.case_blocks, op.case_operand, strict=True)
            lists = [(op.default_block, op.default_operands), *cases]
    index = 0 if isinstance(op, cf.BranchOp) else 1
    for block, sources in lists:
        yield from _edges(op, index, block.args[: len(sources)])
        index += len(sources)


def _edges(op: Operation, first: int, targets: Sequence[SSAValue]) -> Iterator[Edge]:
    """From the operands of `op`, from number `first` on, to `targets`."""
    for index, (source, target) in enumerate(zip(op.operands[first:], targets, strict=False)):
        yield Edge(source, target, op, first + index)


def _terminators(region: Region) -> list[Operation]:
    """The ops by which `region` is left: those that end a block and go to no other."""
    ends = [block.last_op for block in region.blocks]
    return [end for end in ends if end is not None and not end.successors]


def _for_edges(op: scf.ForOp) -> Iterator[Edge]:
    arguments = op.body.block.args[1:]
    for end in _terminators(op.body):
        for number, (argument, result) in enumerate(zip(arguments, op.results, strict=True)):
            for carrier, index in ((op, 3 + number), (end, number)):
                yield Edge(carrier.operands[index], argument, carrier, index)
                yield Edge(carrier.operands[index], result, carrier, index)


def is_defined_in(value: SSAValue, op: Operation) -> bool:
    """Whether a region of `op` defines `value`: as an argument, or as the result of an op there."""
    around = value.owner.parent_op()
    return around is not None and op.is_ancestor(around)


def _while_edges(op: scf.WhileOp) -> Iterator[Edge]:
    before = op.before_region.block.args
    yield from _edges(op, 0, before)
    for condition in _terminators(op.before_region):
        yield from _edges(condition, 1, op.after_region.block.args)
        yield from _edges(condition, 1, op.results)
    for end in _terminators(op.after_region):
        yield from _edges(end, 0, before)


def blocks_in_order(region: Region) -> list[Block]:
    """The blocks of `region`, each after those that dominate it; unreachable ones last."""
    order: list[Block] = []
    seen: set[Block] = set()
    for start in region.blocks:
        postorder: list[Block] = []
        stack = [start] if start not in seen else []
        seen.add(start)
        while stack:
            block = stack[-1]
            last = block.last_op
            onward = () if last is None else last.successors
            unseen = next((b for b in onward if b not in seen), None)
            if unseen is None:
                postorder.append(stack.pop())
            else:
                seen.add(unseen)
                stack.append(unseen)
        order.extend(reversed(postorder))
    return order


def ops_in_order(root: Operation) -> Iterator[Operation]:
    """All ops in `root`, each after the definitions of what it uses; regions after their op."""
    return descend(root, _ops)


def _ops(parent: Operation) -> Iterator[Operation]:
    return (
        op
        for region in list(parent.regions)
        for block in blocks_in_order(region)
        for op in list(block.ops)
    )
