"""Arguments of a model that are numbers, not memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Attribute

from ...dialects import util
from ..border import to_scalar
from ..element_types import InputError, Scalar, dtype_of_name
from ..host.errors import ErrorCode
from ..host.runtime import Runtime
from ..io import fit_scalar


class ScalarArguments:
    """The numbers that the function of a model takes."""

    def __init__(self, runtime: Runtime, function: util.FuncOp) -> None:
        self._runtime = runtime
        self._name = function.sym_name.data
        self._wanted: list[tuple[int, Attribute]] = [
            (index, kind)
            for index, kind in enumerate(function.function_type.inputs.data)
            if isinstance(kind, IntegerType | IndexType | AnyFloat)
        ]

    def fit(self, given: Sequence[Scalar]) -> dict[int, Attribute]:
        """By argument, the value of each number in `given`.

        Raises HostError INVALID_MODEL_PARAMETER for another number of them, and for one that does
        not fit its type.
        """
        wanted = self._wanted
        if len(given) != len(wanted):
            self._refuse(
                f"expected {len(wanted)} scalars for @{self._name}, got {len(given)}", len(given)
            )
        values: dict[int, Attribute] = {}
        for number, ((index, kind), value) in enumerate(zip(wanted, given, strict=True)):
            try:
                fitted = fit_scalar(value, dtype_of_name(str(kind)), f"scalar {number}")
            except InputError as error:
                self._refuse(error.message, value)
            values[index] = to_scalar(fitted, kind)
        return values

    def _refuse(self, message: str, value: object) -> NoReturn:
        self._runtime.refuse(ErrorCode.INVALID_MODEL_PARAMETER, message, "scalars", value)
