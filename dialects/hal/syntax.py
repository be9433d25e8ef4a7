"""Text of enumerations, device names and queue sets, shared by the dialect's attributes."""

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .enum_base import HalEnumType

ANY_QUEUE = -1
"""The queue mask of an affinity that names no queues."""

QUEUES = 64
"""Queues of a device that a mask can name."""


def parse_enum_value(parser: AttrParser, enum: HalEnumType) -> int:
    """Parse a name of `enum`, bare or quoted; raises ParseError naming what is expected."""
    start = parser.pos
    text = parser.parse_identifier_or_str_literal()
    try:
        return enum.from_text(text)
    except ValueError as error:
        parser.raise_error(str(error), start, parser.pos)


def print_enum_value(printer: Printer, enum: HalEnumType, value: int) -> None:
    """Print the name of `value`, quoted where IREE quotes it."""
    text, bare = enum.to_text(value)
    if bare:
        printer.print_string(text)
    else:
        printer.print_string_literal(text)


def parse_flat_symbol(parser: AttrParser) -> SymbolRefAttr:
    """Parse `@name`."""
    return SymbolRefAttr(parser.parse_symbol_name())


def parse_queue_mask(parser: AttrParser) -> int:
    """Parse `, [0, 3]` if present, as the mask of these queues; otherwise any queue."""
    if parser.parse_optional_punctuation(",") is None:
        return ANY_QUEUE
    mask = 0
    start = parser.pos
    for queue in parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer):
        if not 0 <= queue < QUEUES:
            parser.raise_error(f"expected a queue in 0..{QUEUES - 1}, got {queue}", start)
        mask |= 1 << queue
    # As IREE keeps it: a signed 64-bit mask.
    return mask - (1 << QUEUES) if mask >> (QUEUES - 1) else mask


def print_queue_mask(printer: Printer, mask: int) -> None:
    """Print `, [0, 3]`, or nothing for any queue."""
    if mask == ANY_QUEUE:
        return
    queues = [str(queue) for queue in range(QUEUES) if mask >> queue & 1]
    printer.print_string(f", [{', '.join(queues)}]")
