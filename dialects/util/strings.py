"""Strings made at run time, and statuses."""

import re

from xdsl.dialects.builtin import IndexType, IntegerType, StringAttr, i32
from xdsl.irdl import (
    IRDLOperation,
    RangeOf,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .types import BufferType

BUFFER = BufferType()
_ITOA = base(IntegerType) | base(IndexType)


@irdl_op_definition
class StringFormatOp(IRDLOperation):
    """A string with arguments in the place of `{}` or `{N}`; `{{` and `}}` stand for braces."""

    name = "util.string.format"

    args = var_operand_def(RangeOf(_ITOA | base(BufferType)))

    format = prop_def(StringAttr)

    result = result_def(BUFFER)

    traits = traits_def(Pure())

    assembly_format = "$format `(` $args `)` attr-dict `:` functional-type($args, $result)"

    def verify_(self) -> None:
        """Every placeholder names an argument, and the last argument is named."""
        expected = _argument_count(self.format.data)
        if expected != len(self.args):
            raise VerifyException(
                f"expected as many arguments as placeholders name, {expected}, got {len(self.args)}"
            )


_FORMAT_PIECE = re.compile(r"[^{}]+|\{\{|\}\}|\{(\d*)\}")


def _argument_count(format: str) -> int:
    """How many arguments a format string asks for; raises VerifyException where it is not one."""
    sequential, explicit, position = 0, 0, 0
    while position < len(format):
        piece = _FORMAT_PIECE.match(format, position)
        if piece is None:
            raise VerifyException(
                f"expected {{}}, {{N}}, {{{{ or }}}} in the format, got {format[position:]!r}"
            )
        position = piece.end()
        if piece[1]:
            explicit = max(explicit, int(piece[1]) + 1)
        elif piece[1] is not None:
            sequential += 1
    if sequential and explicit:
        raise VerifyException(
            f"expected either {{}} or {{N}} throughout the format, got {format!r}"
        )
    return sequential or explicit


@irdl_op_definition
class StringItoaOp(IRDLOperation):
    """The decimal digits of an integer."""

    name = "util.string.itoa"

    value = operand_def(_ITOA)

    result = result_def(BUFFER)

    traits = traits_def(Pure())

    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"


@irdl_op_definition
class StatusCheckOkOp(IRDLOperation):
    """Fails the program unless a status is ok."""

    name = "util.status.check_ok"

    status = operand_def(i32)

    message = opt_prop_def(StringAttr)

    assembly_format = "$status (`,` $message^)? attr-dict"
