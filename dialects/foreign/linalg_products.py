"""Named ops of the linalg dialect that are sums of products, of operands of any element types.

xDSL builds the region that a named op hides only for operands of one element type.
"""

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    IntegerType,
    MemRefType,
    TensorType,
)
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..shapes import element_type_of

SHAPED = base(TensorType) | base(MemRefType)
MAPS = ArrayAttr[AffineMapAttr]


def _widened(block: Block, value: SSAValue, target: Attribute, unsigned: bool) -> SSAValue:
    """`value` as the wider type `target`, by an op at the end of `block` where they differ."""
    source = value.type
    if source == target:
        return value
    op: Operation
    if isinstance(source, AnyFloat) and isinstance(target, AnyFloat):
        op = arith.ExtFOp(value, target)
    elif isinstance(source, IntegerType) and isinstance(target, IntegerType):
        extend = arith.ExtUIOp if unsigned else arith.ExtSIOp
        op = extend(value, cast(IntegerType, target))
    else:
        raise ValueError(f"no widening of {source} to {target}")
    block.add_op(op)
    return op.results[0]


def multiply_add_region(types: Sequence[Attribute], unsigned: bool = False) -> Region:
    """`out + lhs * rhs` on elements of `types`: of both inputs and the output.

    Integers are widened with their sign, or as `unsigned` ones.

    Raises:
        ValueError: for types that are not widened to that of the output.
    """
    block = Block(arg_types=types)
    lhs, rhs, out = block.args
    left = _widened(block, lhs, out.type, unsigned)
    right = _widened(block, rhs, out.type, unsigned)
    if isinstance(out.type, AnyFloat):
        product: Operation = arith.MulfOp(left, right)
        total: Operation = arith.AddfOp(out, product)
    elif isinstance(out.type, ComplexType):
        product = complex_.MulOp(left, right)
        total = complex_.AddOp(out, product.results[0])
    elif isinstance(out.type, IntegerType):
        product = arith.MuliOp(left, right)
        total = arith.AddiOp(out, product)
    else:
        raise ValueError(f"no product of {out.type}")
    block.add_ops([product, total, YieldOp(total.results[0])])
    return Region(block)


class _ContractionOp(NamedOperation):
    """A sum of products; `LOOPS` and `INDICES` say over which elements."""

    PRINT_ATTRS_IN_FRONT: ClassVar[bool] = True
    LOOPS: ClassVar[str]
    """A letter for each loop: `i` for a parallel one, `k` for one that is summed over."""
    INDICES: ClassVar[tuple[tuple[int, ...], ...]]
    """The loops that index both inputs and the output."""

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        """The region on elements of the operands."""
        return multiply_add_region([element_type_of(value.type) for value in (*inputs, *outputs)])

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        """The maps that `INDICES` says."""
        loops = [AffineExpr.dimension(loop) for loop in range(len(self.LOOPS))]
        return tuple(
            AffineMap(len(loops), 0, tuple(loops[loop] for loop in indices))
            for indices in self.INDICES
        )

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Which loops are parallel, which are summed over."""
        kinds = {"i": IteratorTypeAttr.parallel, "k": IteratorTypeAttr.reduction}
        return ArrayAttr(kinds[loop]() for loop in self.LOOPS)


class _MatrixProductOp(_ContractionOp):
    """A product of matrices that may be transposed and of unsigned integers."""

    @classmethod
    def parse(cls, parser: Parser) -> "_MatrixProductOp":
        """Parses `indexing_maps = […] {attributes} ins(…) outs(…) -> type`."""
        maps: Attribute | None = None
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            maps = parser.parse_attribute()
        op = cast(_MatrixProductOp, super().parse(parser))  # pyright: ignore[reportUnknownMemberType]
        if maps is not None:
            op.properties["indexing_maps"] = maps
        if "cast_unsigned" in str(op.properties.get("cast", "")):
            types = [element_type_of(operand.type) for operand in op.operands]
            op.detach_region(op.body)
            op.add_region(multiply_add_region(types, unsigned=True))
        return op

    def print(self, printer: Printer) -> None:
        """Prints what `parse` parses; maps only where they are not the usual ones."""
        maps = self.properties.get("indexing_maps")
        usual = ArrayAttr(AffineMapAttr(map) for map in self.get_default_indexing_maps())
        if maps not in (None, usual):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
        super().print(printer)  # pyright: ignore[reportUnknownMemberType]

    def get_indexing_maps(self) -> MAPS:
        """The maps stated, else the usual ones."""
        maps = self.properties.get("indexing_maps")
        return super().get_indexing_maps() if maps is None else cast(MAPS, maps)


@irdl_op_definition
class BatchMatmulOp(_MatrixProductOp):
    """Products of matrices, one for each of a batch."""

    name = "linalg.batch_matmul"

    LOOPS: ClassVar = "iiik"
    INDICES: ClassVar = ((0, 1, 3), (0, 3, 2), (0, 1, 2))

    indexing_maps = opt_prop_def(MAPS)
    cast = opt_prop_def()
    """Whether integers are widened as unsigned ones."""


@irdl_op_definition
class MatmulOp(_MatrixProductOp):
    """The product of two matrices, or with other indexing maps of their transposes."""

    name = "linalg.matmul"

    LOOPS: ClassVar = "iik"
    INDICES: ClassVar = ((0, 2), (2, 1), (0, 1))

    indexing_maps = opt_prop_def(MAPS)
    cast = opt_prop_def()
    """Whether integers are widened as unsigned ones."""


@irdl_op_definition
class ContractOp(_MatrixProductOp):
    """A sum of products by its own maps; loops that the output lacks are summed over."""

    name = "linalg.contract"

    indexing_maps = prop_def(MAPS)
    cast = opt_prop_def()
    """Whether integers are widened as unsigned ones."""

    @classmethod
    def parse(cls, parser: Parser) -> "ContractOp":
        """Parses `indexing_maps = […] {attributes} ins(…) outs(…) -> type`."""
        start = parser.pos
        op = super().parse(parser)
        if "indexing_maps" not in op.properties:
            parser.raise_error("expected 'indexing_maps = [...]' first", start, start)
        assert isinstance(op, ContractOp)
        return op

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        """None: there are no usual ones."""
        return ()

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Loops that index the output are parallel."""
        output = self.indexing_maps.data[-1].data
        kinds = (IteratorTypeAttr.reduction, IteratorTypeAttr.parallel)
        used = output.used_dims()
        return ArrayAttr(kinds[loop in used]() for loop in range(output.num_dims))


