"""Inputs: iree-run-module's notation, files, defaults, and one line for each fault."""

import contextlib
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from zcir.runtime.element_types import Array, Value
from zcir.runtime.io import (
    InputError,
    counting_input,
    fit_scalar,
    fit_tensor,
    parse_inputs,
)


def parse(text: str) -> Value | None:
    (value,) = parse_inputs([text])
    return value


def parse_arrays(*texts: str) -> list[Array]:
    return [np.asarray(value) for value in parse_inputs(texts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4xf32=1,2.5,1e10,-3", np.array([1, 2.5, 1e10, -3], np.float32)),
        ("2x2xi8=[1 2][3 4]", np.array([[1, 2], [3, 4]], np.int8)),
        ("2x2x1xf64=[[[1],[2]],[[3],[4]]]", np.array([[[1], [2]], [[3], [4]]], np.float64)),
        ("3xf32=0.5", np.full(3, 0.5, np.float32)),
        ("3xi32", np.zeros(3, np.int32)),
        ("3xi32=", np.zeros(3, np.int32)),
        ("4xi8=1 -2 200 127", np.array([1, -2, -56, 127], np.int8)),
        ("2xsi16=-1 5", np.array([-1, 5], np.int16)),
        ("2xui8=200 5", np.array([200, 5], np.uint8)),
        ("2xui64=18446744073709551615 0", np.array([2**64 - 1, 0], np.uint64)),
        ("2xi64=-9223372036854775808 0x10", np.array([-(2**63), 16], np.int64)),
        ("3xi32=010 +6 0", np.array([8, 6, 0], np.int32)),
        ("2xi1=1 0", np.array([True, False])),
        ("2xi1=01 00", np.array([True, False])),
        ("2xi1=true false", np.array([True, False])),
        ("2xf16=0.1 65504", np.array([0.1, 65504], np.float16)),
        ("2xbf16=3.14159 1", np.array([3.14159, 1], ml_dtypes.bfloat16)),
        ("2xf8E4M3FN=1 2.5", np.array([1, 2.5], ml_dtypes.float8_e4m3fn)),
        ("2xcf64=0000803F00000040 1+2j", np.array([1 + 2j, 1 + 2j], np.complex64)),
        ("2xcomplex<f32>=1", np.array([1, 1], np.complex64)),
        ("1xcf128=1-1j", np.array([1 - 1j], np.complex128)),
        ("i32=5", np.array(5, np.int32)),
        ("f32=2.5", np.array(2.5, np.float32)),
        ("2xf32=0x10 0x1p-1", np.array([16, 0.5], np.float32)),
        ("0xf32", np.zeros(0, np.float32)),
        ("2x0xf32=", np.zeros((2, 0), np.float32)),
        ("&3xf32=1", np.ones(3, np.float32)),
        ('  "2xf32=1 2"  ', np.array([1, 2], np.float32)),
    ],
)
def test_text(text: str, expected: Array) -> None:
    value = parse(text)
    assert isinstance(value, np.ndarray)
    assert value.dtype == expected.dtype
    assert value.shape == expected.shape
    assert np.array_equal(value, expected)


def test_special_floats() -> None:
    value = parse("4xf32=nan,inf,-inf,-0.0")
    assert isinstance(value, np.ndarray)
    assert np.isnan(value[0])
    assert value[1:3].tolist() == [np.inf, -np.inf]
    assert np.signbit(value[3])


def test_narrow_floats_overflow_to_infinity() -> None:
    assert np.array_equal(
        parse_arrays("2xf16=1e9 -1e9")[0], np.array([np.inf, -np.inf], np.float16)
    )


@pytest.mark.parametrize(
    ("text", "expected"), [("5", 5), ("-5", -5), ("2.5", 2.5), ("0x10", 16), ("1e3", 1000.0)]
)
def test_bare_number_is_a_primitive(text: str, expected: float) -> None:
    value = parse(text)
    assert value == expected
    assert type(value) is type(expected)


