"""Results in `iree-run-module`'s notation: printed, written to files, compared with expectations.

    result[0]: hal.buffer_view
    2x2xf32=[1 2.5][1E+10 NAN]
    result[1]: i32=5

Files: `@y.npy` begins a file, `+y.npy` adds an array to it, `-` prints, the empty text drops the
result; another ending than .npy takes the bytes alone. `compare` counts integers of one width as
one type (`iree-run-module` does not, so that numpy's signed arrays never match there).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TextIO

import ml_dtypes
import numpy as np

from .element_types import (
    Array,
    InputError,
    Value,
    describe,
    is_complex,
    is_integer,
    name_of_dtype,
    reason_of,
    same_elements,
)
from .io import fit_scalar

MAX_ELEMENTS = 1024
"""How many elements of a result are printed unless the caller says otherwise."""


def format_results(results: Sequence[Value], max_elements: int = MAX_ELEMENTS) -> str:
    """All results, each under its `result[N]:`, as iree-run-module prints them."""
    lines = [
        f"result[{index}]: {format_value(result, max_elements)}\n"
        for index, result in enumerate(results)
    ]
    return "".join(lines)


def format_value(value: Value, max_elements: int = MAX_ELEMENTS) -> str:
    """One result: `hal.buffer_view` and its elements for a tensor, `i32=5` for a primitive."""
    if isinstance(value, np.ndarray):
        return f"hal.buffer_view\n{format_array(value, max_elements)}"
    scalar = np.asarray(value)[()]
    if scalar.dtype.kind in "iub":
        # Primitives narrower than 32 bits travel as i32 between host and program.
        bits = 64 if scalar.dtype.itemsize == 8 else 32
        return f"i{bits}={int(scalar)}"
    if is_complex(scalar.dtype):
        return format_array(np.asarray(scalar))
    bits = 64 if scalar.dtype == np.float64 else 32
    return f"f{bits}={float(scalar):g}"


def format_array(array: Array, max_elements: int = MAX_ELEMENTS) -> str:
    """`2x2xi32=[1 2][3 4]`: the brackets of the outermost dimension are left out.

    After `max_elements` elements each row ends in `...`, as in IREE; nothing else is formatted.
    """
    head = describe(array.shape, name_of_dtype(array.dtype))
    shown = np.ascontiguousarray(array).reshape(-1)[:max_elements]
    return f"{head}={_nest(iter(_format_elements(shown)), array.shape, [shown.size])}"


def _format_elements(flat: Array) -> list[str]:
    dtype = flat.dtype
    if is_integer(dtype):
        return [str(element) for element in flat.tolist()]
    if dtype == np.bool_ or is_complex(dtype):
        # IREE knows no text for these: it prints their bytes.
        digits = flat.tobytes().hex().upper()
        width = dtype.itemsize * 2
        return [digits[at : at + width] for at in range(0, len(digits), width)]
    signs = np.signbit(flat) & np.isnan(flat)
    return [
        # C prints the sign of a NaN, Python does not.
        f"{'-' * sign}{element:G}"
        for sign, element in zip(signs.tolist(), flat.astype(np.float64).tolist(), strict=True)
    ]


def _nest(elements: Iterator[str], shape: tuple[int, ...], left: list[int]) -> str:
    """The text of one dimension; `left` holds how many elements may still be shown."""
    if len(shape) > 1:
        return "".join(f"[{_nest(elements, shape[1:], left)}]" for _ in range(shape[0]))
    size = prod(shape)
    count = min(size, left[0])
    left[0] -= count
    row = " ".join(next(elements) for _ in range(count))
    return row if count == size else row + "..."


def write_outputs(
    results: Sequence[Value],
    sinks: Sequence[str],
    stream: TextIO,
    max_elements: int = MAX_ELEMENTS,
) -> None:
    """Sends each result to its `--output` text; `-` prints to `stream`.

    Raises InputError before anything is written where there are not as many sinks as results
    or a sink is malformed, and for a file that cannot be written.
    """
    check_sinks(sinks, len(results))
    for result, sink in zip(results, sinks, strict=True):
        if sink == "-":
            stream.write(format_value(result, max_elements) + "\n")
        elif sink:
            _write_file(np.asarray(result), sink)


def check_sinks(sinks: Sequence[str], count: int) -> None:
    """Raise InputError unless there are `count` sinks, all well formed."""
    if len(sinks) != count:
        raise InputError(f"{len(sinks)} outputs given for {count} results")
    for sink in sinks:
        if sink not in ("", "-") and (sink[0] not in "@+" or len(sink) < 2):
            raise InputError(f"output '{sink}': expected @FILE, +FILE, - or nothing")


def _write_file(array: Array, sink: str) -> None:
    path = sink[1:]
    try:
        with open(path, "wb" if sink[0] == "@" else "ab") as file:
            if path.endswith(".npy"):
                np.lib.format.write_array(file, np.ascontiguousarray(array).reshape(array.shape))
            else:
                file.write(array.tobytes())
    except OSError as error:
        raise InputError(f"output '{sink}': cannot write '{path}': {reason_of(error)}") from None


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a float may be off: `|actual - expected| <= absolute + rtol * |expected|`.

    The defaults are iree-run-module's. Integers, i1 and 8-bit floats must be equal.
    """

    f16: float = 1e-3
    """Absolute, for f16."""
    bf16: float = 1e-2
    """Absolute, for bf16."""
    f32: float = 1e-4
    """Absolute, for f32 and complex numbers of two f32."""
    f64: float = 1e-4
    """Absolute, for f64 and complex numbers of two f64."""
    rtol: float = 1e-5
    """Relative to the expected value, for all of these."""
    exact: bool = False
    """Compare bytes instead (`--equality_mode=exact`)."""

    def absolute(self, dtype: np.dtype[Any]) -> float | None:
        """The absolute tolerance for elements of `dtype`; None where they must be equal."""
        if self.exact:
            return None
        by_dtype: dict[np.dtype[Any], float] = {
            np.dtype(np.float16): self.f16,
            np.dtype(ml_dtypes.bfloat16): self.bf16,
            np.dtype(np.float32): self.f32,
            np.dtype(np.complex64): self.f32,
            np.dtype(np.float64): self.f64,
            np.dtype(np.complex128): self.f64,
        }
        return by_dtype.get(dtype)


