"""`ge.exec.reuseZeroCopyMemory` and where it is set: globally, for a session, for a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from ..host.errors import ErrorCode, HostError

REUSE_ZERO_COPY_MEMORY = "ge.exec.reuseZeroCopyMemory"
"""The option's key; its values are "0", the default, and "1" (GE-04)."""

OPTION_SIZE = 8
"""Bytes of a value of `set_config`, a `size_t`."""


class ConfigAttribute(IntEnum):
    """What `aclmdlSetConfigOpt` sets that concerns the memory of inputs and outputs."""

    WORKSPACE_MEM_OPTIMIZE = 9
    """0: the model owns them; 1: they are the caller's (`ACL_MDL_WORKSPACE_MEM_OPTIMIZE`)."""


def set_config(attribute: ConfigAttribute, value: int, value_size: int) -> dict[str, str]:
    """The option that `aclmdlSetConfigOpt` turns an attribute into (GE-04).

    Args:
        attribute: which.
        value: 0 or 1.
        value_size: bytes of `value` as the caller has it.

    Raises HostError INVALID_PARAMETER for another value or size.
    """
    operation = "aclmdlSetConfigOpt"
    if value_size != OPTION_SIZE:
        raise HostError(
            ErrorCode.INVALID_PARAMETER,
            operation,
            f"valueSize[{value_size}] is invalid, it should be {OPTION_SIZE}",
            parameter="valueSize",
            value=value_size,
        )
    if value not in (0, 1):
        raise HostError(
            ErrorCode.INVALID_PARAMETER,
            operation,
            f"type[{value}] is invalid, it should be in [0, 1] for {attribute.name}",
            parameter="attrValue",
            value=value,
        )
    return {REUSE_ZERO_COPY_MEMORY: str(value)}


@dataclass(frozen=True, slots=True)
class OptionLevels:
    """Options by key at each level; the nearest level that has a key wins (GE-06)."""

    global_: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of the process."""
    session: Mapping[str, str] = field(default_factory=dict[str, str])
    graph: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of the one model."""

    @property
    def reuse(self) -> bool | None:
        """See `effective_reuse`."""
        return effective_reuse(self.global_, self.session, self.graph)


def effective_reuse(
    global_options: Mapping[str, str] | None = None,
    session_options: Mapping[str, str] | None = None,
    graph_options: Mapping[str, str] | None = None,
) -> bool | None:
    """Whether inputs and outputs are the caller's; the nearest level that says so wins (GE-06).

    None where no level does. Raises HostError INVALID_PARAMETER for another key or value.
    """
    layers = {"global": global_options, "session": session_options, "graph": graph_options}
    merged: dict[str, str] = {}
    for level, options in layers.items():
        for key, value in (options or {}).items():
            if key != REUSE_ZERO_COPY_MEMORY:
                _refuse(f"unsupported option {key} at the {level} level", key, value)
            if value not in ("0", "1"):
                _refuse(f'{key} at the {level} level is "{value}"; expected "0" or "1"', key, value)
        merged |= options or {}
    value = merged.get(REUSE_ZERO_COPY_MEMORY)
    return None if value is None else value == "1"


def _refuse(message: str, key: str, value: str) -> None:
    raise HostError(
        ErrorCode.INVALID_PARAMETER, "GEInitialize", message, parameter=key, value=value
    )
