"""Control flow, calls and returns: the same ops, with resources and sizes for tensors.

```mlir
%r = scf.for %i = %a to %b step %c iter_args(%x = %t) -> (tensor<?xf32>) {…}
// becomes
%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %t, %x_size = %t_size)
    -> (!stream.resource<*>, index) {…}
```

A value that comes from another device than its target lives on is transferred before.
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import cf
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, FunctionType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import util
from ...dialects.access import UNTIED, field_values
from ..build import tied_indices
from .expansion import (
    define_results,
    expanded_operands,
    expanded_types,
    is_converted,
    is_tensor,
    positions,
)
from .lowering import Handler, Lowering, Resource

BOUNDARY_OPS = frozenset(("func.call", "func.return", "util.call", "util.return"))
"""Ops whose operands and results cross a function's boundary."""
CARRIERS = BOUNDARY_OPS | {
    "cf.br",
    "cf.cond_br",
    "cf.switch",
    "scf.condition",
    "scf.execute_region",
    "scf.for",
    "scf.if",
    "scf.index_switch",
    "scf.while",
    "scf.yield",
}
"""Ops that pass values on as they are."""


def lower_carrier(lowering: Lowering, op: IRDLOperation) -> None:
    """The same op with expanded operands and results, and with its regions."""
    boundary = op.name in BOUNDARY_OPS
    operands = expanded_operands(lowering, boundary)
    properties = dict(op.properties)
    if (segments := properties.get("operandSegmentSizes")) is not None:
        counts = [len(field_values(op, name)) for name, _ in op.get_irdl_definition().operands]
        properties["operandSegmentSizes"] = _resized(segments, counts, operands)
    if isinstance(op, cf.SwitchOp):
        cases = operands[1 + len(op.default_operands) :]
        counts = list(op.case_operand_segments.get_values())
        properties["case_operand_segments"] = _resized(segments, counts, cases)
    if "tied_operands" in properties:
        properties["tied_operands"] = remapped_ties(
            properties["tied_operands"], op.operand_types, op.result_types
        )
    for name, types in (("arg_attrs", op.operand_types), ("res_attrs", op.result_types)):
        if name in properties:
            properties[name] = expanded_dictionaries(properties[name], types)
    new = type(op).create(
        operands=[value for values in operands for value in values],
        result_types=expanded_types(op.result_types, boundary),
        properties=properties,
        attributes=op.attributes,
        location=op.location,
        successors=op.successors,
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    lowering.insert(new)
    define_results(lowering, op, new, boundary)


def _resized(
    segments: Attribute | None, counts: Sequence[int], operands: Sequence[Sequence[SSAValue]]
) -> DenseArrayBase:
    """Segment sizes once each operand has become several."""
    assert isinstance(segments, DenseArrayBase)
    remaining = iter(operands)
    return DenseArrayBase.from_list(
        i32, [sum(len(next(remaining)) for _ in range(count)) for count in counts]
    )


def remapped_ties(
    stored: Attribute, operands: Sequence[Attribute], results: Sequence[Attribute]
) -> Attribute:
    """The `tied_operands` of a call or function once sizes follow tensors; sizes are untied."""
    at = positions(operands, True)
    ties: list[int | None] = []
    entries = cast("ArrayAttr[Any]", stored).data
    for entry, type in zip(entries, results, strict=True):
        tie: int = entry.value.data
        ties.append(None if tie == UNTIED else at[tie])
        ties.extend([None] * (len(expanded_types((type,), True)) - 1))
    return tied_indices(ties)


def expanded_dictionaries(stored: Attribute, types: Sequence[Attribute]) -> Attribute:
    """Attributes of arguments or results; a size that follows a tensor has none."""
    expanded: list[DictionaryAttr] = []
    for entry, type in zip(cast("ArrayAttr[DictionaryAttr]", stored), types, strict=True):
        expanded.append(entry)
        expanded.extend([DictionaryAttr({})] * (len(expanded_types((type,), True)) - 1))
    return ArrayAttr(expanded)


def expand_signature(function: util.FuncOp | util.InitializerOp) -> None:
    """State in `function` what becomes of its arguments and results."""
    old = function.function_type
    inputs, outputs = old.inputs.data, old.outputs.data
    properties = function.properties
    properties["function_type"] = FunctionType.from_lists(
        expanded_types(inputs, True), expanded_types(outputs, True)
    )
    for name, types in (("arg_attrs", inputs), ("res_attrs", outputs)):
        if (stored := properties.get(name)) is not None:
            properties[name] = expanded_dictionaries(stored, types)
    if (ties := properties.get("tied_operands")) is not None:
        properties["tied_operands"] = remapped_ties(ties, inputs, outputs)


def lower_optimization_barrier(lowering: Lowering, op: util.OptimizationBarrierOp) -> None:
    """A barrier for the resource; what its size is need not be hidden."""
    operands = [values[0] for values in expanded_operands(lowering, True)]
    new = lowering.make(
        util.OptimizationBarrierOp, [[value.type for value in operands]], arguments=operands
    )
    for old, before, result in zip(op.results, op.operands, new.results, strict=True):
        if is_tensor(old.type):
            lowering.resources[old] = Resource(result, lowering.resource(before).size)
        elif is_converted(old.type):
            lowering.channels[old] = result
        else:
            old.replace_all_uses_with(result)


BY_NAME: dict[str, Handler] = {
    **dict.fromkeys(sorted(CARRIERS), lower_carrier),
    "util.optimization_barrier": lower_optimization_barrier,
}
"""For ops that touch tensors; by name, since the foreign dialects extend their classes."""
