"""Functions inside executables: whether a variant fits a device, and its constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, Pure
from xdsl.utils.exceptions import VerifyException

from ..format_symbols import parse_result_region, print_result_region
from ..util.function_format import parse_signature, print_signature
from .buffer import PRIMITIVE
from .executable import ExecutableSourceOp, ExecutableVariantOp
from .regions import check_returns, listed
from .types import DeviceType

DICT_ARRAY = ArrayAttr[DictionaryAttr]
CONDITION_TYPE = FunctionType.from_lists([DeviceType()], [i1])
"""The signature of a condition."""


def _inherent(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """What a printed attribute dictionary holds of properties (FunctionOpInterface)."""
    return {key: value for key, value in attributes.items() if key in ("arg_attrs", "res_attrs")}


def _split_attributes(
    parser: Parser, reserved: Sequence[str]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    parsed = parser.parse_optional_attr_dict_with_keyword(reserved)
    attributes = {} if parsed is None else dict(parsed.data)
    inherent = _inherent(attributes)
    return inherent, {key: value for key, value in attributes.items() if key not in inherent}


@irdl_op_definition
class ExecutableConditionOp(IRDLOperation):
    """Whether the variant may run on a device, besides its format being supported."""

    name = "hal.executable.condition"

    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)
    body = region_def()

    traits = traits_def(IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Parser) -> ExecutableConditionOp:
        """Parse `(%device: !hal.device) -> i1 {…} attributes {…}`."""
        body = parse_result_region(parser, (i1,))
        inherent, attributes = _split_attributes(parser, ("function_type",))
        properties = {"function_type": CONDITION_TYPE, **inherent}
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        print_result_region(printer, self.body, (i1,))
        printer.print_op_attributes(
            self.attributes | _inherent(self.properties), print_keyword=True
        )

    def verify_(self) -> None:
        """Check that it takes a device and returns a boolean."""
        if self.function_type != CONDITION_TYPE:
            raise VerifyException(
                f"expected the signature {CONDITION_TYPE}, got {self.function_type}"
            )
        types = tuple(self.body.blocks[0].arg_types) if self.body.blocks else ()
        if types != (DeviceType(),):
            raise VerifyException(
                f"expected the condition to take (!hal.device), got {listed(types)}"
            )
        check_returns(self.body, (i1,), "condition")


@irdl_op_definition
class ExecutableConstantBlockOp(IRDLOperation):
    """Computes constants of 32 bits for the kernels from the device they are loaded on."""

    name = "hal.executable.constant.block"

    function_type = prop_def(FunctionType)
    keys = prop_def(ArrayAttr[Attribute])
    """Names of the results, by which kernels load them."""
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)
    body = region_def()

    traits = lazy_traits_def(
        lambda: (HasParent(ExecutableSourceOp, ExecutableVariantOp), IsolatedFromAbove())
    )

    @classmethod
    def parse(cls, parser: Parser) -> ExecutableConstantBlockOp:
        """Parse `(%device: !hal.device) -> (i32, i32) as ("a", "b") attributes {…} {…}`."""
        properties, arguments = parse_signature(parser)
        properties.pop("tied_operands", None)
        parser.parse_keyword("as")
        key = parser.parse_optional_str_literal()
        keys = (
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_str_literal)
            if key is None
            else [key]
        )
        properties["keys"] = ArrayAttr(StringAttr(key) for key in keys)
        _, attributes = _split_attributes(parser, ("function_type", "keys"))
        body = parser.parse_region(arguments)
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        print_signature(printer, self.properties, self.body)
        printer.print_string(" as ")
        if len(self.keys) == 1:
            printer.print_attribute(self.keys.data[0])
        else:
            with printer.in_parens():
                printer.print_list(self.keys, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        """Check the signature and that every result has a key."""
        inputs = self.function_type.inputs.data
        outputs = cast(Sequence[Attribute], self.function_type.outputs.data)
        if inputs not in ((), (DeviceType(),)):
            raise VerifyException(
                f"expected to take a !hal.device or nothing, got {listed(inputs)}"
            )
        if any(type != i32 for type in outputs):
            raise VerifyException(f"expected i32 results only, got {listed(outputs)}")
        if len(outputs) != len(self.keys):
            raise VerifyException(
                f"expected one key for each of the {len(outputs)} results, got {len(self.keys)}"
            )


@irdl_op_definition
class ExecutableConstantLoadOp(IRDLOperation):
    """A constant that a constant block computed."""

    name = "hal.executable.constant.load"

    key = prop_def(StringAttr)
    result = result_def(PRIMITIVE)

    traits = traits_def(Pure())

    assembly_format = "$key attr-dict `:` type($result)"


OPS = (ExecutableConditionOp, ExecutableConstantBlockOp, ExecutableConstantLoadOp)
"""The ops of this file."""
