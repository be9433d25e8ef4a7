"""Constant tensors to `stream.async.constant`, of lifetime constant, cast to unknown."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, SSAValue

from ...dialects import flow, stream
from ...dialects.diagnostics import fail
from ...dialects.util.globals import typed_attribute_type
from .lowering import UNKNOWN, Handler, Lowering, Resource

CONSTANT = stream.ResourceType(stream.Lifetime.CONSTANT)


def lower_constant(lowering: Lowering, op: flow.TensorConstantOp | arith.ConstantOp) -> None:
    """A constant of a static shape."""
    define_constant(lowering, op.result, op.value, op.result.type)


def lower_dynamic_constant(lowering: Lowering, op: flow.TensorDynamicConstantOp) -> None:
    """A constant with a dynamic result type; the type of its value says how many bytes it has."""
    type = typed_attribute_type(op.value)
    if type is None:
        fail(op, f"expected a value with a type, got {op.value}")
    define_constant(lowering, op.result, op.value, type)


def define_constant(
    lowering: Lowering, result: SSAValue, value: Attribute, type: Attribute
) -> None:
    """Make `value` the resource of `result`."""
    if DYNAMIC_INDEX in lowering.tensor_type(type).get_shape():
        fail(lowering.op, f"expected a constant of a static shape, got {type}")
    size = lowering.byte_size(type, ())
    new = lowering.make(
        stream.AsyncConstantOp,
        [CONSTANT],
        value=stream_value(value),
        result_size=size,
        affinity=lowering.affinity(),
    )
    lowering.resources[result] = Resource(lowering.cast(Resource(new.result, size), UNKNOWN), size)


def stream_value(value: Attribute) -> Attribute:
    """A parameter as the stream dialect names it; other values as they are."""
    if isinstance(value, flow.NamedParameterAttr):
        return stream.NamedParameterAttr(value.type, value.scope, value.key, value.config)
    return value


HANDLERS: dict[type, Handler] = {
    flow.TensorConstantOp: lower_constant,
    flow.TensorDynamicConstantOp: lower_dynamic_constant,
}
BY_NAME: dict[str, Handler] = {"arith.constant": lower_constant}
"""For ops that touch tensors; by name, since the foreign dialects extend their classes."""
