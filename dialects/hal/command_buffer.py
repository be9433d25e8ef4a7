"""Ops that make command buffers and record debug groups, barriers and dispatches.

```mlir
%cmd = hal.command_buffer.create device(%device : !hal.device) mode(OneShot)
    categories("Transfer|Dispatch") affinity(%affinity) bindings(%capacity) : !hal.command_buffer
hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%function]
    workgroups([%x, %y, %z]) bindings([(%slot : index)[%offset, %length]]) flags("None")
hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Dispatch) target(Transfer)
    flags("None")
hal.command_buffer.finalize<%cmd : !hal.command_buffer>
```
A buffer operand of type `index` is a slot of the binding table that the submission brings. All
offsets and lengths are in bytes. Transfers and cache maintenance are in `transfer_commands`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, StringAttr, i32, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..verify import constant_index
from .command_checks import (
    REFERENCE,
    BindingRanges,
    CollectiveRanges,
    CommandOp,
    check_bindings,
)
from .enums import (
    CommandBufferMode,
    CommandCategory,
    DispatchFlags,
    ExecutionBarrierFlag,
    ExecutionStage,
)
from .executable_attrs import CollectiveAttr
from .format import Bindings, EnumConstraint, EnumValue, Stripped
from .types import (
    ChannelType,
    CommandBufferType,
    DeviceType,
    ExecutableType,
)


@irdl_op_definition
class CommandBufferCreateOp(IRDLOperation):
    """A command buffer in recording state."""

    name = "hal.command_buffer.create"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues it may be submitted to: bit q for queue q."""
    binding_capacity = opt_operand_def(IndexType())
    """Slots of its binding table; commands name slots below it."""
    modes = prop_def(EnumConstraint(CommandBufferMode))
    command_categories = prop_def(EnumConstraint(CommandCategory))
    result = result_def(CommandBufferType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `mode` `(` custom<EnumValue>($modes) `)` "
        "`categories` `(` custom<EnumValue>($command_categories) `)` "
        "`affinity` `(` $queue_affinity `)` (`bindings` `(` $binding_capacity^ `)`)? "
        "`:` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that the binding table has a size."""
        capacity = self.slots
        if capacity is not None and capacity < 0:
            raise VerifyException(f"expected a number of binding slots, got {capacity}")

    @property
    def slots(self) -> int | None:
        """How many binding slots it declares; None where that is not constant."""
        capacity = self.binding_capacity
        return 0 if capacity is None else constant_index(capacity)


@irdl_op_definition
class CommandBufferFinalizeOp(IRDLOperation):
    """Ends the recording; the command buffer can be submitted from then on."""

    name = "hal.command_buffer.finalize"

    command_buffer = operand_def(CommandBufferType)

    assembly_format = "`<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword"


@irdl_op_definition
class CommandBufferDeviceOp(IRDLOperation):
    """The device that a command buffer was made for."""

    name = "hal.command_buffer.device"

    command_buffer = operand_def(CommandBufferType)
    device = result_def(DeviceType)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` `:` type($device) attr-dict-with-keyword"
    )


@irdl_op_definition
class CommandBufferBeginDebugGroupOp(IRDLOperation):
    """Starts a named group of commands."""

    name = "hal.command_buffer.begin_debug_group"

    command_buffer = operand_def(CommandBufferType)
    label = prop_def(StringAttr)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` `label` `(` $label `)` "
        "attr-dict-with-keyword"
    )


@irdl_op_definition
class CommandBufferEndDebugGroupOp(IRDLOperation):
    """Ends the innermost group of commands."""

    name = "hal.command_buffer.end_debug_group"

    command_buffer = operand_def(CommandBufferType)

    assembly_format = "`<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword"


