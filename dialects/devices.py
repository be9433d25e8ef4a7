"""Devices that affinities name, checked against the globals that declare devices."""

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.utils.exceptions import VerifyException

from .symbols import lookup_in, symbol_table_of


def named_devices(affinity: Attribute) -> Iterator[SymbolRefAttr]:
    """The symbols of declared devices in an affinity; promises name devices declared later."""
    if affinity.name == "hal.device.promise":
        return
    if isinstance(affinity, SymbolRefAttr):
        yield affinity
    elif isinstance(affinity, ArrayAttr):
        for entry in cast(ArrayAttr[Attribute], affinity):
            yield from named_devices(entry)
    elif isinstance(affinity, ParametrizedAttribute) and affinity.name.startswith("hal.device."):
        for parameter in affinity.parameters:
            yield from named_devices(parameter)


def declares_devices(module: Operation) -> bool:
    """Whether a module has a global of type `!hal.device`."""
    block = module.regions[0].blocks.first
    return block is not None and any(_is_device_global(op) for op in block.ops)


def _is_device_global(op: Operation) -> bool:
    type = op.properties.get("type")
    return op.name == "util.global" and type is not None and type.name == "hal.device"


def verify_devices_declared(op: Operation, affinity: Attribute) -> None:
    """Checks that the devices of an affinity at `op` are declared.

    A module that declares no device at all is a fragment, in which every device may be named.

    Raises:
        VerifyException: naming the device that no global declares.
    """
    for device in named_devices(affinity):
        module = symbol_table_of(op)
        if module is None or lookup_in(module, device.root_reference.data) is not None:
            continue
        if declares_devices(module):
            raise VerifyException(
                f"expected a device that a util.global declares, got {device}; "
                "declare it or use #hal.device.promise"
            )
