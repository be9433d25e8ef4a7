"""Collectives and their channels in host programs, at stream cmd and at hal level."""

import re

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation

from ...dialects import stream
from ...dialects.diagnostics import fail
from ...dialects.hal.channel import ChannelCreateOp, ChannelRankAndCountOp, ChannelSplitOp
from ..hal.channel import UNKNOWN, Channel, create_channel
from ..hal.command_buffer import CommandBuffer
from ..hal.refs import BufferRef
from .hal_values import integer
from .state import source


def record_collective(
    op: Operation,
    commands: CommandBuffer,
    what: tuple[str, str],
    ranges: list[BufferRef],
    count: int,
    param: int,
) -> None:
    """Record a collective on `count` elements of the ranges that it sends and receives.

    Args:
        op: for messages.
        commands: that record it.
        what: the kind, as in `all_reduce`, and the element type, as in `f32`.
        ranges: the range sent, then that received, as far as the kind has them.
        count: of elements, sent as well as received: a group has one participant.
        param: see `CommandBuffer.collective`.
    """
    kind, element = what
    size = re.match(r"\D+(\d+)", element)
    assert size is not None
    length = count * int(size[1]) // 8
    for ref in ranges:
        if ref.length < length:
            fail(op, f"expected {length} bytes for {count} x {element}, got {ref.length}")
    parts = [BufferRef(ref.target, ref.offset, length) for ref in ranges]
    commands.collective(kind, parts[0], parts[-1], source(op), param=param)


@register_impls
class ChannelFunctions(InterpreterFunctions):
    """Channels. A machine is the only participant of each of its groups."""

    @impl(ChannelCreateOp)
    def create(
        self, interpreter: Interpreter, op: ChannelCreateOp, args: PythonValues
    ) -> PythonValues:
        """Join a group; HalError where it has others."""
        rank, count = args[-2:]
        return (create_channel(integer(rank), integer(count)),)

    @impl(ChannelSplitOp)
    def split(
        self, interpreter: Interpreter, op: ChannelSplitOp, args: PythonValues
    ) -> PythonValues:
        """A part of a group of one is that group."""
        return (args[0],)

    @impl(ChannelRankAndCountOp)
    def rank_and_count(
        self, interpreter: Interpreter, op: ChannelRankAndCountOp, args: PythonValues
    ) -> PythonValues:
        """The number of the participant, and how many there are."""
        channel: Channel = args[0]
        return IntegerAttr(channel.rank, i32), IntegerAttr(channel.count, i32)

    @impl(stream.ChannelCreateOp)
    def create_stream(
        self, interpreter: Interpreter, op: stream.ChannelCreateOp, args: PythonValues
    ) -> PythonValues:
        """Join a group; HalError where it has others."""
        rank, count = (
            UNKNOWN if value is None else integer(interpreter.get_values((value,))[0])
            for value in (op.rank, op.count)
        )
        return (create_channel(rank, count),)

    @impl(stream.ChannelSplitOp)
    def split_stream(
        self, interpreter: Interpreter, op: stream.ChannelSplitOp, args: PythonValues
    ) -> PythonValues:
        """A part of a group of one is that group."""
        return (args[0],)

    @impl(stream.ChannelRankOp)
    def rank(
        self, interpreter: Interpreter, op: stream.ChannelRankOp, args: PythonValues
    ) -> PythonValues:
        """The number of the participant."""
        channel: Channel = args[0]
        return (IntegerAttr.from_index_int_value(channel.rank),)

    @impl(stream.ChannelCountOp)
    def count(
        self, interpreter: Interpreter, op: stream.ChannelCountOp, args: PythonValues
    ) -> PythonValues:
        """How many participants there are."""
        channel: Channel = args[0]
        return (IntegerAttr.from_index_int_value(channel.count),)
