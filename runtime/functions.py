"""Functions of a program as callables of Python, which a notebook or a test uses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp

from .element_types import InputError, Value, describe, name_of_dtype, reason_of
from .signature import Argument, arguments_of, find_function


@dataclass(frozen=True, slots=True, repr=False)
class Function:
    """One function of a program, bound to what calls it."""

    name: str
    arguments: tuple[Argument, ...]
    """What it takes; fences are the call's."""
    call: Callable[[str, Sequence[Value | None]], list[Value]]

    @staticmethod
    def of(
        module: ModuleOp,
        name: str,
        call: Callable[[str, Sequence[Value | None]], list[Value]],
        missing: type[Exception] = AttributeError,
    ) -> "Function":
        """The public function `name` of a module; raises `missing` where there is none."""
        try:
            entry = find_function(module, name)
        except InputError as error:
            raise missing(error.message) from None
        return Function(name, tuple(arguments_of(entry)), call)

    def __call__(self, *inputs: ArrayLike | None) -> Any:
        """Call the function with arrays and numbers; lists become arrays of the wanted type.

        Returns:
            None, the one result, or a tuple of them: arrays, and numpy's numbers for scalars. A
            result that the program writes into an array it was given is that array.

        Raises:
            InputError: the inputs do not fit.
            OpError, HalError: the program fails.
        """
        wanted = [*self.arguments, *[_ANY] * (len(inputs) - len(self.arguments))]
        values = [_value(value, argument) for value, argument in zip(inputs, wanted, strict=False)]
        results = self.call(self.name, values)
        if len(results) > 1:
            return tuple(results)
        return results[0] if results else None

    def __repr__(self) -> str:
        taken = ", ".join(map(_described, self.arguments))
        return f"<function @{self.name}({taken})>"


_ANY = Argument("one too many", None, None)


def _value(value: ArrayLike | None, argument: Argument) -> Value | None:
    is_number = isinstance(value, bool | int | float | complex)
    if value is None or (is_number and argument.shape is None):
        return value
    # Arrays and numbers of numpy keep their type: one that does not fit is refused, not cast.
    dtype = None if hasattr(value, "dtype") else argument.dtype
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{argument.name}: no array can be made of the {type(value).__name__} given: "
            f"{reason_of(error)}"
        ) from error


def _described(argument: Argument) -> str:
    if argument.dtype is None:
        return "any"
    return describe(argument.shape or (), name_of_dtype(argument.dtype))
