"""The linalg dialect with more named ops, mixed element types and short forms.

xDSL builds the region that a named op hides only for operands of one element type, and has few
named ops. `linalg.elementwise` is read in generic form only.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnregisteredOp,
    i64,
)
from xdsl.dialects.linalg import Linalg as XdslLinalg
from xdsl.dialects.linalg import ops
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..format import parse_list
from ..format_symbols import parse_region_arguments
from ..shapes import element_type_of
from .extension import extended
from .linalg_packing import PackOp, UnpackOp
from .linalg_products import (
    BatchMatmulOp,
    BatchMatvecOp,
    BatchMmt4dOp,
    BatchReduceMatmulOp,
    BatchVecmatOp,
    ContractOp,
    DotOp,
    MatmulOp,
    MatvecOp,
    Mmt4dOp,
    VecmatOp,
)

SHAPED = base(TensorType) | base(MemRefType)
MAPS = ArrayAttr[AffineMapAttr]


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """Exponentials of a tensor, divided by their sum along one dimension."""

    name = "linalg.softmax"

    input = operand_def(SHAPED)
    output = operand_def(SHAPED)
    """Gives the shape of the result."""

    dimension = prop_def(IntegerAttr[I64])

    res = var_result_def(base(TensorType))

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` "
        "`outs` `(` $output `:` type($output) `)` (`->` type($res)^)?"
    )


def _parse_operand_list(parser: Parser, keyword: str) -> list[SSAValue]:
    """Parses `keyword(%a, %b : type, type)`."""
    parser.parse_keyword(keyword)
    return _parse_operands(parser)


def _parse_operands(parser: Parser) -> list[SSAValue]:
    """Parses `(%a, %b : type, type)`."""
    with parser.in_parens():
        operands = parse_list(parser, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        types = parse_list(parser, parser.parse_type)
        return list(parser.resolve_operands(operands, types, parser.pos))


def _print_operand_list(printer: Printer, keyword: str, operands: Sequence[SSAValue]) -> None:
    """Prints ` keyword(%a, %b : type, type)`."""
    printer.print_string(f" {keyword}(")
    printer.print_list(operands, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([operand.type for operand in operands], printer.print_attribute)
    printer.print_string(")")


def _parse_payload(parser: Parser) -> type[Operation] | None:
    """Parses `{ dialect.op }`, the short form of a body of one op; None where there is none."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    start = parser.pos
    name = parser.parse_identifier()
    op = parser.ctx.get_optional_op(name)
    if op is None or issubclass(op, UnregisteredOp):
        parser.raise_error(f"unknown op '{name}' as body; write the body out", start, parser.pos)
    parser.parse_punctuation("}")
    return op


def _payload_region(op_type: type[Operation], block: Block, operands: Sequence[SSAValue]) -> Region:
    """The body that applies one op to `operands` among the arguments of `block`."""
    op = op_type.create(operands=operands, result_types=[block.args[-1].type])
    block.add_ops([op, YieldOp(op.results[0])])
    return Region(block)


def _iterator_types(parser: Parser, kinds: Attribute) -> Attribute:
    """The kinds of loops, which may be written as strings."""
    if not isa(kinds, ArrayAttr[StringAttr]):
        return kinds
    unknown = [kind.data for kind in kinds if kind.data not in list(IteratorType)]
    if unknown:
        known = ", ".join(IteratorType)
        parser.raise_error(f"expected iterator types among {known}, got {unknown[0]}")
    return ArrayAttr(IteratorTypeAttr(IteratorType(kind.data)) for kind in kinds)


class GenericOp(ops.GenericOp):
    """Any number of results: xDSL reads `-> (type, type)` as the start of a function type."""

    @classmethod
    def parse(cls, parser: Parser) -> "GenericOp":
        """Parses `{maps, iterators} ins(…) outs(…) attrs = {…} {body} -> type` or `(types)`."""
        traits = dict(parser.parse_optional_attr_dict())
        missing = [name for name in ("indexing_maps", "iterator_types") if name not in traits]
        if missing:
            parser.raise_error(f"expected {' and '.join(missing)} in front of the operands")
        traits["iterator_types"] = _iterator_types(parser, traits["iterator_types"])
        operands: list[list[SSAValue]] = []
        for keyword in ("ins", "outs"):
            present = parser.parse_optional_keyword(keyword) is not None
            operands.append(_parse_operands(parser) if present else [])
        attributes: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            attributes = dict(parser.parse_optional_attr_dict())
        body = parser.parse_region()
        results: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->") is not None:
            several = parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_type
            )
            results = parse_list(parser, parser.parse_type) if several is None else several
        names = cls.get_irdl_definition().properties
        return cls.build(
            operands=operands,
            result_types=[results],
            properties={name: value for name, value in traits.items() if name in names},
            attributes={k: v for k, v in traits.items() if k not in names} | attributes,
            regions=[body],
        )


