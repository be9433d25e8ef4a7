"""Checks that verifiers of several dialects share. Each raises VerifyException."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from .access import UNTIED


def constant_index(value: SSAValue) -> int | None:
    """The number that `value` is known to be, or None."""
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if op.name != "arith.constant":
        return None
    attr = op.properties.get("value")
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def check_count(what: str, got: int, expected: int) -> None:
    """`got` is `expected`."""
    if got != expected:
        raise VerifyException(f"expected {expected} {what}, got {got}")


def check_constant_range(start: int, end: int, size: int | None, what: str) -> None:
    """[start, end) lies within [0, size)."""
    if start < 0 or end < start:
        raise VerifyException(f"expected a {what} range of ascending bytes, got [{start}, {end})")
    if size is not None and end > size:
        raise VerifyException(
            f"expected a {what} range within [0, {size}), got [{start}, {end});"
            " shorten it or enlarge the resource"
        )


def check_ties(stored: Attribute | None, operands: int, results: int, what: str) -> None:
    """Each entry of `tied_operands` is -1 or names one of `operands`."""
    if stored is None:
        return
    ties = [entry.value.data for entry in cast(ArrayAttr[IntegerAttr], stored)]
    check_count("tied operands, one for each result", len(ties), results)
    for tie in ties:
        if tie != UNTIED and not 0 <= tie < operands:
            raise VerifyException(
                f"expected a tied operand within [0, {operands}) of the {what}, or -1, got {tie}"
            )
