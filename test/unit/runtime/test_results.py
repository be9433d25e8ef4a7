"""Results: iree-run-module's print-out, files, and comparison with expectations."""

import io
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from zcir.runtime.element_types import Array
from zcir.runtime.io import InputError, parse_inputs
from zcir.runtime.results import (
    Tolerance,
    compare,
    format_array,
    format_results,
    format_value,
    write_outputs,
)


def array(text: str) -> Array:
    (value,) = parse_inputs([text])
    assert isinstance(value, np.ndarray)
    return value


# Each of these is what iree-run-module 3.13 printed for the input on the left.
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("4xf32=1,2.5,1e10,1e-7", "4xf32=1 2.5 1E+10 1E-07"),
        ("4xf32=nan,inf,-inf,123456.789", "4xf32=NAN INF -INF 123457"),
        ("4xf32=-0.0,1234567,0.1,1e-5", "4xf32=-0 1.23457E+06 0.1 1E-05"),
        ("4xf64=3.14159265358979,1e300,0.0001,100000", "4xf64=3.14159 1E+300 0.0001 100000"),
        ("4xf16=1,65504,1e-5,0.1", "4xf16=1 65504 1.00136E-05 0.0999756"),
        ("4xbf16=1,3.14159,1e30,0.1", "4xbf16=1 3.14062 1.00026E+30 0.100098"),
        ("4xi8=1,-2,200,127", "4xi8=1 -2 -56 127"),
        ("4xui8=1,2,3,200", "4xui8=1 2 3 200"),
        ("4xi1=01 00 01 01", "4xi1=01 00 01 01"),
        ("2x2xi32=[1 2][3 4]", "2x2xi32=[1 2][3 4]"),
        ("2x2x2xf32=1 2 3 4 5 6 7 8", "2x2x2xf32=[[1 2][3 4]][[5 6][7 8]]"),
        ("f32=5", "f32=5"),
        ("i64=-5", "i64=-5"),
        ("0xf32", "0xf32="),
        ("2x0xf32", "2x0xf32=[][]"),
        ("0x2xf32", "0x2xf32="),
        ("2x1200xi32=7", "2x1200xi32=[" + "7 " * 1023 + "7...][...]"),
        ("2xcf64=0000803F00000040", "2xcf64=0000803F00000040 0000803F00000040"),
    ],
)
def test_printing(text: str, printed: str) -> None:
    assert format_array(array(text)) == printed


def test_printing_a_negative_nan() -> None:
    assert format_array(np.array([-np.nan, np.nan], np.float32)) == "2xf32=-NAN NAN"


def test_printing_primitives() -> None:
    values = [np.int32(5), np.float32(2.5), True, np.int64(-9), np.float64(1e-9), np.int8(3)]
    assert [format_value(value) for value in values] == [
        "i32=5",
        "f32=2.5",
        "i32=1",
        "i64=-9",
        "f64=1e-09",
        "i32=3",
    ]


def test_printing_results() -> None:
    assert format_results([np.ones(2, np.float32), np.int32(5)]) == (
        "result[0]: hal.buffer_view\n2xf32=1 1\nresult[1]: i32=5\n"
    )


def test_sinks(tmp_path: Path) -> None:
    first, second = tmp_path / "first.npy", tmp_path / "raw.bin"
    one, two = np.arange(3, dtype=np.int8), np.array(2.5, np.float64)
    printed = io.StringIO()
    sinks = [f"@{first}", f"+{first}", "-", "", f"@{second}", f"+{second}"]
    write_outputs([one, two, one, one, one, one], sinks, printed)
    assert printed.getvalue() == "hal.buffer_view\n3xi8=0 1 2\n"
    read = [np.asarray(value) for value in parse_inputs([f"*{first}"])]
    assert np.array_equal(read[0], one)
    assert np.array_equal(read[1], two)
    assert second.read_bytes() == one.tobytes() * 2


