"""The hal dialect: devices, queues, fences, command buffers and binding tables.

The host program makes command buffers, records commands into them and submits them to the queues
of devices; submissions wait for and signal fences, and nothing else orders them. Memory comes
from device pools; executables hold kernels. At the flow and stream levels only the boundary is
hal: buffer views, `hal.tensor.import` and `export`, the attributes that name devices
(`#hal.device.affinity`), and `#hal.device.topology`, which says how devices reach each other's
memory. After `stream-to-hal` everything that devices do is hal.

To IREE's ops it adds three that record cache maintenance, in the shape of `fill_buffer`:
`hal.command_buffer.flush_buffer`, `invalidate_buffer` and `discard_buffer`.

```mlir
hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%function]
    workgroups([%c1, %c1, %c1]) bindings([(%c0 : index)[%c0, %c64]]) flags("None")
hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Dispatch) target(Transfer)
    flags("None")
hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64]
    flags("None")
```
"""

from xdsl.ir import Dialect

from . import (
    allocator,
    buffer,
    buffer_view,
    channel,
    command_buffer,
    device,
    device_queue,
    device_queue_transfer,
    dispatch_extern,
    executable,
    executable_functions,
    executable_use,
    experimental,
    fence,
    instrument,
    interface,
    regions,
    tensor,
    transfer_commands,
)
from .affinity import AffinityAttr, DeviceAffinityAttr, DeviceOptimalAttr, DevicePromiseAttr
from .device_attrs import (
    DeviceAliasAttr,
    DeviceFallbackAttr,
    DeviceOrdinalAttr,
    DeviceSelectAttr,
    DeviceTargetAttr,
)
from .executable_attrs import (
    ABIConventionAttr,
    CollectiveAttr,
    ExecutableObjectAttr,
    ExecutableObjectsAttr,
    ExecutableTargetAttr,
    PipelineBindingAttr,
    PipelineLayoutAttr,
)
from .topology_attrs import DeviceLinkAttr, DeviceTopologyAttr
from .types import TYPES

ATTRIBUTES = (
    ABIConventionAttr,
    CollectiveAttr,
    DeviceAffinityAttr,
    DeviceAliasAttr,
    DeviceFallbackAttr,
    DeviceLinkAttr,
    DeviceOptimalAttr,
    DeviceOrdinalAttr,
    DevicePromiseAttr,
    DeviceSelectAttr,
    DeviceTargetAttr,
    DeviceTopologyAttr,
    ExecutableObjectAttr,
    ExecutableObjectsAttr,
    ExecutableTargetAttr,
    PipelineBindingAttr,
    PipelineLayoutAttr,
)
"""All attributes of the dialect."""

SECTIONS = (
    allocator,
    buffer,
    buffer_view,
    channel,
    command_buffer,
    device,
    device_queue,
    device_queue_transfer,
    dispatch_extern,
    executable,
    executable_functions,
    executable_use,
    experimental,
    fence,
    instrument,
    interface,
    regions,
    tensor,
    transfer_commands,
)

Hal = Dialect(
    "hal",
    [op for section in SECTIONS for op in section.OPS],
    [*ATTRIBUTES, *TYPES],
)
"""The dialect as xDSL registers it."""

__all__ = ["AffinityAttr", "Hal"]