def compare(
    results: Sequence[Value], expected: Sequence[Value | None], tolerance: Tolerance | None = None
) -> str:
    """What differs, as iree-run-module tells it; the empty text where nothing does.

    An expectation of None (`(ignored)`) holds for anything. NaN equals NaN, position by position.
    """
    if len(results) != len(expected):
        return f"[FAILED] expected {len(expected)} list elements but {len(results)} provided\n"
    reports = [
        _report(index, np.asarray(result), _expectation(want, result), tolerance or Tolerance())
        for index, (result, want) in enumerate(zip(results, expected, strict=True))
        if want is not None
    ]
    return "".join(reports)


def _expectation(want: Value, result: Value) -> Array:
    """What is expected, with the type of the result where a bare number fits it."""
    if isinstance(want, np.ndarray | np.generic):
        return np.asarray(want)
    try:
        return np.asarray(fit_scalar(want, np.asarray(result).dtype, "expected"))
    except InputError:
        return np.asarray(want)


def _report(index: int, actual: Array, expected: Array, tolerance: Tolerance) -> str:
    if expected.dtype.kind == "V" and expected.dtype.itemsize == actual.dtype.itemsize:
        expected = expected.view(actual.dtype)
    want = describe(expected.shape, name_of_dtype(expected.dtype))
    if actual.shape != expected.shape or not same_elements(actual.dtype, expected.dtype):
        got = describe(actual.shape, name_of_dtype(actual.dtype))
        reason = f"metadata is {got}; expected that the view matches {want}"
    else:
        # One type on both sides, so that 200 given as ui8 is the -56 of an i8.
        expected = expected.view(actual.dtype)
        at = first_difference(actual, expected, tolerance)
        if at is None:
            return ""
        got_text, want_text = _format_elements(
            np.stack([actual.reshape(-1)[at], expected.reshape(-1)[at]])
        )
        reason = f"element at index {at} ({got_text}) does not match the expected ({want_text})"
    return (
        f"[FAILED] result[{index}]: {reason}; "
        f"expected that the view is equal to contents of a view of {want}\n"
        f"  expected:\n{format_array(expected)}\n  actual:\n{format_array(actual)}\n"
    )


def first_difference(actual: Array, expected: Array, tolerance: Tolerance) -> int | None:
    """The flat index of the first element that is off by more than `tolerance`, or None.

    Both must have one shape and one dtype.
    """
    absolute = tolerance.absolute(actual.dtype)
    if absolute is None:
        equal = _bytes_of(actual) == _bytes_of(expected)
        close = equal.reshape(actual.size, actual.dtype.itemsize).all(axis=1)
    else:
        wide = np.complex128 if is_complex(actual.dtype) else np.float64
        left, right = actual.reshape(-1).astype(wide), expected.reshape(-1).astype(wide)
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(left - right) <= absolute + tolerance.rtol * np.abs(right)
        both_nan = np.isnan(left) & np.isnan(right)
        close = (left == right) | both_nan | (near & np.isfinite(right))
    wrong = np.flatnonzero(~close)
    return int(wrong[0]) if wrong.size else None


def _bytes_of(array: Array) -> Array:
    return np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8)
