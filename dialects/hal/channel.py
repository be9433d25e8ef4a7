"""Ops for channels: groups of devices that run collectives together."""

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ..util.types import BufferType as HostBufferType
from .enums import ChannelFlag
from .format import EnumConstraint, EnumValue
from .types import ChannelType, DeviceType


@irdl_op_definition
class ChannelCreateOp(IRDLOperation):
    """Joins a group as one of its participants."""

    name = "hal.channel.create"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that run the collectives: bit q for queue q."""
    id = operand_def(HostBufferType)
    """The group's identifier, the same for all participants."""
    group = operand_def(HostBufferType)
    """The group's name."""
    rank = operand_def(i32)
    """Which participant this is; -1 asks the runtime."""
    count = operand_def(i32)
    """How many participants there are; -1 asks the runtime."""
    flags = prop_def(EnumConstraint(ChannelFlag))
    result = result_def(ChannelType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` `id` `(` $id `)` `group` `(` $group `)` "
        "`rank` `(` $rank `)` `count` `(` $count `)` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ChannelSplitOp(IRDLOperation):
    """Splits a group: participants of one color make one new group."""

    name = "hal.channel.split"

    channel = operand_def(ChannelType)
    color = operand_def(i32)
    """Which new group."""
    key = operand_def(i32)
    """Order within it."""
    flags = prop_def(EnumConstraint(ChannelFlag))
    result = result_def(ChannelType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $channel `:` type($channel) `>` `color` `(` $color `)` `key` `(` $key `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ChannelRankAndCountOp(IRDLOperation):
    """Which participant of how many this is."""

    name = "hal.channel.rank_and_count"

    channel = operand_def(ChannelType)
    rank = result_def(i32)
    count = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $channel `:` type($channel) `>` `:` type($rank) `,` type($count) "
        "attr-dict-with-keyword"
    )


OPS = (ChannelCreateOp, ChannelSplitOp, ChannelRankAndCountOp)
"""The ops of this file."""
