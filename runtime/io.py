"""Inputs in `iree-run-module`'s notation, and inputs that count when none are given.

    4xf32=1,2,3,4          a tensor; separators are spaces, commas and brackets
    2x2xi8=[1 2][3 4]      brackets only separate
    16xf32=0.5             one value fills the shape; none is zeros
    i32=5   f32=2.5   5    rank 0 or, where the function takes one, a primitive
    2x2xi32=@x.bin         the file's bytes
    @x.npy   +x.npy        the file's first array, its next one
    *x.npy                 all arrays left in the file
    &16xf32                storage for a result: as without the `&`
    (null)   (ignored)     no value

Complex elements and `i1` are read both as hexadecimal bytes, as IREE prints them, and as numbers.
Results are written by `zcir.runtime.results`. Every fault is an `InputError` of one line.
"""

import re
from collections.abc import Iterable
from contextlib import ExitStack
from io import BufferedReader
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from .element_types import (
    ELEMENT_TYPES,
    Array,
    InputError,
    Scalar,
    Value,
    describe,
    dtype_of_name,
    is_complex,
    is_integer,
    name_of_dtype,
    one_line,
    reason_of,
    same_elements,
)

__all__ = [
    "InputError",
    "counting_input",
    "fit_scalar",
    "fit_tensor",
    "parse_input_lists",
    "parse_inputs",
]

MAX_RANK = 64
"""numpy's limit on dimensions."""

_SEPARATORS = re.compile(r"[\s,\[\]]+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|nan)", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|\d+)")


def parse_inputs(texts: Iterable[str]) -> list[Value | None]:
    """The values of `--input` texts in order; `*x.npy` gives several, `(null)` gives None.

    Files stay open from one text to the next, so that `+x.npy` reads on where the last stopped.
    Raises InputError, naming the text, for anything that cannot be read.
    """
    return parse_input_lists([texts])[0]


def parse_input_lists(
    lists: Iterable[Iterable[str]], what: str = "input"
) -> list[list[Value | None]]:
    """The values of each of several lists of texts, that `+x.npy` reads on across.

    Args:
        lists: as `parse_inputs` takes them, such as the inputs of several calls.
        what: how the InputError calls a text.
    """
    result: list[list[Value | None]] = []
    with ExitStack() as closing:
        files: dict[str, BufferedReader] = {}
        for texts in lists:
            values: list[Value | None] = []
            for text in texts:
                try:
                    values.extend(_parse_input(text.strip().strip('"'), files, closing))
                except InputError as error:
                    raise InputError(f"{what} '{_shorten(one_line(text))}': {error}") from None
            result.append(values)
    return result


def _parse_input(
    text: str, files: dict[str, BufferedReader], closing: ExitStack
) -> Iterable[Value | None]:
    if not text:
        raise InputError("no value given; expected SHAPExTYPE=VALUES or @FILE.npy")
    if text in ("(null)", "(ignored)"):
        return [None]
    if text[0] in "@+*":
        return _read_arrays(text[0], text[1:], files, closing)
    text = text.removeprefix("&")
    head, equals, body = text.partition("=")
    if not equals and not _names_element_type(head):
        return [_parse_bare(head)]
    shape, dtype = _parse_type(head.strip())
    if body[:1] in ("@", "+"):
        return [_read_binary(body, shape, dtype, files, closing)]
    return [_parse_elements(body, shape, dtype)]


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _names_element_type(text: str) -> bool:
    """Whether `text` is an element type, alone or after a shape (`0xf32`, not `0x10`)."""
    return any(text == name or text.endswith("x" + name) for name in ELEMENT_TYPES)


