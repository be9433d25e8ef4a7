"""Collective communication between participants, and parameters kept outside of the program."""

from typing import ClassVar

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..format import StoredShapedTiedResult
from ..format_symbols import ParameterReference
from ..shapes import verify_dynamic_dims
from ..util.types import BufferType
from .types import ChannelType

INDEX = IndexType()
RANKED = base(TensorType)
CHANNEL = ChannelType()
BUFFER = BufferType()

ELEMENT_TYPES = (
    "si8", "ui8", "si16", "ui16", "si32", "ui32", "si64", "ui64", "f16", "f32", "f64", "bf16",
)  # fmt: skip
"""Keywords of `CollectiveElementType`, by number."""
REDUCTIONS = ("none", "sum", "product", "minimum", "maximum", "average")
"""Keywords of `CollectiveReductionOp`, by number."""


class _EnumKeyword(CustomDirective):
    """A number written as a keyword."""

    KEYWORDS: ClassVar[tuple[str, ...]]

    def _variable(self) -> AttributeVariable:
        (name,) = self.parameters
        return getattr(self, name)

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        start = parser.pos
        keyword = parser.parse_identifier()
        if keyword not in self.KEYWORDS:
            parser.raise_error(
                f"expected one of {', '.join(self.KEYWORDS)}, got {keyword}", start, parser.pos
            )
        self._variable().set(state, IntegerAttr(self.KEYWORDS.index(keyword), i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        number = self._variable().get(op)
        assert isinstance(number, IntegerAttr)
        printer.print_string(self.KEYWORDS[number.value.data])


@irdl_custom_directive
class ElementTypeKeyword(_EnumKeyword):
    """`f32` and the like."""

    KEYWORDS: ClassVar = ELEMENT_TYPES

    element_type: AttributeVariable


@irdl_custom_directive
class ReductionKeyword(_EnumKeyword):
    """`sum` and the like."""

    KEYWORDS: ClassVar = REDUCTIONS

    reduction_op: AttributeVariable


def _verify_number(what: str, number: IntegerAttr[I32], keywords: tuple[str, ...]) -> None:
    """A number has a keyword."""
    if not 0 <= number.value.data < len(keywords):
        raise VerifyException(
            f"expected {what} between 0 and {len(keywords) - 1}, got {number.value.data}"
        )


@irdl_op_definition
class ChannelDefaultOp(IRDLOperation):
    """The channel that the host sets up for all participants, or for a named group."""

    name = "flow.channel.default"

    group = opt_prop_def(StringAttr)

    result = result_def(CHANNEL)

    traits = traits_def(Pure())

    assembly_format = "($group^)? `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class ChannelSplitOp(IRDLOperation):
    """A channel among those participants that give the same color."""

    name = "flow.channel.split"

    channel = operand_def(CHANNEL)
    color = operand_def(INDEX)
    """Which of the new channels this participant joins."""
    key = operand_def(INDEX)
    """Orders the participants of the new channel."""

    result = result_def(CHANNEL)

    assembly_format = (
        "$channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword"
    )


class _ChannelQueryOp(IRDLOperation):
    """A property of a channel."""

    channel = operand_def(CHANNEL)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$channel `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class ChannelRankOp(_ChannelQueryOp):
    """Which participant this is."""

    name = "flow.channel.rank"


@irdl_op_definition
class ChannelCountOp(_ChannelQueryOp):
    """How many participants there are."""

    name = "flow.channel.count"


class _CollectiveOp(IRDLOperation):
    """Exchanges elements of a source with all participants into a target."""

    T: ClassVar = VarConstraint("T", RANKED)

    target = operand_def(T)
    target_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the target."""
    source = operand_def(RANKED)
    channel = operand_def(CHANNEL)

    element_type = prop_def(IntegerAttr[I32])
    """How elements are transmitted, as a number of `ELEMENT_TYPES`."""
    tied_operands = opt_prop_def(ArrayAttr[IntegerAttr[IndexType]])
    """The result is tied to the target."""

    result = result_def(T)

    custom_directives = (ElementTypeKeyword, StoredShapedTiedResult)
    traits = traits_def(TiedResults("target"))

    assembly_format = (
        "custom<ElementTypeKeyword>($element_type) `,` $target `,` $source `,` $channel `:` "
        "`(` type($target) `,` type($source) `,` type($channel) `)` `->` "
        "custom<StoredShapedTiedResult>(type($result), $target_dims, $tied_operands) "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and enumerations are known."""
        _verify_number("an element type", self.element_type, ELEMENT_TYPES)
        verify_dynamic_dims("the target", [self.target], self.target_dims)


@irdl_op_definition
class CollectiveAllGatherOp(_CollectiveOp):
    """The sources of all participants, one after the other."""

    name = "flow.collective.all_gather"


@irdl_op_definition
class CollectiveAllToAllOp(_CollectiveOp):
    """Slice i of each participant's source goes to participant i."""

    name = "flow.collective.all_to_all"


class _CollectiveReductionOp(_CollectiveOp):
    """Reduces elements of the sources of all participants."""

    reduction_op = prop_def(IntegerAttr[I32])
    """How to combine elements, as a number of `REDUCTIONS`."""

    custom_directives = (ReductionKeyword, ElementTypeKeyword, StoredShapedTiedResult)

    assembly_format = (
        "custom<ReductionKeyword>($reduction_op) `,` custom<ElementTypeKeyword>($element_type) "
        "`,` $target `,` $source `,` $channel `:` "
        "`(` type($target) `,` type($source) `,` type($channel) `)` `->` "
        "custom<StoredShapedTiedResult>(type($result), $target_dims, $tied_operands) "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and enumerations are known."""
        super().verify_()
        _verify_number("a reduction", self.reduction_op, REDUCTIONS)


@irdl_op_definition
class CollectiveAllReduceOp(_CollectiveReductionOp):
    """The sources of all participants combined, for all."""

    name = "flow.collective.all_reduce"


@irdl_op_definition
class CollectiveReduceScatterOp(_CollectiveReductionOp):
    """The sources of all participants combined, a slice for each."""

    name = "flow.collective.reduce_scatter"


@irdl_op_definition
class CollectiveSendRecvOp(_CollectiveOp):
    """Sends the source to one participant and receives the target from another."""

    name = "flow.collective.send_recv"

    send = operand_def(INDEX)
    """The participant to send to; -1 for none."""
    recv = operand_def(INDEX)
    """The participant to receive from; -1 for none."""

    assembly_format = (
        "custom<ElementTypeKeyword>($element_type) `,` $target `,` $source `,` $channel `,` "
        "$send `,` $recv `:` `(` type($target) `,` type($source) `,` type($channel) `,` "
        "type($send) `,` type($recv) `)` `->` "
        "custom<StoredShapedTiedResult>(type($result), $target_dims, $tied_operands) "
        "attr-dict-with-keyword"
    )


@irdl_op_definition
class ParameterLoadOp(IRDLOperation):
    """A tensor from a parameter archive."""

    name = "flow.parameter.load"

    source_scope = opt_operand_def(BUFFER)
    """Which archive; the default one where there is none."""
    source_key = operand_def(BUFFER)
    """The name of the parameter."""
    source_offset = operand_def(i64)
    """In bytes from the start of the parameter."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ParameterReference,)
    traits = traits_def(Pure())

    assembly_format = (
        "custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]` `:` "
        "type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"
    )


@irdl_op_definition
class ParameterWriteOp(IRDLOperation):
    """Writes a tensor to a parameter archive and hands it on."""

    name = "flow.parameter.write"

    T: ClassVar = VarConstraint("T", RANKED)

    source = operand_def(T)
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    target_scope = opt_operand_def(BUFFER)
    """Which archive; the default one where there is none."""
    target_key = operand_def(BUFFER)
    """The name of the parameter."""
    target_offset = operand_def(i64)
    """In bytes from the start of the parameter."""

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ParameterReference,)
    traits = traits_def(TiedResults("source"))

    assembly_format = (
        "$source `->` custom<ParameterReference>($target_scope, $target_key) `` "
        "`[` $target_offset `]` `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword"
    )
