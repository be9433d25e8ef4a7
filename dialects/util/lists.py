"""Lists that grow."""

from xdsl.dialects.builtin import IndexType, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from .types import ListType, ObjectType, VariantType, is_object_compatible

INDEX = IndexType()


def can_cast_element(source: Attribute, target: Attribute) -> bool:
    """Whether a list of one type may be given or asked for a value of the other."""
    if VariantType() in (source, target) or source == target:
        return True
    if ObjectType() in (source, target):
        return is_object_compatible(source) and is_object_compatible(target)
    tensors = TensorType | UnrankedTensorType
    return isinstance(source, tensors) and isinstance(target, tensors)


def element_type_of_list(list: SSAValue) -> Attribute:
    """The element type of a list."""
    assert isinstance(list.type, ListType)
    return list.type.element_type


def _parse_list_type(parser: Parser) -> ListType:
    """Parses a list type."""
    start = parser.pos
    type = parser.parse_type()
    if not isinstance(type, ListType):
        parser.raise_error(f"expected a type !util.list<…>, got {type}", start, parser.pos)
    return type


@irdl_custom_directive
class ListTypeGet(CustomDirective):
    """`!util.list<T>`, or `!util.list<?> -> T` where the element is read as another type."""

    list_type: TypeDirective
    element_type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        list_type = _parse_list_type(parser)
        self.list_type.set(state, (list_type,))
        overridden = parser.parse_optional_punctuation("->") is not None
        self.element_type.set(
            state, (parser.parse_type() if overridden else list_type.element_type,)
        )

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        (list_type,), (element_type,) = self.list_type.get(op), self.element_type.get(op)
        printer.print_attribute(list_type)
        if not isinstance(list_type, ListType) or list_type.element_type != element_type:
            printer.print_string(" -> ")
            printer.print_attribute(element_type)


@irdl_custom_directive
class ListTypeSet(CustomDirective):
    """`!util.list<T>`, or `T -> !util.list<?>` where the element is written as another type."""

    list_type: TypeDirective
    element_type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        start = parser.pos
        leading = parser.parse_type()
        if parser.parse_optional_punctuation("->") is not None:
            list_type = _parse_list_type(parser)
            element_type = leading
        elif isinstance(leading, ListType):
            list_type, element_type = leading, leading.element_type
        else:
            parser.raise_error(f"expected a type !util.list<…>, got {leading}", start, parser.pos)
        self.list_type.set(state, (list_type,))
        self.element_type.set(state, (element_type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        (list_type,), (element_type,) = self.list_type.get(op), self.element_type.get(op)
        if not isinstance(list_type, ListType) or list_type.element_type != element_type:
            printer.print_attribute(element_type)
            printer.print_string(" -> ")
        printer.print_attribute(list_type)


@irdl_custom_directive
class ValueTypeList(CustomDirective):
    """`[%a : i32, %b : f32]`."""

    values: VariadicOperandVariable
    types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_entry() -> tuple[UnresolvedOperand, Attribute]:
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            return value, parser.parse_type()

        entries = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_entry)
        self.values.set(state, [value for value, _ in entries])
        self.types.set(state, [type for _, type in entries])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        with printer.in_square_brackets():
            for index, value in enumerate(self.values.get(op)):
                printer.print_string(", " if index else "")
                printer.print_ssa_value(value)
                printer.print_string(" : ")
                printer.print_attribute(value.type)


@irdl_op_definition
class ListCreateOp(IRDLOperation):
    """A new empty list."""

    name = "util.list.create"

    initial_capacity = opt_operand_def(INDEX)
    """How many elements to reserve room for."""

    result = result_def(ListType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "($initial_capacity^)? attr-dict `:` type($result)"


@irdl_op_definition
class ListConstructOp(IRDLOperation):
    """A new list of the given values."""

    name = "util.list.construct"

    values = var_operand_def()

    result = result_def(ListType)

    custom_directives = (ValueTypeList,)
    traits = traits_def(MemoryAllocEffect())

    assembly_format = "custom<ValueTypeList>($values, type($values)) attr-dict `:` type($result)"

    def verify_(self) -> None:
        """Each value fits the element type."""
        element_type = self.result.type.element_type
        for index, value in enumerate(self.values):
            if not can_cast_element(value.type, element_type):
                raise VerifyException(
                    f"expected values of the list's type {element_type}, "
                    f"got {value.type} at index {index}"
                )


@irdl_op_definition
class ListSizeOp(IRDLOperation):
    """How many elements a list has."""

    name = "util.list.size"

    list = operand_def(ListType)

    result = result_def(INDEX)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "operands attr-dict `:` type($list)"


@irdl_op_definition
class ListResizeOp(IRDLOperation):
    """Cuts a list or fills it up with default values."""

    name = "util.list.resize"

    list = operand_def(ListType)
    new_size = operand_def(INDEX)
    """In elements."""

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "operands attr-dict `:` type($list)"


@irdl_op_definition
class ListGetOp(IRDLOperation):
    """The element at an index."""

    name = "util.list.get"

    list = operand_def(ListType)
    index = operand_def(INDEX)

    result = result_def()

    custom_directives = (ListTypeGet,)
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$list `[` $index `]` attr-dict `:` custom<ListTypeGet>(type($list), type($result))"
    )

    def verify_(self) -> None:
        """The result fits the element type."""
        element_type = element_type_of_list(self.list)
        if not can_cast_element(element_type, self.result.type):
            raise VerifyException(
                f"expected to get the list's type {element_type}, got {self.result.type}"
            )


@irdl_op_definition
class ListSetOp(IRDLOperation):
    """Sets the element at an index."""

    name = "util.list.set"

    list = operand_def(ListType)
    index = operand_def(INDEX)
    value = operand_def()

    custom_directives = (ListTypeSet,)
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$list `[` $index `]` `,` $value attr-dict `:` "
        "custom<ListTypeSet>(type($list), type($value))"
    )

    def verify_(self) -> None:
        """The value fits the element type."""
        element_type = element_type_of_list(self.list)
        if not can_cast_element(self.value.type, element_type):
            raise VerifyException(
                f"expected to set the list's type {element_type}, got {self.value.type}"
            )
