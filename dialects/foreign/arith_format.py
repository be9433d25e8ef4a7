"""What the ops of the arith dialect share: types like others, numbers written as keywords."""

from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


def with_elements(type: Attribute, element: Attribute) -> Attribute:
    """The vector or tensor type like `type` with other elements; `element` for a scalar."""
    if isinstance(type, VectorType):
        return VectorType(element, type.get_shape(), type.scalable_dims)
    if isinstance(type, TensorType):
        return TensorType(element, type.get_shape(), type.encoding)
    return element


class Keyword(CustomDirective):
    """A number written as a keyword."""

    KEYWORDS: ClassVar[tuple[str, ...]]
    NUMBER: ClassVar[IntegerType] = i64
    OPTIONAL: ClassVar[bool] = False

    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        for number, keyword in enumerate(self.KEYWORDS):
            if parser.parse_optional_keyword(keyword) is not None:
                self.value.set(state, IntegerAttr(number, self.NUMBER))
                return
        if not self.OPTIONAL:
            parser.raise_error(f"expected one of {', '.join(self.KEYWORDS)}")

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        value = self.value.get(op)
        if isinstance(value, IntegerAttr):
            state.print_whitespace(printer)
            printer.print_string(self.KEYWORDS[value.value.data])

    @classmethod
    def check(cls, number: IntegerAttr[Any] | None) -> None:
        """Check that there is a keyword for a number; raises VerifyException."""
        if number is not None and not 0 <= number.value.data < len(cls.KEYWORDS):
            raise VerifyException(
                f"expected a number below {len(cls.KEYWORDS)} for one of "
                f"{', '.join(cls.KEYWORDS)}, got {number.value.data}"
            )

    def can_parse_empty(self) -> bool:
        """Whether the keyword may be absent."""
        return self.OPTIONAL