def _parse_bare(text: str) -> Scalar:
    """A primitive without its type: `5`, `-2.5`, `0x10`, `nan`."""
    if _INTEGER.fullmatch(text):
        return _parse_integer(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    raise InputError(f"expected a number or SHAPExTYPE=VALUES, got '{text}'")


def _parse_type(text: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and dtype of `2x3xf32`."""
    match = re.fullmatch(r"((?:[^x]*x)*?)([a-wyz][\w<>]*)", text)
    if match is None:
        raise InputError(f"expected SHAPExTYPE such as 2x3xf32, got '{text}'")
    sizes = match[1].split("x")[:-1]
    for size in sizes:
        if not re.fullmatch(r"\d+", size):
            raise InputError(f"expected a dimension of digits, got '{size}' in '{text}'")
    if len(sizes) > MAX_RANK:
        raise InputError(f"rank {len(sizes)} is above the limit of {MAX_RANK}")
    return tuple(int(size) for size in sizes), dtype_of_name(match[2])


def _allocate(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    try:
        return np.zeros(shape, dtype)
    except (MemoryError, ValueError):
        raise InputError(f"cannot hold {prod(shape)} elements of {dtype.itemsize} bytes") from None


def _parse_elements(text: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Elements separated by spaces, commas and brackets; one for all, none for zeros."""
    tokens = [token for token in _SEPARATORS.split(text) if token]
    expected = prod(shape)
    if len(tokens) not in (0, 1, expected) or (tokens and expected == 0):
        raise InputError(f"expected {expected} elements or one for all, got {len(tokens)}")
    values = _allocate(shape, dtype)
    if tokens:
        flat = _parse_tokens(tokens, dtype)
        values.reshape(-1)[...] = flat
    return values


def _parse_tokens(tokens: list[str], dtype: np.dtype[Any]) -> Array:
    # Text is taken apart token by token; all else works on whole arrays.
    if dtype == np.bool_:
        return np.array([_parse_bool(token) for token in tokens])
    if is_complex(dtype):
        return np.array([_parse_complex(token, dtype) for token in tokens], dtype)
    if is_integer(dtype):
        return _parse_integers(tokens, dtype)
    numbers = np.array([_parse_float(token) for token in tokens], np.float64)
    with np.errstate(over="ignore"):
        # Narrow types go through f32 because IREE reads them so.
        return (numbers if dtype == np.float64 else numbers.astype(np.float32)).astype(dtype)


def _parse_bool(token: str) -> bool:
    values = {"0": False, "00": False, "false": False, "1": True, "01": True, "true": True}
    if token.lower() not in values:
        raise InputError(f"expected 0, 1, true or false, got '{token}'")
    return values[token.lower()]


def _parse_integer(token: str) -> int:
    """C's notation: `0x` is hexadecimal and a leading 0 octal."""
    if not _INTEGER.fullmatch(token):
        raise InputError(f"expected an integer, got '{token}'")
    digits = token.lstrip("+-")
    try:
        if digits.startswith(("0x", "0X")):
            value = int(digits, 16)
        elif digits.startswith("0"):
            value = int(digits, 8)
        else:
            value = int(digits)
    except ValueError:
        raise InputError(f"expected an integer, got '{_shorten(token)}'") from None
    return -value if token.startswith("-") else value


def _parse_integers(tokens: list[str], dtype: np.dtype[Any]) -> Array:
    """Integers of the width of `dtype`; a signless or signed one may be given unsigned."""
    bits = dtype.itemsize * 8
    low = 0 if dtype.kind == "u" else -(1 << (bits - 1))
    numbers = [_parse_integer(token) for token in tokens]
    least, most = min(numbers), max(numbers)
    if least < low or most >= 1 << bits:
        wrong = least if least < low else most
        raise InputError(
            f"{wrong} does not fit in {bits} bits (expected {low} to {(1 << bits) - 1})"
        )
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return np.array([number & ((1 << bits) - 1) for number in numbers], unsigned).view(dtype)


def _parse_float(token: str) -> float:
    if _NUMBER.fullmatch(token):
        return float(token)
    try:
        if "0x" in token.lower():
            return float.fromhex(token)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"expected a number, got '{_shorten(token)}'")


def _parse_complex(token: str, dtype: np.dtype[Any]) -> complex:
    """A number (`1`, `1+2j`) or, as IREE prints it, the bytes of both parts in hexadecimal."""
    if len(token) == dtype.itemsize * 2 and re.fullmatch(r"[0-9a-fA-F]+", token):
        return complex(np.frombuffer(bytes.fromhex(token), dtype)[0])
    try:
        return complex(token)
    except ValueError:
        raise InputError(f"expected a complex number such as 1+2j, got '{token}'") from None


def _open(
    mode: str, path: str, files: dict[str, BufferedReader], closing: ExitStack
) -> BufferedReader:
    """The open file at `path`, rewound for `@`."""
    stream = files.get(path)
    if stream is None:
        try:
            stream = closing.enter_context(Path(path).open("rb"))  # noqa: SIM115 - kept open
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read '{path}': {reason_of(error)}") from None
        files[path] = stream
    elif mode == "@":
        stream.seek(0)
    return stream


def _read_arrays(
    mode: str, path: str, files: dict[str, BufferedReader], closing: ExitStack
) -> Iterable[Array]:
    if not path.endswith(".npy"):
        raise InputError(f"expected a .npy file, got '{path}'; raw bytes are SHAPExTYPE=@{path}")
    stream = _open(mode, path, files, closing)
    if mode != "*":
        return [_read_array(stream, path)]
    arrays: list[Array] = []
    while stream.peek(1):
        arrays.append(_read_array(stream, path))
    return arrays


def _read_array(stream: BufferedReader, path: str) -> Array:
    try:
        array = np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:  # numpy's header parser lets anything through, TokenError too
        raise InputError(f"'{path}' is not a whole .npy array: {reason_of(error)}") from None
    return np.asarray(array, array.dtype.newbyteorder("="), order="C")


def _read_binary(
    spec: str,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    files: dict[str, BufferedReader],
    closing: ExitStack,
) -> Array:
    stream = _open(spec[0], spec[1:], files, closing)
    values = _allocate(shape, dtype)
    content = stream.read(values.nbytes)
    if len(content) != values.nbytes:
        raise InputError(f"expected {values.nbytes} bytes in '{spec[1:]}', got {len(content)}")
    return np.frombuffer(content, dtype).reshape(shape).copy()


def counting_input(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """1, 2, 3, … in row-major order, for a function whose inputs were not given.

    Integers wrap at their width; `i1` alternates from true; narrow floats round.
    """
    count = np.arange(1, prod(shape) + 1, dtype=np.int64)
    if dtype == np.bool_:
        return (count % 2 == 1).reshape(shape)
    with np.errstate(over="ignore"):
        return count.astype(dtype).reshape(shape)


def fit_tensor(
    value: Value | None, shape: tuple[int | None, ...], dtype: np.dtype[Any], what: str
) -> Array:
    """`value` as the tensor that a function takes, without a copy where it is one already.

    None in `shape` is a dynamic dimension. Integers of one width are the same type; raw bytes
    (how numpy stores bf16 in a .npy) become elements of the wanted size. `what` names the
    value in the InputError for another shape or element type.
    """
    wanted = describe(shape, name_of_dtype(dtype))
    if not isinstance(value, np.ndarray):
        raise InputError(f"{what}: expected a tensor {wanted}, got {_describe_value(value)}")
    array = value
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        array = array.view(dtype)
    fits = array.ndim == len(shape) and all(
        size is None or size == got for size, got in zip(shape, array.shape, strict=True)
    )
    if not fits or not same_elements(array.dtype, dtype):
        raise InputError(f"{what}: expected {wanted}, got {_describe_value(value)}")
    return array.view(dtype) if array.dtype != dtype else array


def fit_scalar(value: Value | None, dtype: np.dtype[Any], what: str) -> np.generic:
    """`value` (a number or a rank-0 array) as the primitive that a function takes.

    Raises InputError where it is a tensor, is out of range, or is a float where an integer is
    wanted; an integer serves as a float.
    """
    wanted = name_of_dtype(dtype)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if value is None or isinstance(value, np.ndarray):
        raise InputError(f"{what}: expected a number {wanted}, got {_describe_value(value)}")
    if isinstance(value, np.generic) and same_elements(value.dtype, dtype):
        return dtype.type(np.asarray(value).view(dtype))
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, int) and (is_integer(dtype) or dtype == np.bool_):
        bits = 1 if dtype == np.bool_ else dtype.itemsize * 8
        if not -(1 << (bits - 1)) <= number < 1 << bits:
            raise InputError(f"{what}: {number} does not fit in {wanted}")
        return dtype.type(np.asarray(number & ((1 << bits) - 1), np.uint64).astype(dtype))
    is_typed = isinstance(value, np.generic)
    if not is_typed and isinstance(number, int | float) and not is_integer(dtype):
        with np.errstate(over="ignore"):
            return dtype.type(float(number))
    raise InputError(f"{what}: expected a number {wanted}, got {_describe_value(value)}")


def _describe_value(value: Value | None) -> str:
    if value is None:
        return "no value"
    if isinstance(value, np.ndarray | np.generic):
        try:
            return describe(value.shape, name_of_dtype(value.dtype))
        except InputError:
            return f"{describe(value.shape, str(value.dtype))} (numpy's)"
    return f"the number {value}"
