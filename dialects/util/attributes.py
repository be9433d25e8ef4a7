"""Attributes of the util dialect: assumptions, constant bytes and inlining policies."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntAttr,
    IntegerType,
    NoneAttr,
    NoneType,
    ShapedType,
    StringAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..storage import constant_bytes, element_bits, type_bytes, word_bits


def parse_self_type(parser: AttrParser) -> Attribute:
    """Parses the `: type` after a typed attribute; `none` where it is left out."""
    if parser.parse_optional_punctuation(":") is None:
        return NoneType()
    return parser.parse_type()


def print_self_type(printer: Printer, type: Attribute) -> None:
    """Prints ` : type`, or nothing for `none`."""
    if not isinstance(type, NoneType):
        printer.print_string(" : ")
        printer.print_attribute(type)


@irdl_attr_definition
class IntAssumptionAttr(ParametrizedAttribute):
    """What may be assumed of an unsigned integer: `<umin = 1, umax = 8, udiv = 4>`."""

    name = "util.int.assumption"

    umin: IntAttr | NoneAttr
    umax: IntAttr | NoneAttr
    udiv: IntAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses the stated members in any order."""
        members: dict[str, Attribute] = dict.fromkeys(("umin", "umax", "udiv"), NoneAttr())

        def parse_member() -> None:
            name = parser.parse_identifier()
            if not isinstance(members.get(name), NoneAttr):
                parser.raise_error(f"expected each of umin, umax and udiv at most once, got {name}")
            parser.parse_punctuation("=")
            members[name] = IntAttr(parser.parse_integer(allow_negative=False))

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parse_member)
        return list(members.values())

    def print_parameters(self, printer: Printer) -> None:
        """Prints the stated members."""
        members = (("umin", self.umin), ("umax", self.umax), ("udiv", self.udiv))
        stated = [f"{name} = {v.data}" for name, v in members if isinstance(v, IntAttr)]
        printer.print_string(f"<{', '.join(stated)}>")


@irdl_attr_definition
class BytePatternAttr(TypedAttribute):
    """Storage of `type` filled with one byte: `#util.byte_pattern<5> : tensor<4xi8>`."""

    name = "util.byte_pattern"

    pattern: IntAttr
    type: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses `<pattern> : type`."""
        with parser.in_angle_brackets():
            pattern = IntAttr(parser.parse_integer())
        return [pattern, parse_self_type(parser)]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<pattern> : type`."""
        self.print_without_type(printer)
        print_self_type(printer, self.type)

    def print_without_type(self, printer: Printer) -> None:
        """Prints `<pattern>`."""
        printer.print_string(f"<{self.pattern.data}>")


@irdl_attr_definition
class ByteRangeAttr(ParametrizedAttribute):
    """A range of bytes: `<offset, length>`, read also as `<[start to end]>` and with `(`, `)`."""

    name = "util.byte_range"

    offset: IntAttr
    length: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses either spelling; bounds in `(` and `)` are moved one byte inwards."""
        with parser.in_angle_brackets():
            inclusive = parser.parse_optional_punctuation("[") is not None
            if not inclusive and parser.parse_optional_punctuation("(") is None:
                offset = parser.parse_integer()
                parser.parse_punctuation(",")
                return [IntAttr(offset), IntAttr(parser.parse_integer())]
            start = parser.parse_integer() + (0 if inclusive else 1)
            parser.parse_keyword("to")
            end = parser.parse_integer()
            if parser.parse_optional_punctuation(")") is not None:
                end -= 1
            else:
                parser.parse_punctuation("]")
            return [IntAttr(start), IntAttr(end - start)]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<offset, length>`."""
        printer.print_string(f"<{self.offset.data}, {self.length.data}>")


@irdl_attr_definition
class CompositeAttr(ParametrizedAttribute):
    """Constants laid one after the other: `<3xi8, [dense<1> : tensor<3xi8>]>`."""

    name = "util.composite"

    total_length: IntAttr
    values: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses `<BYTESxi8, [value, …]>`; a comma may follow the last value."""
        with parser.in_angle_brackets():
            dims, element_type = parser.parse_ranked_shape()
            if len(dims) != 1 or element_type != IntegerType(8):
                parser.raise_error("expected the length in bytes as BYTESxi8")
            parser.parse_punctuation(",")
            parser.parse_punctuation("[")
            values: list[Attribute] = []
            while parser.parse_optional_punctuation("]") is None:
                values.append(parser.parse_attribute())
                if parser.parse_optional_punctuation(",") is None:
                    parser.parse_punctuation("]")
                    break
        return [IntAttr(dims[0]), ArrayAttr(values)]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<BYTESxi8, [value, …]>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"{self.total_length.data}xi8, ")
            printer.print_attribute(self.values)

    def verify(self) -> None:
        """The length is that of the values together, where all are known."""
        sizes: list[int] = []
        for value in self.values:
            size = stored_bytes(value)
            if size is None and "." not in value.name:
                raise VerifyException(
                    f"expected values that can be stored as bytes in #util.composite, got {value}"
                )
            if size is None:
                return
            sizes.append(size)
        if sum(sizes) != self.total_length.data:
            raise VerifyException(
                f"expected #util.composite of {sum(sizes)} bytes, the sum of its values, "
                f"got {self.total_length.data}"
            )


def stored_bytes(value: Attribute) -> int | None:
    """Bytes that a constant, also one of this dialect, takes in the image; None if not known.

    As in IREE a byte pattern or uninitialized value of a plain number counts as many bytes as
    the word it is packed into has bits.
    """
    if isinstance(value, CompositeAttr):
        return value.total_length.data
    if not isinstance(value, BytePatternAttr | UninitializedAttr):
        return constant_bytes(value)
    if isinstance(value.type, ShapedType):
        return type_bytes(value.type)
    bits = element_bits(value.type)
    return None if bits is None else word_bits(bits)


@irdl_attr_definition
class InlineNeverAttr(ParametrizedAttribute):
    """Inlining policy: the function or global is never inlined."""

    name = "util.inline.never"


@irdl_attr_definition
class InlineAlwaysAttr(ParametrizedAttribute):
    """Inlining policy: the function or global is inlined where possible."""

    name = "util.inline.always"


class _TypeOnlyAttr(TypedAttribute):
    """An attribute that says all by its name and its type."""

    type: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `: type`."""
        return [parse_self_type(parser)]

    def print_parameters(self, printer: Printer) -> None:
        """Prints ` : type`."""
        print_self_type(printer, self.type)

    def print_without_type(self, printer: Printer) -> None:
        """Prints nothing: the name has been printed."""


@irdl_attr_definition
class NullAttr(_TypeOnlyAttr):
    """A null reference of `type`."""

    name = "util.null"

    type: Attribute


@irdl_attr_definition
class UninitializedAttr(_TypeOnlyAttr):
    """Storage of `type` with undefined contents."""

    name = "util.uninitialized"

    type: Attribute


@irdl_attr_definition
class PreprocessingPipelineAttr(ParametrizedAttribute):
    """The passes to run on a function before all others: `<"pass-pipeline">`."""

    name = "util.preprocessing_pipeline"

    pipeline_string: StringAttr
