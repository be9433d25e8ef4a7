"""Types and attributes of the flow dialect."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..util.attributes import parse_self_type, print_self_type


@irdl_attr_definition
class ChannelType(ParametrizedAttribute, TypeAttribute):
    """A channel between the participants of a collective operation."""

    name = "flow.channel"


@irdl_attr_definition
class DummyType(ParametrizedAttribute, TypeAttribute):
    """A type without meaning."""

    name = "flow.dummy"


@irdl_attr_definition
class DummyAttr(ParametrizedAttribute):
    """An attribute without meaning."""

    name = "flow.dummy"


@irdl_attr_definition
class NamedParameterAttr(TypedAttribute):
    """A constant kept outside of the program: `<"scope"::"key", {config}> : tensor<4xf32>`."""

    name = "flow.parameter.named"

    type: Attribute
    scope: StringAttr | NoneAttr
    """Which archive; none for the default one."""
    key: StringAttr
    """The name in the archive."""
    config: DictionaryAttr | NoneAttr
    """What else is known, such as the `length` in bytes."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `<"scope"::"key", {config}> : type`; scope and config may be left out."""
        scope: Attribute = NoneAttr()
        config: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            key = StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(":") is not None:
                parser.parse_punctuation(":")
                scope, key = key, StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(",") is not None:
                config = DictionaryAttr(parser.parse_optional_dictionary_attr_dict())
        return [parse_self_type(parser), scope, key, config]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<"scope"::"key", {config}> : type`."""
        self.print_without_type(printer)
        print_self_type(printer, self.type)

    def print_without_type(self, printer: Printer) -> None:
        """Prints `<"scope"::"key", {config}>`."""
        with printer.in_angle_brackets():
            if isinstance(self.scope, StringAttr):
                printer.print_attribute(self.scope)
                printer.print_string("::")
            printer.print_attribute(self.key)
            if isinstance(self.config, DictionaryAttr):
                printer.print_string(", ")
                printer.print_attribute(self.config)
