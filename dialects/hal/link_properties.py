"""Keys of a topology link's second dictionary: on which links each stands, and its values.

Unknown keys are carried along unread, as IREE does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Attribute

BUFFER_MODES = ("native", "import", "copy", "none")
WRITE_BACKS = ("bytes", "line")
MAINTENANCE = ("queue", "host", "split")

LARGEST_CACHE_LINE = 4096
"""Pools start at multiples of it, so that no line is shared by two pools."""


@dataclass(frozen=True, slots=True)
class Property:
    """One key."""

    of_device: bool
    """It stands on a device's self-link; otherwise on links between two devices."""
    expected: str
    """Its values, for the error message."""
    accepts: Callable[[Attribute], bool]


def as_bool(value: Attribute) -> bool | None:
    """The value of `true` or `false`."""
    if isinstance(value, IntegerAttr) and value.type == IntegerType(1):
        return bool(value.value.data)
    return None


def as_int(value: Attribute) -> int | None:
    """The value of an integer attribute of any width but `i1`."""
    if isinstance(value, IntegerAttr) and value.type != IntegerType(1):
        return value.value.data
    return None


def as_number(value: Attribute) -> float | None:
    """The value of an integer or float attribute."""
    if isinstance(value, FloatAttr):
        return value.value.data
    return as_int(value)


def as_word(value: Attribute) -> str | None:
    """The value of a string attribute."""
    return value.data if isinstance(value, StringAttr) else None


def _boolean(of_device: bool) -> Property:
    return Property(of_device, "true or false", lambda value: as_bool(value) is not None)


def _word(of_device: bool, words: tuple[str, ...]) -> Property:
    listed = ", ".join(f'"{word}"' for word in words)
    return Property(of_device, f"one of {listed}", lambda value: as_word(value) in words)


def _number(expected: str, accepts: Callable[[float], bool], of_device: bool = False) -> Property:
    def check(value: Attribute) -> bool:
        number = as_number(value)
        return number is not None and accepts(number)

    return Property(of_device, expected, check)


def _bandwidth(of_device: bool) -> Property:
    return _number("a positive number (10^9 bytes per second)", lambda x: x > 0, of_device)


def _latency(of_device: bool) -> Property:
    return _number("a number of nanoseconds from 0", lambda x: x >= 0, of_device)


def is_cache_line(value: Attribute) -> bool:
    """Whether `value` is a power of two up to `LARGEST_CACHE_LINE`."""
    size = as_int(value)
    return size is not None and 0 < size <= LARGEST_CACHE_LINE and size & (size - 1) == 0


CACHE_LINE = f"a power of two in 1..{LARGEST_CACHE_LINE} (bytes)"
"""What `is_cache_line` expects."""

CAPABILITIES = (
    "memcpy_zero_copy",
    "host_register_mapped",
    "host_register_pageable",
    "pageable_async",
)
"""What a device's runtime can do; all default to true."""

PROPERTIES: dict[str, Property] = {
    "coherent": _boolean(False),
    "bandwidth_gbps": _bandwidth(False),
    "latency_ns": _latency(False),
    "buffer_read": _word(False, BUFFER_MODES),
    "buffer_write": _word(False, BUFFER_MODES),
    "host_coherent": _boolean(True),
    "host_visible": _boolean(True),
    "cache_line": Property(True, CACHE_LINE, is_cache_line),
    "write_back": _word(True, WRITE_BACKS),
    "maintenance": _word(True, MAINTENANCE),
    "whole_line_maintenance": _boolean(True),
    "deferred_recording": _boolean(True),
    "address_reach": Property(
        True,
        "a positive integer (bytes: the device reaches addresses below it)",
        lambda value: (as_int(value) or 0) > 0,
    ),
    "memory_bandwidth_gbps": _bandwidth(True),
    "host_bandwidth_gbps": _bandwidth(True),
    "host_latency_ns": _latency(True),
    **{key: _boolean(True) for key in CAPABILITIES},
}
"""All keys that mean something."""


def check_properties(properties: Mapping[str, Attribute], is_self_link: bool) -> str | None:
    """Why `properties` cannot stand on the link, or None when they can."""
    for key, value in properties.items():
        known = PROPERTIES.get(key)
        if known is None:
            continue
        if known.of_device and not is_self_link:
            return f"'{key}' describes one device; put it on the device's self-link"
        if not known.of_device and is_self_link:
            return f"'{key}' describes two devices; put it on a link to another device"
        if not known.accepts(value):
            return f"expected {known.expected} for '{key}', got {value}"
    return None
