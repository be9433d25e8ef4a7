"""What every call of the host API does first: it is logged, may be made to fail, and is refused
where the runtime is not initialized or no device is set."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

from ..errors import HalError
from .errors import from_hal

if TYPE_CHECKING:
    from .core import RuntimeCore

S = TypeVar("S", bound="RuntimeCore")
P = ParamSpec("P")
R = TypeVar("R")


class Needs(Enum):
    """What a call asks for before it looks at its arguments."""

    NOTHING = 0
    INIT = 1
    """The runtime is initialized."""
    CONTEXT = 2
    """A device is set, too."""


def api(
    operation: str, needs: Needs = Needs.CONTEXT
) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """Make a method the call that is documented as `operation`.

    Errors of the HAL reach the caller as `HostError`. Raises HostError NOT_INITIALIZED or
    NO_CONTEXT according to `needs`, and whatever fault was injected.
    """

    def decorate(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
        @wraps(method)
        def call(self: S, *args: P.args, **kwargs: P.kwargs) -> R:
            if self.enter(operation, needs):
                # Only calls that give a pointer are made to give null.
                return cast(R, None)
            try:
                return method(self, *args, **kwargs)
            except HalError as error:
                raise from_hal(operation, error) from None

        return call

    return decorate