class FillOp(ops.FillOp):
    """One number everywhere; xDSL's takes no complex ones."""

    @staticmethod
    def body_arg_types(operands: Sequence[SSAValue]) -> Sequence[Attribute]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The element types of the operands."""
        return [element_type_of(operand.type) for operand in operands]

    def verify_(self) -> None:
        """What fills is a number."""
        for value in self.inputs:
            if not isinstance(value.type, AnyFloat | IntegerType | ComplexType | IndexType):
                raise VerifyException(f"expected a number to fill with, got {value.type}")


class ReduceOp(ops.ReduceOp):
    """Combines the elements of a tensor along dimensions by a region.

    Of one input: MLIR's reductions of several inputs at once are not read.
    """

    @classmethod
    def parse(cls, parser: Parser) -> "ReduceOp":
        """Parses `{ op } ins(…) outs(…) dimensions = […] {attributes} (arguments) {body}`.

        There is either an op in front or a body behind.
        """
        payload = _parse_payload(parser)
        (input,), (init,) = (
            _one(parser, _parse_operand_list(parser, keyword)) for keyword in ("ins", "outs")
        )
        parser.parse_keyword("dimensions")
        parser.parse_punctuation("=")
        dimensions = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            region = parser.parse_region(parse_region_arguments(parser))
        else:
            types = [element_type_of(value.type) for value in (input, init)]
            block = Block(arg_types=types)
            region = _payload_region(payload, block, (block.args[1], block.args[0]))
        op = cls(input, init, DenseArrayBase.from_list(i64, dimensions), region)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        """Prints the form with a body."""
        _print_operand_list(printer, "ins", [self.input])
        _print_operand_list(printer, "outs", [self.init])
        dimensions = ", ".join(map(str, self.dimensions.get_values()))
        printer.print_string(f" dimensions = [{dimensions}]")
        printer.print_op_attributes(self.attributes)
        _print_body(printer, self.region)


def _one(parser: Parser, values: list[SSAValue]) -> list[SSAValue]:
    """Refuses several inputs."""
    if len(values) != 1:
        parser.raise_error(f"expected a reduction of one input, got {len(values)}")
    return values


def _print_body(printer: Printer, region: Region) -> None:
    """Prints ` (arguments) {body}`."""
    printer.print_string(" (")
    printer.print_list(region.block.args, printer.print_block_argument)
    printer.print_string(") ")
    printer.print_region(region, print_entry_block_args=False)


@irdl_op_definition
class MapOp(IRDLOperation):
    """Computes each element of a tensor from those of the inputs at the same place."""

    name = "linalg.map"

    inputs = var_operand_def(SHAPED)
    init = operand_def(SHAPED)
    """Gives the shape of the result."""

    mapper = region_def("single_block")
    """Takes an element of each input and of `init`."""

    res = var_result_def(base(TensorType))

    @classmethod
    def parse(cls, parser: Parser) -> "MapOp":
        """Parses `{ op } ins(…) outs(…) {attributes} (arguments) {body}`.

        There is either an op in front or a body behind.
        """
        payload = _parse_payload(parser)
        inputs = _parse_operand_list(parser, "ins")
        (init,) = _one(parser, _parse_operand_list(parser, "outs"))
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            mapper = parser.parse_region(parse_region_arguments(parser))
        else:
            block = Block(arg_types=[element_type_of(v.type) for v in (*inputs, init)])
            mapper = _payload_region(payload, block, block.args[:-1])
        results: list[Attribute] = [init.type] if init.type.name == "tensor" else []
        return cls.build(
            operands=[inputs, init],
            attributes=attributes,
            regions=[mapper],
            result_types=[results],
        )

    def print(self, printer: Printer) -> None:
        """Prints the form with a body."""
        _print_operand_list(printer, "ins", self.inputs)
        _print_operand_list(printer, "outs", [self.init])
        printer.print_op_attributes(self.attributes)
        _print_body(printer, self.mapper)


Linalg = extended(
    XdslLinalg,
    [
        BatchMatmulOp,
        BatchMatvecOp,
        BatchMmt4dOp,
        BatchReduceMatmulOp,
        BatchVecmatOp,
        ContractOp,
        DotOp,
        FillOp,
        GenericOp,
        MapOp,
        MatmulOp,
        MatvecOp,
        Mmt4dOp,
        PackOp,
        ReduceOp,
        SoftmaxOp,
        UnpackOp,
        VecmatOp,
    ],
)
