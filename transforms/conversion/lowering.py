"""What the conversions share: where a tensor has gone, constants, byte sizes and offsets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects import stream
from ...dialects.diagnostics import fail
from ..analysis.affinity import Affinities
from ..build import INDEX, OpT, constant_value, make
from .sizes import Packing, static_dims

UNKNOWN = stream.ResourceType(stream.Lifetime.UNKNOWN)
EXTERNAL = stream.ResourceType(stream.Lifetime.EXTERNAL)


class Resource(NamedTuple):
    """What a tensor becomes."""

    value: SSAValue
    """`!stream.resource<*>`."""
    size: SSAValue
    """Bytes, as `index`."""


class GlobalStorage(NamedTuple):
    """What a global of a tensor becomes."""

    tensor: Attribute
    """The type it had."""
    type: stream.ResourceType
    size_global: str | None
    """The global of its size in bytes; None where the tensor's type states that."""
    affinity: Attribute | None
    """Where its storage lives."""


@dataclass(frozen=True, slots=True)
class Program:
    """What the conversions of all functions share, found before anything is changed."""

    affinities: Affinities
    carried: Mapping[tuple[Operation, int], SSAValue]
    """Op and operand number to the value that the operand becomes: an argument or a result."""
    globals: Mapping[str, GlobalStorage]


@dataclass(slots=True)
class Lowering:
    """The state of one function's conversion."""

    program: Program
    entry: Block
    """Where constants go."""
    resources: dict[SSAValue, Resource] = field(default_factory=dict[SSAValue, Resource])
    channels: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """`!flow.channel` to `!stream.channel`."""
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
        self.insert(new)
        return new

    def insert(self, new: Operation) -> None:
        """Put `new` before the current op."""
        block = self.op.parent
        assert block is not None
        block.insert_op_before(new, self.op)

    def affinity(self) -> Attribute:
        """The affinity the current op runs on; an error at the op if it has none."""
        affinity = self.program.affinities.ops.get(self.op)
        if affinity is None:
            fail(self.op, "has no affinity; set stream.affinity.default on the module")
        return affinity

    def value_affinity(self, tensor: SSAValue) -> Attribute | None:
        """Where `tensor` lives; None where nothing says so."""
        return self.program.affinities.values.get(tensor)

    def resource(self, tensor: SSAValue) -> Resource:
        """What `tensor` has become."""
        found = self.resources.get(tensor)
        if found is None:
            fail(self.op, f"uses a tensor of type {tensor.type} that nothing lowered defines")
        return found

    def resource_on(self, tensor: SSAValue, affinity: Attribute | None) -> Resource:
        """What `tensor` has become, transferred to `affinity` where it is known to live elsewhere.

        An op that states a device of its own, or a loop that starts with a value of another
        device, implies the transfer.
        """
        resource = self.resource(tensor)
        home = self.value_affinity(tensor)
        if None in (home, affinity) or home == affinity:
            return resource
        return Resource(self.transferred(resource, UNKNOWN, home, affinity), resource.size)

    def transferred(
        self,
        resource: Resource,
        type: stream.ResourceType,
        source: Attribute | None,
        target: Attribute | None,
    ) -> SSAValue:
        """`resource` under another lifetime, on another device or not."""
        return self.make(
            stream.AsyncTransferOp,
            [type],
            source=resource.value,
            source_size=resource.size,
            result_size=resource.size,
            source_affinity=source,
            target_affinity=target,
        ).result

    def sliced(
        self, source: Resource, offset: SSAValue, size: SSAValue, affinity: Attribute | None
    ) -> Resource:
        """A copy of `size` bytes of `source`, from byte `offset` on."""
        value = self.make(
            stream.AsyncSliceOp,
            [UNKNOWN],
            source=source.value,
            source_size=source.size,
            source_offset=offset,
            source_end=self.sum(offset, size),
            result_size=size,
            affinity=affinity,
        ).result
        return Resource(value, size)

    def awaited(self, timepoint: SSAValue, resource: Resource) -> Resource:
        """`resource` once `timepoint` is reached."""
        value = self.make(
            stream.TimepointAwaitOp,
            [[resource.value.type]],
            await_timepoint=timepoint,
            resource_operands=[resource.value],
            resource_operand_sizes=[resource.size],
        ).results[0]
        return Resource(value, resource.size)

    def cast(self, resource: Resource, type: stream.ResourceType) -> SSAValue:
        """`resource` under the lifetime of `type`, on the affinity of the current op."""
        return self.make(
            stream.AsyncCastOp,
            [type],
            source=resource.value,
            source_size=resource.size,
            result_size=resource.size,
            affinity=self.affinity(),
        ).result

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
        if tensor.encoding != NoneAttr():
            return self.make(
                stream.TensorSizeOfOp,
                [INDEX],
                encoding=tensor,
                encoding_dims=dims,
                affinity=self.affinity(),
            ).storage_size
        packing = Packing.of(tensor.element_type)
        if packing is None:
            fail(self.op, f"element type {tensor.element_type} has no size in bytes")
        static = prod(static_dims(tensor))
        if not dims:
            return self.constant(packing.bytes(static))
        if packing.elements == 1:
            return self.product([self.constant(static * packing.word), *dims])
        words = self.make(
            arith.CeilDivUIOp,
            [INDEX],
            lhs=self.product([self.constant(static), *dims]),
            rhs=self.constant(packing.elements),
        )
        return self.product([words.result, self.constant(packing.word)])

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
        packing = Packing.of(tensor.element_type)
        if packing is None or packing.elements != 1 or tensor.encoding != NoneAttr():
            fail(self.op, f"cannot address single elements of {tensor}")
        element = packing.word
        extents = self.extents(tensor, dims)
        offset = self.constant(0)
        stride = self.constant(element)
        for dimension in reversed(range(len(extents))):
            offset = self.sum(offset, self.product([indices[dimension], stride]))
            if dimension > 0:
                stride = self.product([extents[dimension], stride])
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
