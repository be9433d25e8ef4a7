"""The scf dialect with `scf.forall`, and with the attributes that xDSL drops."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    i1,
    i64,
)
from xdsl.dialects.utils import (
    parse_assignment,
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    ensure_terminator,
)
from xdsl.utils.exceptions import VerifyException

from .extension import extended

INDEX = IndexType()
I64_ARRAY = DenseArrayBase.constr(i64)


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    """Parses `(type, …)`, or one type as it is."""
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if types is None else types


class ExecuteRegionOp(scf.ExecuteRegionOp):
    """Runs a region of any shape once."""

    @classmethod
    def parse(cls, parser: Parser) -> "ExecuteRegionOp":
        """Parses `-> types {body} {attributes}`."""
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->") is not None:
            types = _parse_types(parser)
        body = parser.parse_region()
        return cls.create(
            result_types=types, regions=[body], attributes=parser.parse_optional_attr_dict()
        )

    def print(self, printer: Printer) -> None:
        """Prints what `parse` parses."""
        if self.results:
            printer.print_string(" -> ")
            if len(self.results) == 1:
                printer.print_attribute(self.results[0].type)
            else:
                with printer.in_parens():
                    printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.regions[0])
        printer.print_op_attributes(self.attributes)


class IfOp(scf.IfOp):
    """Runs one of two regions; `scf.yield` is left out where there are no results."""

    @classmethod
    def parse(cls, parser: Parser) -> "IfOp":
        """Parses as xDSL does, and a single result type without parentheses."""
        condition = parser.parse_operand(i1)
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->") is not None:
            types = _parse_types(parser)
        then = cls.parse_region_with_yield(parser)
        has_else = parser.parse_optional_keyword("else") is not None
        otherwise = cls.parse_region_with_yield(parser) if has_else else Region()
        return cls(condition, types, then, otherwise, parser.parse_optional_attr_dict())

    @staticmethod
    def parse_region_with_yield(parser: Parser) -> Region:
        """Parses a region and ends it; an op that nobody knows does not end it."""
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        last = region.blocks[-1].last_op
        if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
            region.blocks[-1].add_op(scf.YieldOp())
        return region


class ForOp(scf.ForOp):
    """Counts upwards; `scf.yield` is left out where nothing is carried."""

    @classmethod
    def parse(cls, parser: Parser) -> "ForOp":
        """Parses as xDSL does, and a single result type without parentheses."""
        counter = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        bounds = [parser.parse_unresolved_operand()]
        for keyword in ("to", "step"):
            parser.parse_keyword(keyword)
            bounds.append(parser.parse_unresolved_operand())
        pos = parser.pos
        pairs: Sequence[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = ()
        types: Sequence[Attribute] = ()
        if parser.parse_optional_keyword("iter_args") is not None:
            pairs = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parse_assignment(parser)
            )
            parser.parse_punctuation("->")
            types = _parse_types(parser)
        carried = parser.resolve_operands([initial for _, initial in pairs], types, pos)
        kind = INDEX if parser.parse_optional_punctuation(":") is None else parser.parse_type()
        first, last, step = (parser.resolve_operand(bound, kind) for bound in bounds)
        inner = (argument.resolve(type) for (argument, _), type in zip(pairs, types, strict=True))
        body = parser.parse_region([counter.resolve(kind), *inner])
        op = cls(first, last, step, carried, body)
        op.attributes |= parser.parse_optional_attr_dict()
        if not carried:
            for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
                ensure_terminator(op, trait)
        return op


class IndexSwitchOp(scf.IndexSwitchOp):
    """Runs the region of a case; `scf.yield` is left out where there are no results."""

    @classmethod
    def parse(cls, parser: Parser) -> "IndexSwitchOp":
        """Parses as xDSL does, and ends each region."""
        op = super().parse(parser)
        for region in op.regions:
            if not region.blocks:
                region.add_block(Block())
            if region.block.last_op is None and not op.results:
                region.block.add_op(scf.YieldOp())
        return op


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """What each thread of an `scf.forall` gives to the shared tensors."""

    name = "scf.forall.in_parallel"

    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (IsTerminator(), NoTerminator(), HasParent(ForallOp)))

    assembly_format = "$body attr-dict"


Bounds = tuple[Sequence[UnresolvedOperand], Sequence[int]]
"""Values for dynamic bounds, and all bounds with a mark for those."""


def _parse_bounds(parser: Parser) -> Bounds:
    """Parses `(4, %n)`."""
    return parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
    )


@irdl_op_definition
class ForallOp(IRDLOperation):
    """Runs a body for each point of a box, in any order or at once.

    ```mlir
    %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) { … }
    scf.forall (%i, %j) = (0, 1) to (%n, 8) step (1, 2) { … }
    ```
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(INDEX)
    dynamic_upper_bound = var_operand_def(INDEX)
    dynamic_step = var_operand_def(INDEX)
    outputs = var_operand_def(base(TensorType))
    """Tensors that all threads write parts of."""

    static_lower_bound = prop_def(I64_ARRAY, prop_name="staticLowerBound")
    static_upper_bound = prop_def(I64_ARRAY, prop_name="staticUpperBound")
    static_step = prop_def(I64_ARRAY, prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr[Attribute])
    """What runs each dimension."""

    body = region_def("single_block")
    """Takes an index for each dimension, then the shared tensors."""

    res = var_result_def(base(TensorType))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> "ForallOp":
        """Parses what the examples above show; attributes follow the body."""
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        arguments = [name.resolve(INDEX) for name in names]
        zeros, ones = ((), [0] * len(names)), ((), [1] * len(names))
        if parser.parse_optional_keyword("in") is not None:
            bounds: list[Bounds] = [zeros, _parse_bounds(parser), ones]
        else:
            parser.parse_punctuation("=")
            bounds = [_parse_bounds(parser)]
            for keyword in ("to", "step"):
                parser.parse_keyword(keyword)
                bounds.append(_parse_bounds(parser))
        outputs, types = cls._parse_outputs(parser, arguments)
        body = parser.parse_region(arguments)
        _terminate(body)
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {
            name: DenseArrayBase.from_list(i64, list(static))
            for name, (_, static) in zip(
                ("staticLowerBound", "staticUpperBound", "staticStep"), bounds, strict=True
            )
        }
        if "mapping" in attributes:
            properties["mapping"] = attributes.pop("mapping")
        operands = [
            [parser.resolve_operand(value, INDEX) for value in values] for values, _ in bounds
        ]
        return cls.build(
            operands=[*operands, outputs],
            properties=properties,
            attributes=attributes,
            regions=[body],
            result_types=[types],
        )

    @staticmethod
    def _parse_outputs(
        parser: Parser, arguments: list[Parser.Argument]
    ) -> tuple[list[SSAValue], list[Attribute]]:
        """Parses `shared_outs(%o = %t) -> (type)`, or nothing, and adds to the arguments."""
        if parser.parse_optional_keyword("shared_outs") is None:
            return [], []

        def parse_assignment() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            return argument, parser.parse_unresolved_operand()

        pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_assignment)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        values = parser.resolve_operands([value for _, value in pairs], types, parser.pos)
        arguments.extend(
            argument.resolve(type) for (argument, _), type in zip(pairs, types, strict=True)
        )
        return list(values), list(types)

    def print(self, printer: Printer) -> None:
        """Prints what `parse` parses."""
        rank = len(self.static_upper_bound.get_values())
        indices, shared = self.body.block.args[:rank], self.body.block.args[rank:]
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(indices, printer.print_ssa_value)
        lower, upper, step = (
            (tuple(dynamic), tuple(static.get_values()))
            for dynamic, static in (
                (self.dynamic_lower_bound, self.static_lower_bound),
                (self.dynamic_upper_bound, self.static_upper_bound),
                (self.dynamic_step, self.static_step),
            )
        )
        plain = not any(lower[1]) and all(entry == 1 for entry in step[1])
        parts = [(" in ", upper)] if plain else [(" = ", lower), (" to ", upper), (" step ", step)]
        for keyword, (dynamic, static) in parts:
            printer.print_string(keyword)
            print_dynamic_index_list(
                printer, DYNAMIC_INDEX, dynamic, static, delimiter=Parser.Delimiter.PAREN
            )
        if shared:
            self._print_outputs(printer, shared)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        attributes = dict(self.attributes)
        if self.mapping is not None:
            attributes["mapping"] = self.mapping
        printer.print_op_attributes(attributes)

    def _print_outputs(self, printer: Printer, shared: Sequence[SSAValue]) -> None:
        printer.print_string(" shared_outs(")
        for index, (argument, value) in enumerate(zip(shared, self.outputs, strict=True)):
            printer.print_string(", " if index else "")
            printer.print_ssa_value(argument)
            printer.print_string(" = ")
            printer.print_ssa_value(value)
        printer.print_string(") -> ")
        with printer.in_parens():
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        """Bounds are of one rank; the body takes indices and shared tensors."""
        rank = len(self.static_upper_bound.get_values())
        for bound in (self.static_lower_bound, self.static_step):
            if len(bound.get_values()) != rank:
                raise VerifyException(
                    f"expected {rank} bounds and steps, got {len(bound.get_values())}"
                )
        expected = (*[cast(Attribute, INDEX)] * rank, *self.outputs.types)
        if self.body.block.arg_types != expected:
            raise VerifyException(
                f"expected a body that takes ({', '.join(map(str, expected))}), "
                f"got ({', '.join(map(str, self.body.block.arg_types))})"
            )
        if not isinstance(self.body.block.last_op, InParallelOp):
            raise VerifyException("expected a body that ends with scf.forall.in_parallel")


def _terminate(body: Region) -> None:
    """Adds the terminator that may be left out where nothing is shared."""
    if not isinstance(body.block.last_op, InParallelOp):
        body.block.add_op(InParallelOp(regions=[Region(Block())]))


Scf = extended(scf.Scf, [ExecuteRegionOp, ForallOp, ForOp, IfOp, InParallelOp, IndexSwitchOp])
