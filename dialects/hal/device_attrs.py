"""Attributes that say which runtime device a global of type `!hal.device` is.

Each is a typed attribute: it prints with its type, `#hal.device.target<"local"> : !hal.device`.
"""

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    NoneAttr,
    NoneType,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .executable_attrs import ExecutableTargetAttr
from .syntax import parse_flat_symbol
from .types import DeviceType


def _parse_type(parser: AttrParser, default: Attribute) -> Attribute:
    if parser.parse_optional_punctuation(":") is None:
        return default
    return parser.parse_type()


class DeviceInitializationAttr(TypedAttribute, ABC):
    """What the device attributes share: their first parameter is their type."""

    @classmethod
    def get_type_index(cls) -> int:
        """The type is the first parameter."""
        return 0

    def print_parameters(self, printer: Printer) -> None:
        """Print the parameters and then the type."""
        self.print_without_type(printer)
        if not isinstance(self.get_type(), NoneType):
            printer.print_string(" : ")
            printer.print_attribute(self.get_type())


@irdl_attr_definition
class DeviceAliasAttr(DeviceInitializationAttr):
    """A device by a name that compiler flags expand."""

    name = "hal.device.alias"

    type: DeviceType
    device_id: StringAttr
    ordinal: IntAttr | NoneAttr
    """The n-th device of that name."""
    configuration: DictionaryAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"id"[1], {…}> : !hal.device`, ordinal and dictionary optional."""
        ordinal: Attribute = NoneAttr()
        configuration: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            device_id = StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation("[") is not None:
                ordinal = IntAttr(parser.parse_integer(allow_boolean=False))
                parser.parse_punctuation("]")
            if parser.parse_optional_punctuation(",") is not None:
                configuration = parser.parse_attribute()
        return (_parse_type(parser, DeviceType()), device_id, ordinal, configuration)

    def print_without_type(self, printer: Printer) -> None:
        """Print `<"id"[1], {…}>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.device_id)
            if isinstance(self.ordinal, IntAttr):
                printer.print_string(f"[{self.ordinal.data}]")
            if isinstance(self.configuration, DictionaryAttr):
                printer.print_string(", ")
                printer.print_attribute(self.configuration)


@irdl_attr_definition
class DeviceTargetAttr(DeviceInitializationAttr):
    """A device by driver name, with its configuration and the executables it can load."""

    name = "hal.device.target"

    type: DeviceType
    device_id: StringAttr
    configuration: DictionaryAttr
    executable_targets: ArrayAttr[ExecutableTargetAttr]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"id", {…}, [#hal.executable.target<…>]> : !hal.device`, two of them optional."""
        configuration: Attribute = DictionaryAttr({})
        targets: Attribute = ArrayAttr[Attribute](())
        with parser.in_angle_brackets():
            device_id = StringAttr(parser.parse_str_literal())
            parts = [parser.parse_attribute() for _ in range(2) if _comma(parser)]
        for part in parts:
            if isa(part, ArrayAttr):
                targets = part
            else:
                configuration = part
        return (_parse_type(parser, DeviceType()), device_id, configuration, targets)

    def print_without_type(self, printer: Printer) -> None:
        """Print `<"id", {…}, […]>` without empty parts."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.device_id)
            if self.configuration.data:
                printer.print_string(", ")
                printer.print_attribute(self.configuration)
            if self.executable_targets.data:
                printer.print_string(", ")
                printer.print_attribute(self.executable_targets)


def _comma(parser: AttrParser) -> bool:
    return parser.parse_optional_punctuation(",") is not None


@irdl_attr_definition
class DeviceOrdinalAttr(DeviceInitializationAttr):
    """The n-th device that the runtime registered."""

    name = "hal.device.ordinal"

    type: DeviceType | NoneType
    ordinal: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<0> : !hal.device`."""
        with parser.in_angle_brackets():
            ordinal = IntAttr(parser.parse_integer(allow_boolean=False))
        return (_parse_type(parser, NoneType()), ordinal)

    def print_without_type(self, printer: Printer) -> None:
        """Print `<0>`."""
        printer.print_string(f"<{self.ordinal.data}>")


@irdl_attr_definition
class DeviceFallbackAttr(DeviceInitializationAttr):
    """The device of another global."""

    name = "hal.device.fallback"

    type: DeviceType | NoneType
    device: SymbolRefAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<@device> : !hal.device`."""
        with parser.in_angle_brackets():
            device = parse_flat_symbol(parser)
        return (_parse_type(parser, NoneType()), device)

    def print_without_type(self, printer: Printer) -> None:
        """Print `<@device>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.device)


@irdl_attr_definition
class DeviceSelectAttr(DeviceInitializationAttr):
    """The first of several devices that is available."""

    name = "hal.device.select"

    type: DeviceType | NoneType
    devices: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<[#hal.device.target<"…"> : !hal.device, …]> : !hal.device`."""
        with parser.in_angle_brackets():
            devices = parser.parse_attribute()
        return (_parse_type(parser, NoneType()), devices)

    def print_without_type(self, printer: Printer) -> None:
        """Print `<[…]>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.devices)

    def verify(self) -> None:
        """Check that there is a choice and that it is between devices."""
        if not self.devices.data:
            raise VerifyException("expected at least one device to select from, got none")
        for device in self.devices:
            if not isinstance(device, DeviceInitializationAttr):
                raise VerifyException(f"expected a device attribute to select, got {device}")