@pytest.mark.parametrize(
    ("sinks", "message"),
    [
        (["-"], "1 outputs given for 2 results"),
        (["-", "y.npy"], "output 'y.npy': expected @FILE, +FILE, - or nothing"),
        (["-", "@"], "output '@': expected @FILE, +FILE, - or nothing"),
        (["", "@no/y.npy"], "cannot write 'no/y.npy': no such file or directory"),
    ],
)
def test_bad_sinks(
    sinks: list[str], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with pytest.raises(InputError) as caught:
        write_outputs([np.ones(1), np.ones(1)], sinks, printed)
    assert str(caught.value).endswith(message)
    assert printed.getvalue() == ""


def test_equal_results_say_nothing() -> None:
    assert compare([np.ones(2), np.int32(3)], [np.ones(2), np.int32(3)]) == ""
    assert compare([np.ones(2)], [None]) == ""


def test_signedness_does_not_matter() -> None:
    assert compare([array("2xi8=-56 1")], [array("2xui8=200 1")]) == ""


def test_bf16_from_a_numpy_file() -> None:
    actual = np.array([1, 2], ml_dtypes.bfloat16)
    assert compare([actual], [actual.view("V2")]) == ""


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_tolerance_is_the_types(dtype: type[np.generic]) -> None:
    tolerance = Tolerance(rtol=0.0)
    absolute = tolerance.absolute(np.dtype(dtype))
    assert absolute is not None
    expected: Array = np.zeros(2, dtype)
    within, beyond = expected.copy(), expected.copy()
    within[1], beyond[1] = absolute * 0.9, absolute * 1.1
    assert compare([within], [expected], tolerance) == ""
    assert "element at index 1" in compare([beyond], [expected], tolerance)


def test_not_a_number_equals_itself_by_position() -> None:
    nan = np.array([np.nan, 1, np.inf], np.float32)
    assert compare([nan], [nan.copy()]) == ""
    assert "index 0 (1) does not match the expected (NAN)" in compare(
        [np.array([1, 1, np.inf], np.float32)], [nan]
    )
    assert "index 2 (1) does not match the expected (INF)" in compare(
        [np.array([np.nan, 1, 1], np.float32)], [nan]
    )


def test_exact_mode_compares_bytes() -> None:
    zero, minus_zero = np.array([0.0], np.float32), np.array([-0.0], np.float32)
    assert compare([zero], [minus_zero]) == ""
    assert compare([zero], [minus_zero], Tolerance(exact=True)) != ""


# As iree-run-module 3.13 tells it.
def test_reports() -> None:
    assert compare([array("4xf32=1 2.7 -3.7 4")], [array("4xf32=1 2.7 -3.7 4.1")]) == (
        "[FAILED] result[0]: element at index 3 (4) does not match the expected (4.1); "
        "expected that the view is equal to contents of a view of 4xf32\n"
        "  expected:\n4xf32=1 2.7 -3.7 4.1\n  actual:\n4xf32=1 2.7 -3.7 4\n"
    )
    assert compare([array("4xi32=1 2 -3 4")], [array("2x2xi32=1 2 -3 4")]) == (
        "[FAILED] result[0]: metadata is 4xi32; expected that the view matches 2x2xi32; "
        "expected that the view is equal to contents of a view of 2x2xi32\n"
        "  expected:\n2x2xi32=[1 2][-3 4]\n  actual:\n4xi32=1 2 -3 4\n"
    )
    assert compare([np.ones(1), np.ones(1)], [np.ones(1)]) == (
        "[FAILED] expected 1 list elements but 2 provided\n"
    )


def test_another_type_differs() -> None:
    assert "metadata is 2xf32" in compare([np.ones(2, np.float32)], [np.ones(2, np.int32)])
    assert "metadata is 2xf32" in compare([np.ones(2, np.float32)], [np.ones(2, np.float64)])


def test_primitive_and_tensor_of_rank_0_compare() -> None:
    assert compare([np.int32(5)], [array("i32=5")]) == ""
    assert "does not match" in compare([np.int32(5)], [array("i32=6")])
