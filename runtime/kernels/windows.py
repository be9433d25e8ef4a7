"""Convolutions and poolings as structured ops, by their names.

A name says its layouts, a letter for each dimension: `conv_2d_nhwc_hwcf` has an input n h w c and
a filter h w c f; its output has the input's letters with f for c. `depthwise_conv_…` keeps c,
`…_q` adds two zero points, pooling has a window of the spatial letters. A spatial dimension of
the input is reached by `out * stride + window * dilation`.
"""

import re
from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from ...dialects.diagnostics import op_name
from .attributes import integers
from .builders import (
    ADD,
    MAX,
    MAX_UNSIGNED,
    MIN,
    MIN_UNSIGNED,
    Body,
    Kinds,
    combining,
    letter_maps,
    make_structured,
    multiply_accumulate,
    quantized_multiply_accumulate,
)
from .layout import Structured

_CONVOLUTION = re.compile(
    r"linalg\.(?P<depthwise>depthwise_)?conv_(?P<rank>[123])d"
    r"(_(?P<input>[ncgdhw]+)_(?P<filter>[fcgmdhw]+))?(?P<quantized>_q)?"
)
_POOLING = re.compile(r"linalg\.pooling_(?P<input>[ncdhw]+)_(?P<kind>\w+)")
_POOLINGS: dict[str, Kinds] = {
    "sum": ADD,
    "max": MAX,
    "min": MIN,
    "max_unsigned": MAX_UNSIGNED,
    "min_unsigned": MIN_UNSIGNED,
}
_SPATIAL = "dhw"


def _windowed(op: Operation, operands: Sequence[str], body: Body, spatial: str) -> Structured:
    """An op whose input's spatial letters move over a window, whose letters are upper-case."""
    loops, maps, parallel = letter_maps(operands)
    strides = integers(op, "strides", (1,) * len(spatial))
    dilations = integers(op, "dilations", (1,) * len(spatial))
    moved: dict[str, AffineExpr] = {}
    for letter, stride, dilation in zip(spatial, strides, dilations, strict=True):
        out = AffineDimExpr(loops.index(letter))
        window = AffineDimExpr(loops.index(letter.upper()))
        moved[letter] = out * stride + window * dilation
    results = tuple(
        moved.get(letter, plain) for letter, plain in zip(operands[0], maps[0].results, strict=True)
    )
    return make_structured(op, (AffineMap(len(loops), 0, results), *maps[1:]), parallel, body)


def convolution(op: Operation) -> Structured | None:
    """The structured form of a convolution by its name; None for another op."""
    match = _CONVOLUTION.fullmatch(op_name(op))
    if match is None:
        return None
    spatial = _SPATIAL[-int(match["rank"]) :]
    layout = match["input"] or spatial
    window = (match["filter"] or spatial).translate(_upper(spatial))
    if match["depthwise"]:
        output = layout + ("m" if "m" in window else "")
    else:
        output = layout.replace("c", "f")
    if match["quantized"]:
        letters = (layout, window, "", "", output)
        return _windowed(op, letters, quantized_multiply_accumulate, spatial)
    return _windowed(op, (layout, window, output), multiply_accumulate, spatial)


def pooling(op: Operation) -> Structured | None:
    """The structured form of a pooling by its name; None for another op."""
    match = _POOLING.fullmatch(op_name(op))
    if match is None or match["kind"] not in _POOLINGS:
        return None
    spatial = "".join(letter for letter in match["input"] if letter in _SPATIAL)
    letters = (match["input"], spatial.upper(), match["input"])
    return _windowed(op, letters, combining(_POOLINGS[match["kind"]]), spatial)


def _upper(letters: str) -> dict[int, int]:
    return str.maketrans(letters, letters.upper())
