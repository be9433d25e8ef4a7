"""Collectives and their channels: a program is the only participant of each of its groups."""

from dataclasses import dataclass

from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects import flow
from ..element_types import InputError


@dataclass(frozen=True)
class Group:
    """A group of one."""


@register_impls
class ReferenceCollectives(InterpreterFunctions):
    """What is gathered, scattered or reduced is the one participant's own."""

    @impl(flow.ChannelDefaultOp)
    def default(
        self, interpreter: Interpreter, op: flow.ChannelDefaultOp, args: PythonValues
    ) -> PythonValues:
        """The group."""
        return (Group(),)

    @impl(flow.ChannelSplitOp)
    def split(
        self, interpreter: Interpreter, op: flow.ChannelSplitOp, args: PythonValues
    ) -> PythonValues:
        """A part of a group of one is that group."""
        return (args[0],)

    @impl(flow.ChannelRankOp)
    def rank(
        self, interpreter: Interpreter, op: flow.ChannelRankOp, args: PythonValues
    ) -> PythonValues:
        """0: the first and only."""
        return (0,)

    @impl(flow.ChannelCountOp)
    def count(
        self, interpreter: Interpreter, op: flow.ChannelCountOp, args: PythonValues
    ) -> PythonValues:
        """1."""
        return (1,)

    @impl(flow.CollectiveAllGatherOp)
    def all_gather(
        self, interpreter: Interpreter, op: flow.CollectiveAllGatherOp, args: PythonValues
    ) -> PythonValues:
        """What one has."""
        return interpreter.get_values((op.source,))

    @impl(flow.CollectiveAllReduceOp)
    def all_reduce(
        self, interpreter: Interpreter, op: flow.CollectiveAllReduceOp, args: PythonValues
    ) -> PythonValues:
        """A sum, product, extreme or mean of one."""
        return interpreter.get_values((op.source,))

    @impl(flow.CollectiveAllToAllOp)
    def all_to_all(
        self, interpreter: Interpreter, op: flow.CollectiveAllToAllOp, args: PythonValues
    ) -> PythonValues:
        """The one part."""
        return interpreter.get_values((op.source,))

    @impl(flow.CollectiveReduceScatterOp)
    def reduce_scatter(
        self, interpreter: Interpreter, op: flow.CollectiveReduceScatterOp, args: PythonValues
    ) -> PythonValues:
        """The one part of a reduction of one."""
        return interpreter.get_values((op.source,))

    @impl(flow.CollectiveSendRecvOp)
    def send_recv(
        self, interpreter: Interpreter, op: flow.CollectiveSendRecvOp, args: PythonValues
    ) -> PythonValues:
        """What one sends to itself; InputError for other participants."""
        ranks = interpreter.get_values((op.send, op.recv))
        if any(ranks):
            raise InputError(
                f"{op.name} names participants {', '.join(map(str, ranks))} of a group of one, "
                "whose rank is 0"
            )
        return interpreter.get_values((op.source,))
