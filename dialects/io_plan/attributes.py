"""Plain data as attributes and back, by the fields and types of their classes.

    bool       true, and nothing for false        int          i64
    str, enum  a string                           tuple        an array of i64, or an array
    dataclass  a dictionary                       dict         pairs, one after the other

What is None or empty is left out.
"""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

T = TypeVar("T")


def encode(value: Any) -> Attribute:
    """The attribute of a value of plain data; ValueError for a value of no known kind."""
    match value:
        case Enum():
            return StringAttr(str(value.value))
        case str():
            return StringAttr(value)
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i64)
        case dict():
            pairs = cast(dict[int, int], value).items()
            return DenseArrayBase.from_list(i64, [number for pair in pairs for number in pair])
        case tuple():
            items = cast(tuple[Any, ...], value)
            if items and all(type(item) is int for item in items):
                return DenseArrayBase.from_list(i64, items)
            return ArrayAttr(encode(item) for item in items)
        case _ if is_dataclass(value):
            named = ((field.name, getattr(value, field.name)) for field in fields(value))
            return DictionaryAttr(
                {
                    name: encode(item)
                    for name, item in named
                    if item is not None and not _empty(item)
                }
            )
        case _:
            raise ValueError(f"no attribute for {value!r}")


def _empty(value: Any) -> bool:
    return value is False or value == () or value == {} or value == ""


def decode(cls: type[T], attribute: Attribute, where: str) -> T:
    """The value of dataclass `cls` that `attribute` holds; `where` names it in messages.

    Raises:
        VerifyException: an entry is missing, unknown, or of another kind.
    """
    if not isinstance(attribute, DictionaryAttr):
        raise VerifyException(f"expected a dictionary for {where}, got {attribute}")
    hints = _hints(cls)
    if unknown := attribute.data.keys() - hints.keys():
        raise VerifyException(f"unknown entry '{min(unknown)}' in {where}")
    values: dict[str, Any] = {}
    for name, hint in hints.items():
        entry = attribute.data.get(name)
        values[name] = _value(hint, entry, f"'{name}' in {where}")
    return cls(**values)


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _value(hint: Any, entry: Attribute | None, where: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return None if entry is None else _value(arguments[0], entry, where)
    if entry is None:
        return _absent(hint, where)
    if origin is tuple:
        return _tuple(arguments[0], entry, where)
    if origin is dict:
        numbers = _tuple(int, entry, where)
        if len(numbers) % 2:
            raise VerifyException(f"expected pairs for {where}, got {entry}")
        return dict(zip(numbers[::2], numbers[1::2], strict=True))
    if is_dataclass(hint):
        return decode(cast(type[Any], hint), entry, where)
    return _scalar(hint, entry, where)


def _absent(hint: Any, where: str) -> Any:
    empty: dict[Any, Any] = {bool: False, str: "", tuple: (), dict: {}}
    kind = get_origin(hint) or hint
    if kind not in empty:
        raise VerifyException(f"missing entry {where}")
    return empty[kind]


def _tuple(item: Any, entry: Attribute, where: str) -> tuple[Any, ...]:
    if isinstance(entry, DenseArrayBase) and entry.elt_type == i64 and item is int:
        return tuple(entry.get_values())
    if isinstance(entry, ArrayAttr):
        return tuple(_value(item, part, where) for part in cast(ArrayAttr[Attribute], entry))
    raise VerifyException(f"expected an array for {where}, got {entry}")


def _scalar(hint: type, entry: Attribute, where: str) -> Any:
    match entry:
        case IntegerAttr() if hint is bool and entry.type == BoolAttr.from_bool(True).type:
            return bool(entry.value.data)
        case IntegerAttr() if hint is int and entry.type == i64:
            return entry.value.data
        case StringAttr() | BytesAttr() if issubclass(hint, str):
            # xDSL reads a string beyond ASCII as bytes.
            text = (
                entry.data
                if isinstance(entry, StringAttr)
                else entry.data.decode(errors="backslashreplace")
            )
            try:
                return hint(text)
            except ValueError as error:
                raise VerifyException(f"unknown value '{text}' for {where}") from error
        case _:
            raise VerifyException(f"expected {hint.__name__} for {where}, got {entry}")
