"""Constants of the program image, byte by byte."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context
from zcir.runtime.vm.elements import constant_bytes


def image(text: str) -> list[int]:
    value = Parser(make_context(), text).parse_attribute()
    return constant_bytes(ModuleOp([]), value).tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"ab"', [97, 98]),
        ("dense<[1, 258]> : tensor<2xi16>", [1, 0, 2, 1]),
        ("dense<7> : vector<3xi8>", [7, 7, 7]),
        ("dense<[true, false, true]> : tensor<3xi1>", [1, 0, 1]),
        ("#util.byte_pattern<-1> : tensor<3xi8>", [255, 255, 255]),
        ("#util.uninitialized : tensor<2xi8>", [0, 0]),
        (
            "#util.composite<4xi8, [dense<[1, 2]> : tensor<2xi8>, "
            "#util.byte_pattern<5> : tensor<2xi8>]>",
            [1, 2, 5, 5],
        ),
    ],
)
def test_constants_lie_in_the_image_as_bytes(text: str, expected: list[int]) -> None:
    assert image(text) == expected


@pytest.mark.parametrize("text", ["dense_resource<far> : tensor<2xi8>", "[1, 2]"])
def test_contents_that_are_not_in_the_module_are_refused(text: str) -> None:
    with pytest.raises(OpError, match="expected a string or dense elements as contents"):
        image(text)


def test_a_pattern_of_no_known_size_is_refused() -> None:
    with pytest.raises(OpError, match="expected contents of a known size"):
        image("#util.byte_pattern<5> : tensor<?xi8>")