def test_no_value() -> None:
    assert parse_inputs(["(null)", "(ignored)"]) == [None, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no value given; expected SHAPExTYPE=VALUES or @FILE.npy"),
        ("4xf32=1,2", "expected 4 elements or one for all, got 2"),
        ("4xf32=1 2 3 4 5", "expected 4 elements or one for all, got 5"),
        ("0xf32=1", "expected 0 elements or one for all, got 1"),
        ("4xf32=1,a,3,4", "expected a number, got 'a'"),
        ("1xf32=1_0", "expected a number, got '1_0'"),
        ("1xi32=1.5", "expected an integer, got '1.5'"),
        ("1xi32=08", "expected an integer, got '08'"),
        ("1xi8=256", "256 does not fit in 8 bits (expected -128 to 255)"),
        ("1xi8=-129", "-129 does not fit in 8 bits (expected -128 to 255)"),
        ("1xui8=-1", "-1 does not fit in 8 bits (expected 0 to 255)"),
        ("1xi1=2", "expected 0, 1, true or false, got '2'"),
        ("1xcf64=x", "expected a complex number such as 1+2j, got 'x'"),
        ("-1xf32=1", "expected a dimension of digits, got '-1' in '-1xf32'"),
        ("xf32", "expected a dimension of digits, got '' in 'xf32'"),
        ("4x=1", "expected SHAPExTYPE such as 2x3xf32, got '4x'"),
        ("1x" * 70 + "f32", "rank 70 is above the limit of 64"),
        ("9999999999999999xf32", "cannot hold 9999999999999999 elements of 4 bytes"),
        ("hello", "expected a number or SHAPExTYPE=VALUES, got 'hello'"),
        ("@x.txt", "expected a .npy file, got 'x.txt'; raw bytes are SHAPExTYPE=@x.txt"),
        ("@no.npy", "cannot read 'no.npy': no such file or directory"),
        ("4xf32=@no.bin", "cannot read 'no.bin': no such file or directory"),
    ],
)
def test_malformed(
    text: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        parse(text)
    assert str(caught.value).endswith(f"': {message}")
    assert "\n" not in str(caught.value)


def test_unknown_element_type_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown element type 'f33'; expected one of i1, i8"):
        parse("4xf33=1")


def test_arrays_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    with path.open("wb") as file:
        for value in (1, 2, 3):
            np.save(file, np.full(2, value, np.float32))
    firsts = [value[0] for value in parse_arrays(f"@{path}", f"+{path}", f"@{path}")]
    assert firsts == [1, 2, 1]
    rest = [value[0] for value in parse_arrays(f"@{path}", f"*{path}", "5xf32=9")]
    assert rest == [1, 2, 3, 9]
    assert len(parse_inputs([f"*{path}", f"*{path}"])) == 3
    with pytest.raises(InputError, match=r"is not a whole \.npy array: eOF"):
        parse_inputs([f"@{path}", f"*{path}", f"+{path}"])


def test_numpy_layouts_become_native_and_row_major(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    values = np.arange(6, dtype=">f4").reshape(2, 3)
    for array in (values, np.asfortranarray(values)):
        np.save(path, array)
        read = parse(f"@{path}")
        assert isinstance(read, np.ndarray)
        assert read.dtype == np.float32
        assert read.flags.c_contiguous
        assert np.array_equal(read, values)
    np.save(path, np.float32(3))
    assert np.array_equal(parse_arrays(f"@{path}")[0], np.array(3, np.float32))


def test_truncated_files(tmp_path: Path) -> None:
    whole = tmp_path / "x.npy"
    np.save(whole, np.arange(64, dtype=np.int64))
    content = whole.read_bytes()
    cut = tmp_path / "cut.npy"
    for length in [*range(0, 130, 7), 127, 128, 129, len(content) - 1]:
        cut.write_bytes(content[:length])
        with pytest.raises(InputError) as caught:
            parse(f"@{cut}")
        assert "\n" not in str(caught.value)


def test_mutated_headers_never_escape(tmp_path: Path) -> None:
    whole = tmp_path / "x.npy"
    np.save(whole, np.arange(4, dtype=np.int16))
    content = np.frombuffer(whole.read_bytes(), np.uint8)
    random = np.random.default_rng(7)
    for _ in range(300):
        mutant = content.copy()
        mutant[random.integers(0, 64, 3)] = random.integers(0, 256, 3)
        whole.write_bytes(mutant.tobytes())
        with contextlib.suppress(InputError):
            parse(f"@{whole}")


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.array([{}], dtype=object))
    with pytest.raises(InputError, match="object arrays cannot be loaded"):
        parse(f"@{path}")


def test_raw_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(np.arange(6, dtype=np.int16).tobytes())
    first, second = parse_arrays(f"2x2xi16=@{path}", f"2xi16=+{path}")
    assert np.array_equal(first, np.array([[0, 1], [2, 3]], np.int16))
    assert np.array_equal(second, np.array([4, 5], np.int16))
    with pytest.raises(InputError, match=r"expected 64 bytes in '.*x\.bin', got 12"):
        parse(f"8xi64=@{path}")


def test_counting_inputs() -> None:
    assert counting_input((2, 2), np.dtype(np.float32)).tolist() == [[1, 2], [3, 4]]
    assert counting_input((300,), np.dtype(np.int8))[126:129].tolist() == [127, -128, -127]
    assert counting_input((3,), np.dtype(np.bool_)).tolist() == [True, False, True]
    assert counting_input((), np.dtype(np.int32)) == 1
    assert counting_input((2,), np.dtype(ml_dtypes.bfloat16)).tolist() == [1, 2]


F32 = np.dtype(np.float32)
I8 = np.dtype(np.int8)


def test_fitting_tensors() -> None:
    array = np.ones((2, 3), np.float32)
    assert fit_tensor(array, (2, None), F32, "input 0") is array
    unsigned = np.array([200], np.uint8)
    assert fit_tensor(unsigned, (1,), I8, "input 0").tolist() == [-56]
    raw = np.array([1, 2], ml_dtypes.bfloat16).view("V2")
    assert fit_tensor(raw, (2,), np.dtype(ml_dtypes.bfloat16), "input 0").tolist() == [1, 2]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones(5, np.float32), "input 0: expected 4xf32, got 5xf32"),
        (np.ones((4, 1), np.float32), "input 0: expected 4xf32, got 4x1xf32"),
        (np.ones(4, np.int32), "input 0: expected 4xf32, got 4xi32"),
        (np.array(["a"] * 4), "input 0: expected 4xf32, got 4x<U1 (numpy's)"),
        (5, "input 0: expected a tensor 4xf32, got the number 5"),
        (None, "input 0: expected a tensor 4xf32, got no value"),
    ],
)
def test_unfit_tensors(value: Value | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        fit_tensor(value, (4,), F32, "input 0")
    assert str(caught.value) == message


def test_fitting_scalars() -> None:
    assert fit_scalar(5, F32, "input 0") == np.float32(5)
    assert fit_scalar(255, I8, "input 0") == np.int8(-1)
    assert fit_scalar(np.array(5, np.uint8), I8, "input 0") == np.int8(5)
    assert fit_scalar(np.float32(2.5), F32, "input 0") == np.float32(2.5)
    assert fit_scalar(True, np.dtype(np.bool_), "input 0") == np.bool_(True)
    assert fit_scalar(1, np.dtype(np.bool_), "input 0") == np.bool_(True)
    assert fit_scalar(-1, np.dtype(np.uint64), "input 0") == np.uint64(2**64 - 1)
    assert fit_scalar(0.1, F32, "input 0").dtype == np.float32


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (256, "input 1: 256 does not fit in i8"),
        (-129, "input 1: -129 does not fit in i8"),
        (2.5, "input 1: expected a number i8, got the number 2.5"),
        (np.ones(2, np.int8), "input 1: expected a number i8, got 2xi8"),
        (np.float32(1), "input 1: expected a number i8, got f32"),
        (None, "input 1: expected a number i8, got no value"),
    ],
)
def test_unfit_scalars(value: Value | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        fit_scalar(value, I8, "input 1")
    assert str(caught.value) == message
