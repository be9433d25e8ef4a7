"""Channels for collectives, and resolution of what a device gives."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import Pure

from .base import AFFINITY, BUFFER, INDEX
from .types import ChannelType

CHANNEL = base(ChannelType)


@irdl_op_definition
class ContextResolveOp(IRDLOperation):
    """Gives what a device offers in other dialects: device, allocator, queue affinity."""

    name = "stream.context.resolve"

    affinity = opt_prop_def(AFFINITY)

    resolved = var_result_def(Attribute)
    """Chosen by their types (`results` in ODS, a name that xDSL keeps)."""

    traits = traits_def(Pure())

    assembly_format = "(`on` `(` $affinity^ `)`)? attr-dict `:` type($resolved)"


@irdl_op_definition
class ChannelCreateOp(IRDLOperation):
    """Makes a channel."""

    name = "stream.channel.create"

    id = opt_operand_def(BUFFER)
    """What the participants of the group share."""
    rank = opt_operand_def(INDEX)
    """The participant's number; else the device's."""
    count = opt_operand_def(INDEX)
    """How many participants there are; else the device's group."""

    group = opt_prop_def(base(StringAttr))
    """A group that the runtime knows by name."""
    affinity = opt_prop_def(AFFINITY)

    result = result_def(CHANNEL)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`id` `(` $id^ `)`)? (`group` `(` $group^ `)`)?"
        " (`rank` `(` $rank^ `)`)? (`count` `(` $count^ `)`)? `:` type($result)"
        " attr-dict-with-keyword"
    )


@irdl_op_definition
class ChannelSplitOp(IRDLOperation):
    """Makes channels of parts of a group."""

    name = "stream.channel.split"

    channel = operand_def(CHANNEL)
    color = operand_def(INDEX)
    """Participants of one colour form a group."""
    key = operand_def(INDEX)
    """Orders the participants of a group."""

    result = result_def(CHANNEL)

    traits = traits_def(Pure())

    assembly_format = (
        "$channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ChannelRankOp(IRDLOperation):
    """The participant's number in its group."""

    name = "stream.channel.rank"

    channel = operand_def(CHANNEL)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$channel `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class ChannelCountOp(IRDLOperation):
    """How many participants the group has."""

    name = "stream.channel.count"

    channel = operand_def(CHANNEL)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$channel `:` type($result) attr-dict-with-keyword"
