"""Structured ops without a written region: their maps, loops and region made from a few letters.

Named linalg ops say no more than a pattern of indices and how scalars combine. A pattern is like
einsum's, `mk,kn->mn`: one letter for each loop. Regions are built
of arith ops, so that named and generic ops take one path.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from .layout import Structured
from .types import UnsupportedTypeError, element_type, integer_width

Body = Callable[["RegionBuilder", Sequence[SSAValue]], SSAValue]
"""Makes an output's new value from the block arguments: inputs, then the output's old value."""


def destination(op: Operation) -> tuple[tuple[SSAValue, ...], tuple[SSAValue, ...]]:
    """Inputs and outputs of a destination-style op on tensors: one output for each result."""
    count = len(op.operands) - len(op.results)
    return tuple(op.operands[:count]), tuple(op.operands[count:])


@dataclass(frozen=True, slots=True)
class RegionBuilder:
    """Builds the region of a named op from arith ops."""

    block: Block
    unsigned: bool = False
    """Whether integers are widened without sign."""

    def add_op(self, op: Operation) -> SSAValue:
        """Append `op`; gives its result."""
        self.block.add_op(op)
        return op.results[0]

    def binary(self, kinds: "Kinds", left: SSAValue, right: SSAValue) -> SSAValue:
        """The op of `kinds` that the operands' type asks for."""
        return self.add_op(kinds.of(left.type)(left, right))

    def cast(self, value: SSAValue, target: Attribute) -> SSAValue:
        """`value` as `target`: integers widened or narrowed, floats likewise."""
        source = value.type
        if source == target:
            return value
        bits, wanted = integer_width(source), integer_width(target)
        if bits is not None and wanted is not None:
            extend = arith.ExtUIOp if self.unsigned else arith.ExtSIOp
            kind = cast(IntegerType, target)
            return self.add_op((extend if wanted > bits else arith.TruncIOp)(value, kind))
        if bits is not None and isinstance(target, AnyFloat):
            convert = arith.UIToFPOp if self.unsigned else arith.SIToFPOp
            return self.add_op(convert(value, target))
        if isinstance(source, AnyFloat) and wanted is not None:
            convert = arith.FPToUIOp if self.unsigned else arith.FPToSIOp
            return self.add_op(convert(value, cast(IntegerType, target)))
        if isinstance(source, AnyFloat) and isinstance(target, AnyFloat):
            wider = target.bitwidth > source.bitwidth
            return self.add_op((arith.ExtFOp if wider else arith.TruncFOp)(value, target))
        raise UnsupportedTypeError(f"cannot cast {source} to {target}")


@dataclass(frozen=True, slots=True)
class Kinds:
    """One arithmetic operation for each kind of number."""

    floating: Callable[..., Operation] | None
    integer: Callable[..., Operation] | None
    complex: Callable[..., Operation] | None = None

    def of(self, type_: Attribute) -> Callable[..., Operation]:
        """The op for numbers of `type_`."""
        if isinstance(type_, ComplexType):
            made = self.complex
        elif isinstance(type_, IntegerType | IndexType):
            made = self.integer
        else:
            made = self.floating
        if made is None:
            raise UnsupportedTypeError(f"has no meaning here on {type_}")
        return made


ADD = Kinds(arith.AddfOp, arith.AddiOp, complex_dialect.AddOp)
SUB = Kinds(arith.SubfOp, arith.SubiOp, complex_dialect.SubOp)
MUL = Kinds(arith.MulfOp, arith.MuliOp, complex_dialect.MulOp)
DIV = Kinds(arith.DivfOp, arith.DivSIOp, complex_dialect.DivOp)
DIV_UNSIGNED = Kinds(None, arith.DivUIOp)
MAX = Kinds(arith.MaximumfOp, arith.MaxSIOp)
MIN = Kinds(arith.MinimumfOp, arith.MinSIOp)
MAX_UNSIGNED = Kinds(arith.MaximumfOp, arith.MaxUIOp)
MIN_UNSIGNED = Kinds(arith.MinimumfOp, arith.MinUIOp)


def multiply_accumulate(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    """`out + a * b`, in the output's type."""
    a, b, out = values
    product = build.binary(MUL, build.cast(a, out.type), build.cast(b, out.type))
    return build.binary(ADD, out, product)


def quantized_multiply_accumulate(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    """`out + (a - a_zero) * (b - b_zero)`, in the output's type."""
    a, b, a_zero, b_zero, out = (
        value if value is values[-1] else build.cast(value, values[-1].type) for value in values
    )
    left, right = build.binary(SUB, a, a_zero), build.binary(SUB, b, b_zero)
    return build.binary(ADD, out, build.binary(MUL, left, right))


def combining(kinds: Kinds) -> Body:
    """`kinds(out, first input)`, in the output's type."""

    def body(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
        out = values[-1]
        return build.binary(kinds, out, build.cast(values[0], out.type))

    return body


def letter_maps(
    operands: Sequence[str],
) -> tuple[list[str], tuple[AffineMap, ...], tuple[bool, ...]]:
    """Loops by letter, maps and parallel loops of operands given by letters, the output last.

    Loops are the output's letters in order, then the others in order of appearance, from the
    second operand on first (which has the summed loops of convolutions in order).
    """
    *inputs, output = operands
    ordered = dict.fromkeys((*output, *"".join((*inputs[1:], *inputs[:1]))))
    place = {letter: AffineDimExpr(at) for at, letter in enumerate(ordered)}
    maps = tuple(
        AffineMap(len(ordered), 0, tuple(place[letter] for letter in operand))
        for operand in operands
    )
    return list(ordered), maps, tuple(letter in output for letter in ordered)


def make_structured(
    op: Operation,
    maps: Sequence[AffineMap],
    parallel: Sequence[bool],
    body: Body,
    unsigned: bool = False,
) -> Structured:
    """The structured form of a destination-style op with one output."""
    inputs, outputs = destination(op)
    block = Block(arg_types=[element_type(value.type) for value in (*inputs, *outputs)])
    result = body(RegionBuilder(block, unsigned), block.args)
    block.add_op(YieldOp(result))
    return Structured(op, tuple(maps), tuple(parallel), inputs, outputs, block)
