"""IREE's names for the element types of buffers (`f32`, `si8`, `cf64`, …) and numpy's for the same.

A name is what `iree-run-module` reads before the `=` and prints before it: `4xf32=1 2 3 4`.
numpy has no signless integers: `i8` and `si8` are both `int8`, and an array is named after its
dtype unless its type is known (`int8` → `i8`, `uint8` → `ui8`).
"""

from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..dialects.diagnostics import PlacedError

Array: TypeAlias = npt.NDArray[Any]
"""A tensor's value; rank 0 is a tensor too."""

Scalar: TypeAlias = bool | int | float | complex | np.generic
"""A primitive value: what a function takes as `i32`, `index` or `f32`, not as a tensor."""

Value: TypeAlias = Array | Scalar
"""What goes into and comes out of a function."""


class InputError(PlacedError, ValueError):
    """Something that the user gave cannot be used: text, a file, a name, a shape or a type.

    The message is one line, lower case, with the values in it; tools print it and exit with 2.

    Args:
        message: what is wrong.
        location: `file:line:col` of the op where it showed, or "".
    """

    def __init__(self, message: str, location: str = "") -> None:
        super().__init__(f"{location}: {message}" if location else message)
        self.message = message
        self.location = location


_DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(scalar)
    for name, scalar in (
        ("i1", np.bool_),
        ("i8", np.int8),
        ("i16", np.int16),
        ("i32", np.int32),
        ("i64", np.int64),
        ("si8", np.int8),
        ("si16", np.int16),
        ("si32", np.int32),
        ("si64", np.int64),
        ("ui8", np.uint8),
        ("ui16", np.uint16),
        ("ui32", np.uint32),
        ("ui64", np.uint64),
        ("f8E5M2", ml_dtypes.float8_e5m2),
        ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
        ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz),
        ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz),
        ("f16", np.float16),
        ("bf16", ml_dtypes.bfloat16),
        ("f32", np.float32),
        ("f64", np.float64),
        ("cf64", np.complex64),
        ("cf128", np.complex128),
    )
}

_ALIASES = {"complex<f32>": "cf64", "complex<f64>": "cf128", "index": "i64"}
"""MLIR's spellings, accepted beside IREE's."""

ELEMENT_TYPES = (*_DTYPES, *_ALIASES)
"""Every spelling that `dtype_of_name` takes."""

_NAMES = {dtype: name for name, dtype in _DTYPES.items() if not name.startswith("si")}


def dtype_of_name(name: str) -> np.dtype[Any]:
    """The numpy dtype of IREE's element type `name`; InputError for one we do not have."""
    dtype = _DTYPES.get(_ALIASES.get(name, name))
    if dtype is None:
        raise InputError(f"unknown element type '{name}'; expected one of {', '.join(_DTYPES)}")
    return dtype


def name_of_dtype(dtype: np.dtype[Any]) -> str:
    """IREE's name for elements of `dtype` (signed integers as signless)."""
    name = _NAMES.get(dtype)
    if name is None:
        raise InputError(f"no element type of IREE for numpy's {dtype}")
    return name


def describe(shape: tuple[int | None, ...], element_type: str) -> str:
    """The text before the `=`: `2x?xf32`; None is a dynamic dimension."""
    return "x".join([*("?" if size is None else str(size) for size in shape), element_type])


def is_integer(dtype: np.dtype[Any]) -> bool:
    """Whether elements are integers of more than one bit, whatever the signedness."""
    return dtype.kind in "iu"


def is_complex(dtype: np.dtype[Any]) -> bool:
    """Whether elements are complex numbers."""
    return dtype.kind == "c"


def same_elements(left: np.dtype[Any], right: np.dtype[Any]) -> bool:
    """Whether two dtypes are one MLIR type: equal, or integers of one width."""
    if is_integer(left) and is_integer(right):
        return left.itemsize == right.itemsize
    return left == right


def one_line(text: str) -> str:
    """`text` with every run of white space, line ends included, as one space."""
    return " ".join(text.split())


def reason_of(error: BaseException) -> str:
    """Why `error` was raised, as the tail of a one-line message: lower case, no full stop."""
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    reason = one_line(told).rstrip(".") or type(error).__name__
    return reason[0].lower() + reason[1:]