@irdl_op_definition
class BatchMatvecOp(_ContractionOp):
    """Products of a matrix and a vector, one for each of a batch."""

    name = "linalg.batch_matvec"

    LOOPS: ClassVar = "iik"
    INDICES: ClassVar = ((0, 1, 2), (0, 2), (0, 1))


@irdl_op_definition
class BatchVecmatOp(_ContractionOp):
    """Products of a vector and a matrix, one for each of a batch."""

    name = "linalg.batch_vecmat"

    LOOPS: ClassVar = "iik"
    INDICES: ClassVar = ((0, 2), (0, 2, 1), (0, 1))


@irdl_op_definition
class DotOp(_ContractionOp):
    """The product of two vectors."""

    name = "linalg.dot"

    LOOPS: ClassVar = "k"
    INDICES: ClassVar = ((0,), (0,), ())


@irdl_op_definition
class BatchReduceMatmulOp(_MatrixProductOp):
    """The sum of the products of matrices of a batch."""

    name = "linalg.batch_reduce_matmul"

    LOOPS: ClassVar = "kiik"
    INDICES: ClassVar = ((0, 1, 3), (0, 3, 2), (1, 2))

    indexing_maps = opt_prop_def(MAPS)
    cast = opt_prop_def()
    """Whether integers are widened as unsigned ones."""


@irdl_op_definition
class Mmt4dOp(_ContractionOp):
    """The product of a matrix of tiles and the transpose of another."""

    name = "linalg.mmt4d"

    LOOPS: ClassVar = "iikiik"
    INDICES: ClassVar = ((0, 2, 3, 5), (1, 2, 4, 5), (0, 1, 3, 4))


@irdl_op_definition
class BatchMmt4dOp(_ContractionOp):
    """Products of matrices of tiles and the transposes of others, one for each of a batch."""

    name = "linalg.batch_mmt4d"

    LOOPS: ClassVar = "iiikiik"
    INDICES: ClassVar = ((0, 1, 3, 4, 6), (0, 2, 3, 5, 6), (0, 1, 2, 4, 5))


@irdl_op_definition
class MatvecOp(_ContractionOp):
    """The product of a matrix and a vector."""

    name = "linalg.matvec"

    LOOPS: ClassVar = "ik"
    INDICES: ClassVar = ((0, 1), (1,), (0,))


@irdl_op_definition
class VecmatOp(_ContractionOp):
    """The product of a vector and a matrix."""

    name = "linalg.vecmat"

    LOOPS: ClassVar = "ik"
    INDICES: ClassVar = ((1,), (1, 0), (0,))
