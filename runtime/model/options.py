"""Options of a model, fixed when it is loaded."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..host.errors import ErrorCode, HostError

OPERATION = "LoadStreamExecutorFromModelData"
"""The call that takes the options, as messages name it."""


@dataclass(frozen=True, slots=True)
class LoweringOptions:
    """GE's `LoweringOption` (GE-07): four switches, all off by default.

    Raises HostError INVALID_MODEL_PARAMETER for a value that is not a bool.
    """

    trust_shape_on_out_tensor: bool = False
    """Shapes of outputs are those of the caller's tensors; they are not checked (GE-08)."""
    always_zero_copy: bool = False
    """Outputs are in the caller's memory, or the call is refused (GE-09)."""
    always_external_allocator: bool = False
    """All memory comes from allocators of the caller (GE-11)."""
    enable_single_stream: bool = False
    """All work goes to one stream, in the order of the program (GE-12)."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not bool:
                raise HostError(
                    ErrorCode.INVALID_MODEL_PARAMETER,
                    OPERATION,
                    f"value {value!r} for option {field.name} is invalid; expected True or False",
                    parameter=field.name,
                    value=value,
                )

    @classmethod
    def of(cls, **options: Any) -> LoweringOptions:
        """Options by name; HostError for a name that is none of them."""
        known = {field.name for field in fields(cls)}
        for name, value in options.items():
            if name not in known:
                raise HostError(
                    ErrorCode.INVALID_MODEL_PARAMETER,
                    OPERATION,
                    f"LoweringOption has no field {name}; it has {', '.join(sorted(known))}",
                    parameter=name,
                    value=value,
                )
        return cls(**options)