@irdl_op_definition
class CommandBufferExecutionBarrierOp(IRDLOperation):
    """Orders the commands before it, in the source stages, before those after it in the target's.

    Copy, fill, update and cache maintenance are in the Transfer stage. It does not flush caches.
    """

    name = "hal.command_buffer.execution_barrier"

    command_buffer = operand_def(CommandBufferType)
    source_stage_mask = prop_def(EnumConstraint(ExecutionStage))
    target_stage_mask = prop_def(EnumConstraint(ExecutionStage))
    flags = prop_def(EnumConstraint(ExecutionBarrierFlag))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`source` `(` custom<EnumValue>($source_stage_mask) `)` "
        "`target` `(` custom<EnumValue>($target_stage_mask) `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class CommandBufferCollectiveOp(CommandOp):
    """Records one participant's part in a collective."""

    name = "hal.command_buffer.collective"

    command_buffer = operand_def(CommandBufferType)
    channel = operand_def(ChannelType)
    element_count = operand_def(IndexType())
    param = opt_operand_def(i32)
    """The other participant of a send, receive, broadcast or reduce."""
    send_buffer = opt_operand_def(REFERENCE)
    send_offset = opt_operand_def(IndexType())
    send_length = opt_operand_def(IndexType())
    recv_buffer = opt_operand_def(REFERENCE)
    recv_offset = opt_operand_def(IndexType())
    recv_length = opt_operand_def(IndexType())
    op = prop_def(CollectiveAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(CollectiveRanges())
    custom_directives = (Stripped,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`channel` `(` $channel `:` type($channel) `)` `op` `(` custom<Stripped>($op) `)` "
        "(`param` `(` $param^ `:` type($param) `)`)? "
        "(`send` `(` $send_buffer^ `:` type($send_buffer) `)` "
        "`` `[` $send_offset `,` $send_length `]`)? "
        "(`recv` `(` $recv_buffer^ `:` type($recv_buffer) `)` "
        "`` `[` $recv_offset `,` $recv_length `]`)? "
        "`count` `(` $element_count `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class CommandBufferDispatchOp(CommandOp):
    """Records the run of a kernel over a grid of workgroups."""

    name = "hal.command_buffer.dispatch"

    command_buffer = operand_def(CommandBufferType)
    executable = operand_def(ExecutableType)
    entry_point = operand_def(i64)
    """Which function of the executable."""
    workgroup_x = operand_def(IndexType())
    workgroup_y = operand_def(IndexType())
    workgroup_z = operand_def(IndexType())
    constants = var_operand_def(i32)
    binding_buffers = var_operand_def(REFERENCE)
    binding_offsets = var_operand_def(IndexType())
    binding_lengths = var_operand_def(IndexType())
    flags = prop_def(EnumConstraint(DispatchFlags))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(BindingRanges())
    custom_directives = (Bindings, EnumValue)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`target` `(` $executable `:` type($executable) `)` `` `[` $entry_point `]` "
        "`workgroups` `(` `[` $workgroup_x `,` $workgroup_y `,` $workgroup_z `]` `)` "
        "(`constants` `(` `[` $constants^ `]` `)`)? "
        "`bindings` `(` `[` custom<Bindings>($binding_buffers, type($binding_buffers), "
        "$binding_offsets, $binding_lengths) `]` `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that each binding has an offset and a length, and the ranges."""
        check_bindings(self.binding_buffers, self.binding_offsets, self.binding_lengths)
        super().verify_()


@irdl_op_definition
class CommandBufferDispatchIndirectOp(CommandOp):
    """Records the run of a kernel whose grid is read from a buffer when it executes."""

    name = "hal.command_buffer.dispatch.indirect"

    command_buffer = operand_def(CommandBufferType)
    executable = operand_def(ExecutableType)
    entry_point = operand_def(i64)
    """Which function of the executable."""
    workgroups_buffer = operand_def(REFERENCE)
    """Holds three 32-bit counts: x, y and z."""
    workgroups_offset = operand_def(IndexType())
    constants = var_operand_def(i32)
    binding_buffers = var_operand_def(REFERENCE)
    binding_offsets = var_operand_def(IndexType())
    binding_lengths = var_operand_def(IndexType())
    flags = prop_def(EnumConstraint(DispatchFlags))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(BindingRanges())
    custom_directives = (Bindings, EnumValue)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`target` `(` $executable `:` type($executable) `)` `` `[` $entry_point `]` "
        "`workgroups` `(` $workgroups_buffer `:` type($workgroups_buffer) `)` "
        "`` `[` $workgroups_offset `]` "
        "(`constants` `(` `[` $constants^ `]` `)`)? "
        "`bindings` `(` `[` custom<Bindings>($binding_buffers, type($binding_buffers), "
        "$binding_offsets, $binding_lengths) `]` `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that each binding has an offset and a length, and the ranges."""
        check_bindings(self.binding_buffers, self.binding_offsets, self.binding_lengths)
        super().verify_()


OPS = (
    CommandBufferCreateOp,
    CommandBufferFinalizeOp,
    CommandBufferDeviceOp,
    CommandBufferBeginDebugGroupOp,
    CommandBufferEndDebugGroupOp,
    CommandBufferExecutionBarrierOp,
    CommandBufferCollectiveOp,
    CommandBufferDispatchOp,
    CommandBufferDispatchIndirectOp,
)
"""The ops of this file."""
