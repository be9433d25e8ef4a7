"""Ops for devices: finding them, asking what they can do, computing things once for each."""

from xdsl.dialects.builtin import IndexType, StringAttr, i1, i64
from xdsl.ir import Attribute, TypedAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..devices import verify_devices_declared
from .affinity import DeviceAffinityAttr
from .format import OneOf
from .regions import check_returns
from .types import AllocatorType, DeviceType

RESOLVABLE = OneOf((DeviceType(), AllocatorType(), i64))
"""What an affinity resolves to."""


@irdl_op_definition
class DeviceResolveOp(IRDLOperation):
    """The device, allocator or queue mask that an affinity stands for."""

    name = "hal.device.resolve"

    affinity = opt_prop_def(DeviceAffinityAttr)
    """The default one without."""
    resolved = var_result_def(RESOLVABLE)

    traits = traits_def(Pure())

    assembly_format = "(`on` `(` qualified($affinity)^ `)`)? attr-dict `:` type($resolved)"

    def verify_(self) -> None:
        """Check that the device is declared."""
        if self.affinity is not None:
            verify_devices_declared(self, self.affinity)


@irdl_op_definition
class DeviceAllocatorOp(IRDLOperation):
    """The allocator of a device."""

    name = "hal.device.allocator"

    device = operand_def(DeviceType)
    result = result_def(AllocatorType)

    traits = traits_def(Pure())

    assembly_format = "`<` $device `:` type($device) `>` `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class DeviceQueryOp(IRDLOperation):
    """Asks the runtime for a property of a device."""

    name = "hal.device.query"

    device = operand_def(DeviceType)
    category = prop_def(StringAttr)
    key = prop_def(StringAttr)
    default_value = opt_prop_def(Attribute)
    """The value where the runtime has none."""
    ok = result_def(i1)
    """Whether the runtime has one."""
    value = result_def(AnyAttr())

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $device `:` type($device) `>` `key` `(` $category `:` `` `:` $key `)` "
        "`:` type($ok) `,` type($value) (`=` $default_value^)? attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that the default has the type of the value."""
        default = self.default_value
        if default is None:
            return
        type = default.get_type() if isinstance(default, TypedAttribute) else None
        if type != self.value.type:
            raise VerifyException(f"expected a default of type {self.value.type}, got {default}")


@irdl_op_definition
class DeviceMemoizeOp(IRDLOperation):
    """Computes its body's results once for each device and set of queues."""

    name = "hal.device.memoize"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Bit q for queue q."""
    body = region_def()
    memoized = var_result_def()

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`->` type($memoized) attr-dict-with-keyword $body"
    )

    def verify_(self) -> None:
        """Check that the body returns the results."""
        check_returns(self.body, self.result_types, "memoized")


@irdl_op_definition
class DevicesCountOp(IRDLOperation):
    """How many devices the runtime has."""

    name = "hal.devices.count"

    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class DevicesGetOp(IRDLOperation):
    """The n-th device of the runtime, or null."""

    name = "hal.devices.get"

    index = operand_def(IndexType())
    result = result_def(DeviceType)

    traits = traits_def(Pure())

    assembly_format = "$index attr-dict `:` type($result)"


OPS = (
    DeviceResolveOp,
    DeviceAllocatorOp,
    DeviceQueryOp,
    DeviceMemoizeOp,
    DevicesCountOp,
    DevicesGetOp,
)
"""The ops of this file."""
