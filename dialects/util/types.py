"""Types of the util dialect: byte buffers, lists, pointers and placeholders."""

from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..format import SizeAware


@irdl_attr_definition
class BufferType(ParametrizedAttribute, SizeAware):
    """A reference counted buffer of bytes in host memory."""

    name = "util.buffer"


@irdl_attr_definition
class ObjectType(ParametrizedAttribute, TypeAttribute):
    """An object of a type not stated."""

    name = "util.object"


@irdl_attr_definition
class UnusedType(ParametrizedAttribute, TypeAttribute):
    """Stands where a type is required and none is used."""

    name = "util.unused"


@irdl_attr_definition
class VariantType(ParametrizedAttribute, TypeAttribute):
    """A value of any type; `?` as the element type of a list."""

    name = "util.variant"


@irdl_attr_definition
class PtrType(ParametrizedAttribute, TypeAttribute):
    """A reference to a value, such as the address of a global."""

    name = "util.ptr"

    target_type: Attribute


@irdl_attr_definition
class ListType(ParametrizedAttribute, TypeAttribute):
    """A list that grows, of elements of one type: `!util.list<i32>`, `!util.list<?>`."""

    name = "util.list"

    element_type: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses `<?>` or `<type>`."""
        with parser.in_angle_brackets():
            if parser.parse_optional_punctuation("?") is not None:
                return [VariantType()]
            return [parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<?>` or `<type>`."""
        with printer.in_angle_brackets():
            if isinstance(self.element_type, VariantType):
                printer.print_string("?")
            else:
                printer.print_attribute(self.element_type)


def is_object_compatible(type: Attribute) -> bool:
    """Whether a value of `type` can stand as an object: everything but plain numbers."""
    return not isinstance(type, IntegerType | IndexType | AnyFloat | ComplexType)
