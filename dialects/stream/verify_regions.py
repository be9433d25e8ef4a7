"""Checks of ops with operand lists, regions and symbols. Each raises VerifyException."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..access import Maintains, Maintenance, field_values, maintained_range
from ..diagnostics import op_name
from ..symbols import lookup_symbol
from ..verify import check_ties, constant_index
from .base import CmdPhase, Streamable
from .region import YieldOp
from .symbols import exported_function_type, is_implicitly_captured
from .types import BindingType, Lifetime, ResourceType
from .verify import check_count, check_end_range, check_range, check_sizes

if TYPE_CHECKING:
    from .async_control import (
        AsyncCallOp,
        AsyncConcurrentOp,
        AsyncDispatchOp,
        AsyncExecuteOp,
        AsyncFuncOp,
    )
    from .cmd import CmdCollectiveOp
    from .cmd_control import (
        CmdCallOp,
        CmdConcurrentOp,
        CmdDispatchOp,
        CmdExecuteOp,
        CmdFuncOp,
        CmdSerialOp,
    )
    from .parameter_async import AsyncParameterGatherOp, AsyncParameterScatterOp
    from .parameter_cmd import CmdParameterGatherOp, CmdParameterScatterOp
    from .tensor_dispatch import TensorDispatchOp


def resources(values: Sequence[SSAValue]) -> list[SSAValue]:
    """The resources among `values`."""
    return [value for value in values if isinstance(value.type, ResourceType)]


def check_dispatch_like(op: AsyncDispatchOp | AsyncCallOp) -> None:
    """Sizes and ranges for each resource operand, sizes for each result, ties in bounds."""
    # Each look at a field of such an op takes its place from the sizes of all fields.
    operands, sizes, results = op.resource_operands, op.resource_operand_sizes, op.result_resources
    offsets, ends, lengths = (
        op.resource_operand_offsets,
        op.resource_operand_ends,
        op.resource_operand_lengths,
    )
    check_sizes(operands, sizes, "resource operand")
    check_sizes(results, op.result_sizes, "result")
    check_count("resource operand offsets", len(offsets), len(sizes))
    check_count("resource operand ends", len(ends), len(sizes))
    check_count("resource operand lengths", len(lengths), len(sizes))
    for offset, end, length, size in zip(offsets, ends, lengths, sizes, strict=True):
        check_end_range(offset, end, length, size, "resource operand")
    check_ties(op.tied_operands, len(operands), len(results), "resource operands")


def check_bindings(op: CmdDispatchOp | CmdCollectiveOp) -> None:
    """Size, range and access for each resource."""
    count = len(op.resources)
    sizes, offsets, lengths = op.resource_sizes, op.resource_offsets, op.resource_lengths
    check_count("resource sizes", len(sizes), count)
    check_count("resource offsets", len(offsets), count)
    check_count("resource lengths", len(lengths), count)
    check_count("resource accesses", len(op.resource_accesses), count)
    for offset, length, size in zip(offsets, lengths, sizes, strict=True):
        check_range(offset, length, size, "resource")


def check_cmd_call(op: CmdCallOp) -> None:
    """Size, range and access for each resource operand; the callee is declared."""
    check_sizes(op.resource_operands, op.resource_operand_sizes, "resource operand")
    check_sizes(op.result_values, op.result_sizes, "result")
    count = len(op.resource_operand_sizes)
    check_count("resource operand offsets", len(op.resource_operand_offsets), count)
    check_count("resource operand lengths", len(op.resource_operand_lengths), count)
    check_count("resource operand accesses", len(op.resource_operand_accesses), count)
    for offset, length, size in zip(
        op.resource_operand_offsets,
        op.resource_operand_lengths,
        op.resource_operand_sizes,
        strict=True,
    ):
        check_range(offset, length, size, "resource operand")
    operands, results = len(op.resource_operands), len(op.result_values)
    check_ties(op.tied_operands, operands, results, "resource operands")
    if lookup_symbol(op, op.callee) is None:
        raise VerifyException(f"expected a declared callee, got {op.callee}; declare it")


def check_range_list(
    op: AsyncParameterGatherOp
    | AsyncParameterScatterOp
    | CmdParameterGatherOp
    | CmdParameterScatterOp,
    side: str,
    count: int,
) -> None:
    """`count` ranges of the resource `side`, within it."""
    size: SSAValue = getattr(op, f"{side}_size")
    offsets = field_values(op, f"{side}_offsets")
    lengths = field_values(op, f"{side}_lengths")
    check_count(f"{side} offsets", len(offsets), count)
    check_count(f"{side} lengths", len(lengths), count)
    if hasattr(op, f"{side}_ends"):
        ends = field_values(op, f"{side}_ends")
        check_count(f"{side} ends", len(ends), count)
        for offset, end, length in zip(offsets, ends, lengths, strict=True):
            check_end_range(offset, end, length, size, side)
        return
    for offset, length in zip(offsets, lengths, strict=True):
        check_range(offset, length, size, side)


def check_signature(op: AsyncFuncOp | CmdFuncOp) -> None:
    """One dictionary for each argument and result, and ties that name arguments."""
    inputs, outputs = len(op.function_type.inputs), len(op.function_type.outputs)
    if op.arg_attrs is not None:
        check_count("argument dictionaries", len(op.arg_attrs), inputs)
    if op.res_attrs is not None:
        check_count("result dictionaries", len(op.res_attrs), outputs)
    check_ties(op.properties.get("tied_operands"), inputs, outputs, "arguments")


def _compatible(callee: Attribute, call: Attribute) -> bool:
    """A callee may leave lifetimes open."""
    if callee == call:
        return True
    if not isinstance(callee, ResourceType) or not isinstance(call, ResourceType):
        return False
    return callee.lifetime is Lifetime.UNKNOWN


def check_async_callee(op: AsyncCallOp) -> None:
    """Results are resources, and the callee is declared with the same signature."""
    for result in op.result_resources:
        if not isinstance(result.type, ResourceType):
            raise VerifyException(f"expected results that are resources, got {result.type}")
    callee = lookup_symbol(op, op.callee)
    if callee is None or callee.name != "stream.async.func":
        raise VerifyException(f"expected a declared callee, got {op.callee}; declare it")
    declared = callee.properties.get("function_type")
    if not isinstance(declared, FunctionType):
        return
    inputs = [value.type for value in op.resource_operands]
    outputs = [value.type for value in op.result_resources]
    got = FunctionType.from_lists(inputs, outputs)
    pairs = [
        *zip(declared.inputs, inputs, strict=False),
        *zip(declared.outputs, outputs, strict=False),
    ]
    same_count = (len(declared.inputs), len(declared.outputs)) == (len(inputs), len(outputs))
    if not same_count or not all(_compatible(*pair) for pair in pairs):
        raise VerifyException(f"expected callee type {declared}, got {got}")


# Regions ---------------------------------------------------------------------------------------


def check_captures(op: AsyncExecuteOp | AsyncConcurrentOp | CmdExecuteOp) -> None:
    """One argument of the same type for each captured resource; no other resource is used."""
    check_sizes(op.resource_operands, op.resource_operand_sizes, "resource operand")
    block = op.body.block
    check_count("region arguments", len(block.args), len(op.resource_operands))
    for argument, operand in zip(block.args, op.resource_operands, strict=True):
        if argument.type != operand.type:
            raise VerifyException(
                f"expected a region argument of type {operand.type}, got {argument.type}"
            )
    for inner in block.ops:
        for operand in inner.operands:
            if isinstance(operand.type, ResourceType) and not _within(operand, block):
                raise VerifyException(
                    "expected resources that the region captures, got one from outside in"
                    f" {inner.name}; capture it with `%resource as %argument`"
                )


def _within(value: SSAValue, block: Block) -> bool:
    """Whether `value` is an argument of `block` or defined in it."""
    owner = value.owner
    return owner is block if isinstance(owner, Block) else owner.parent is block


def check_execution_region(op: AsyncExecuteOp | AsyncConcurrentOp) -> None:
    """Captures and yields match operands and results."""
    check_captures(op)
    check_sizes(op.result_resources, op.result_sizes, "result")
    operands, results = len(op.resource_operands), len(op.result_resources)
    check_ties(op.tied_operands, operands, results, "captured resources")
    last = op.body.block.last_op
    if not isinstance(last, YieldOp):
        return
    check_count("yielded resources", len(last.resource_operands), results)
    for result, inner in zip(op.result_resources, last.resource_operands, strict=True):
        if result.type != inner.type:
            raise VerifyException(f"expected to yield {result.type}, got {inner.type}")
    for outer, inner in zip(op.result_sizes, last.resource_operand_sizes, strict=True):
        if outer is not inner:
            raise VerifyException(
                "expected to yield a resource with the size that the op states, got another value"
            )


def check_command_region(op: CmdExecuteOp | CmdSerialOp | CmdConcurrentOp) -> None:
    """The region holds commands only."""
    for inner in op.body.block.ops:
        known = (
            inner.has_trait(trait, value_if_unregistered=False) for trait in (CmdPhase, Streamable)
        )
        if isinstance(inner, YieldOp) or any(known):
            continue
        raise VerifyException(f"expected commands in the region, got {op_name(inner)}; move it out")


def check_concurrent_maintenance(op: CmdConcurrentOp) -> None:
    """No flush beside an invalidate or discard of bytes that it names (IR-56).

    Which of the two comes first decides whether dirty bytes are written back or lost. Equal
    operations may come in any order, and ranges that are not constant are left to the checker.
    """
    spans: dict[SSAValue, list[_Maintained]] = {}
    for branch, child in enumerate(op.body.block.ops):
        for inner in child.walk():
            trait, named = inner.get_trait(Maintains), maintained_range(inner)
            if trait is None or named is None or named.offset is None:
                continue
            start, size = constant_index(named.offset), constant_index(named.length)
            if start is not None and size:
                drops = trait.kind is not Maintenance.FLUSH
                span = _Maintained(start, start + size, branch, drops)
                spans.setdefault(named.value, []).append(span)
    for target, ranges in spans.items():
        _check_apart(target, sorted(ranges))


class _Maintained(NamedTuple):
    """Bytes [start, end) of a target, maintained by one of the concurrent commands."""

    start: int
    end: int
    branch: int
    """The command that does it or holds what does it."""
    drops: bool
    """Whether dirty bytes are lost, not written back."""


def _check_apart(target: SSAValue, ranges: Sequence[_Maintained]) -> None:
    """`ranges`, in order of their starts, do not overlap where branch and effect differ."""
    # For each effect the ranges of two branches that reach furthest: one is not that at hand.
    furthest: dict[bool, list[_Maintained]] = {False: [], True: []}
    for span in ranges:
        for other in furthest[not span.drops]:
            if other.end > span.start and other.branch != span.branch:
                low, high = span.start, min(span.end, other.end)
                name = f"%{target.name_hint}" if target.name_hint else "one resource"
                raise VerifyException(
                    f"concurrent maintenance of overlapping range: bytes [{low},{high}) of {name} "
                    "are flushed and dropped in no order; put both into a stream.cmd.serial"
                )
        known = furthest[span.drops]
        ahead = sorted([*known, span], key=lambda one: -one.end)
        best: dict[int, _Maintained] = {}
        for one in ahead:
            best.setdefault(one.branch, one)
        known[:] = list(best.values())[:2]


def check_entry_points(op: AsyncDispatchOp | CmdDispatchOp | TensorDispatchOp) -> None:
    """There is an entry point; those that are defined take the workload."""
    if not op.entry_points.data:
        raise VerifyException("expected at least one entry point, got none")
    workload = [value.type for value in op.workload]
    for point in op.entry_points:
        export = lookup_symbol(op, point)
        if export is None or export.name != "stream.executable.export":
            continue
        region = export.regions[0]
        if not region.blocks:
            continue
        types = [arg.type for arg in region.block.args if not is_implicitly_captured(arg.type)]
        if types != workload:
            raise VerifyException(
                f"expected workload ({', '.join(map(str, types))}) for {point},"
                f" got ({', '.join(map(str, workload))})"
            )


def check_dispatch_signature(op: CmdDispatchOp) -> None:
    """Where the exported function is there, it takes the uniforms and as many bindings."""
    for point in op.entry_points:
        export = lookup_symbol(op, point)
        function = None if export is None else exported_function_type(export)
        if function is None:
            continue
        types = function.inputs.data
        bindings = sum(isinstance(type, BindingType) for type in types)
        check_count(f"resources for the bindings of {point}", len(op.resources), bindings)
        uniforms = [type for type in types if not isinstance(type, BindingType)]
        got = [value.type for value in op.uniform_operands]
        if uniforms != got:
            raise VerifyException(
                f"expected uniform operands ({', '.join(map(str, uniforms))}) for {point},"
                f" got ({', '.join(map(str, got))})"
            )
