"""What the conversions share: where a tensor has gone, constants, byte sizes and offsets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects import stream
from ...dialects.diagnostics import fail
from ..analysis.affinity import Affinities
from ..build import INDEX, OpT, constant_value, make
from .sizes import element_bytes, static_bytes

UNKNOWN = stream.ResourceType(stream.Lifetime.UNKNOWN)
EXTERNAL = stream.ResourceType(stream.Lifetime.EXTERNAL)


class Resource(NamedTuple):
    """What a tensor becomes."""

    value: SSAValue
    """`!stream.resource<*>`."""
    size: SSAValue
    """Bytes, as `index`."""


@dataclass(slots=True)
class Lowering:
    """The state of one function's conversion."""

    affinities: Affinities
    entry: Block
    """Where constants go."""
    resources: dict[SSAValue, Resource] = field(default_factory=dict[SSAValue, Resource])
    op: Operation = field(init=False)
    """The op being converted; new ops go before it and take its location."""
    _constants: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])

    def start(self, op: Operation) -> None:
        """Begin with `op`."""
        self.op = op

    def make(
        self,
        op_class: type[OpT],
        results: Sequence[Attribute | Sequence[Attribute] | None] = (),
        /,
        **fields: Any,
    ) -> OpT:
        """Build an op before the current one."""
        new = make(op_class, self.op, results, **fields)
        block = self.op.parent
        assert block is not None
        block.insert_op_before(new, self.op)
        return new

    def affinity(self) -> Attribute:
        """The affinity the current op runs on; an error at the op if it has none."""
        affinity = self.affinities.ops.get(self.op)
        if affinity is None:
            fail(self.op, "has no affinity; set stream.affinity.default on the module")
        return affinity

    def resource(self, tensor: SSAValue) -> Resource:
        """What `tensor` has become."""
        found = self.resources.get(tensor)
        if found is None:
            fail(self.op, f"uses a tensor of type {tensor.type} that nothing lowered defines")
        return found

    def constant(self, value: int) -> SSAValue:
        """The index constant `value`, defined once at the function's start."""
        if (known := self._constants.get(value)) is None:
            new = arith.ConstantOp(IntegerAttr(value, INDEX))
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_op_before(new, first)
            known = self._constants[value] = new.result
            known.name_hint = f"c{value}"
        return known

    def byte_size(self, type: Attribute, dims: Sequence[SSAValue]) -> SSAValue:
        """Bytes of a tensor of `type` whose dynamic dimensions are `dims`."""
        tensor = self.tensor_type(type)
        size = static_bytes(tensor)
        if size is None:
            fail(self.op, f"element type {tensor.element_type} has no dense byte layout")
        return self.product([self.constant(size), *dims])

    def tensor_type(self, type: Attribute) -> TensorType[Attribute]:
        """`type` as a ranked tensor type; an error at the current op for any other."""
        if not isa(type, TensorType[Attribute]):
            fail(self.op, f"expected a ranked tensor type, got {type}")
        return type

    def product(self, factors: Sequence[SSAValue]) -> SSAValue:
        """The product of index values, constants folded."""
        folded = 1
        dynamic: list[SSAValue] = []
        for factor in factors:
            value = constant_value(factor)
            if value is None:
                dynamic.append(factor)
            else:
                folded *= value
        if not dynamic or folded == 0:
            return self.constant(folded)
        total = dynamic[0]
        for factor in dynamic[1:]:
            total = self.make(arith.MuliOp, [INDEX], lhs=total, rhs=factor).result
        if folded != 1:
            total = self.make(arith.MuliOp, [INDEX], lhs=total, rhs=self.constant(folded)).result
        return total

    def sum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The sum of two index values, constants folded."""
        a, b = constant_value(left), constant_value(right)
        if a is not None and b is not None:
            return self.constant(a + b)
        if a == 0:
            return right
        if b == 0:
            return left
        return self.make(arith.AddiOp, [INDEX], lhs=left, rhs=right).result

    def byte_offset(
        self, type: Attribute, dims: Sequence[SSAValue], indices: Sequence[SSAValue]
    ) -> SSAValue:
        """Byte offset of the element at `indices` of a dense row-major tensor."""
        tensor = self.tensor_type(type)
        element = element_bytes(tensor.element_type)
        if element is None:
            fail(self.op, f"element type {tensor.element_type} has no dense byte layout")
        extents = self.extents(tensor, dims)
        offset = self.constant(0)
        stride: list[SSAValue] = [self.constant(element)]
        for index, extent in reversed(list(zip(indices, extents, strict=True))):
            offset = self.sum(offset, self.product([index, *stride]))
            stride = [self.product([extent, *stride])]
        return offset

    def extents(self, type: TensorType[Attribute], dims: Sequence[SSAValue]) -> list[SSAValue]:
        """All dimensions of a tensor as values."""
        dynamic = iter(dims)
        return [
            next(dynamic) if dim == DYNAMIC_INDEX else self.constant(dim)
            for dim in type.get_shape()
        ]


Handler = Callable[[Lowering, Any], None]
"""Converts one op; its results go into `Lowering.resources` or replace the op's uses."""
