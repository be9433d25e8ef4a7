"""Execution regions to command buffers: commands, the barriers they need, binding tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import stream, util
from ...dialects.diagnostics import fail, remark
from ...dialects.hal.command_buffer import (
    CommandBufferCollectiveOp,
    CommandBufferCreateOp,
    CommandBufferDispatchOp,
    CommandBufferExecutionBarrierOp,
    CommandBufferFinalizeOp,
)
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import CommandBufferMode, CommandCategory, ExecutionStage
from ...dialects.hal.executable_use import (
    ExecutableCalculateWorkgroupsOp,
    ExecutableLookupFunctionOp,
    ExecutableLookupOp,
)
from ...dialects.hal.transfer_commands import (
    CommandBufferCopyBufferOp,
    CommandBufferDiscardBufferOp,
    CommandBufferFillBufferOp,
    CommandBufferFlushBufferOp,
    CommandBufferInvalidateBufferOp,
)
from ...dialects.hal.types import BufferType, CommandBufferType, ExecutableType
from ..build import INDEX, OpT, constant_value, make
from .collectives import hal_collective
from .entry_points import EntryPoints
from .host import HostLowering
from .order import CommandOrder, Place
from .words import split_words

NO_FLAGS = IntegerAttr(0, i64)
MAINTENANCE = {
    stream.CmdFlushOp: CommandBufferFlushBufferOp,
    stream.CmdInvalidateOp: CommandBufferInvalidateBufferOp,
    stream.CmdDiscardOp: CommandBufferDiscardBufferOp,
}


def commands_of(block: Block) -> Iterator[Operation]:
    """The commands of a region in textual order, out of their serial and concurrent groups."""
    for op in block.ops:
        match op:
            case stream.YieldOp():
                continue
            case stream.CmdSerialOp() | stream.CmdConcurrentOp():
                yield from commands_of(op.body.block)
            case _:
                yield op


IN_ORDER = "stream.in_order"
"""Attribute of a region whose commands run one after the other (GE-12)."""


@dataclass(slots=True, eq=False)
class CommandRecorder:
    """Records one region into a command buffer whose buffers are slots of its binding table."""

    host: HostLowering
    execute: stream.CmdExecuteOp
    device: SSAValue
    agent: str
    entry_points: EntryPoints
    block: Block = field(default_factory=Block)
    """Where the recording goes."""
    commands: SSAValue = field(init=False)
    slots: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    _values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What calls in the region give."""
    _executables: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def record(self, *, reusable: bool) -> SSAValue:
        """Record all commands; gives the finalised command buffer."""
        arguments = self.execute.body.block.args
        self.slots = {arg: self.host.indices.constant(n) for n, arg in enumerate(arguments)}
        mode = CommandBufferMode.NONE if reusable else CommandBufferMode.ONE_SHOT
        ops = list(commands_of(self.execute.body.block))
        self.commands = self._add(
            CommandBufferCreateOp,
            self.execute,
            [CommandBufferType()],
            device=self.device,
            queue_affinity=self.host.any_queue(),
            binding_capacity=self.host.indices.constant(len(arguments)),
            modes=enum_attr(CommandBufferMode, mode),
            command_categories=enum_attr(CommandCategory, _categories(ops)),
        ).result
        line = self.host.topology.cache_line(self.agent)
        if IN_ORDER in self.execute.attributes:
            steps = [[op] for op in ops]
        else:
            steps = CommandOrder(self._places(), line).steps(ops)
        for step, following in zip(steps, [*steps[1:], []], strict=True):
            for op in step:
                self._command(op)
            if following:
                self._barrier(step, following[0])
        self._add(CommandBufferFinalizeOp, self.execute, command_buffer=self.commands)
        remark(
            self.execute,
            f"{len(ops)} commands recorded with {max(len(steps) - 1, 0)} barriers where one after "
            f"each command would be {len(ops)}",
        )
        return self.commands

    def _places(self) -> dict[SSAValue, Place]:
        """Where the bytes of each argument are."""
        host, places = self.host, dict[SSAValue, Place]()
        for argument in self.execute.body.block.args:
            resource = captured(self.execute, argument)
            found = host.range_of(resource)
            offset = constant_value(found.offset)
            starts = found.buffer in host.starts
            places[argument] = Place(host.storage.find(resource), found.buffer, offset, starts)
        return places

    def _add(self, op_class: type[OpT], origin: Operation, results: Any = (), **fields: Any) -> OpT:
        new = make(op_class, origin, results, **fields)
        for pending in self.host.indices.take():
            self.block.add_op(pending)
        self.block.add_op(new)
        return new

    def _value(self, value: SSAValue) -> SSAValue:
        return self._values.get(value, value)

    def _barrier(self, before: Sequence[Operation], after: Operation) -> None:
        """All so far comes before all that follows."""
        stages = ExecutionStage.NONE
        for op in before:
            stages |= _stages(op)
        self._add(
            CommandBufferExecutionBarrierOp,
            after,
            command_buffer=self.commands,
            source_stage_mask=enum_attr(ExecutionStage, stages),
            target_stage_mask=enum_attr(
                ExecutionStage, ExecutionStage.DISPATCH | ExecutionStage.TRANSFER
            ),
            flags=NO_FLAGS,
        )

    # Commands.

    def _command(self, op: Operation) -> None:
        match op:
            case stream.CmdDispatchOp():
                self._dispatch(op)
            case stream.CmdCopyOp():
                self._add(
                    CommandBufferCopyBufferOp,
                    op,
                    command_buffer=self.commands,
                    source_buffer=self.slots[op.source],
                    source_offset=op.source_offset,
                    target_buffer=self.slots[op.target],
                    target_offset=op.target_offset,
                    length=op.length,
                    flags=NO_FLAGS,
                    attributes=stream.stated_kind(op),
                )
            case stream.CmdFillOp():
                self._add(
                    CommandBufferFillBufferOp,
                    op,
                    command_buffer=self.commands,
                    target_buffer=self.slots[op.target],
                    target_offset=op.target_offset,
                    length=op.target_length,
                    pattern=self._value(op.value),
                    flags=NO_FLAGS,
                )
            case stream.CmdFlushOp() | stream.CmdInvalidateOp() | stream.CmdDiscardOp():
                self._add(
                    MAINTENANCE[type(op)],
                    op,
                    command_buffer=self.commands,
                    target_buffer=self.slots[op.target],
                    target_offset=op.target_offset,
                    length=op.target_length,
                    flags=NO_FLAGS,
                )
            case stream.CmdCollectiveOp():
                self._collective(op)
            case stream.CmdCallOp():
                self._call(op)
            case _:
                fail(op, "cannot be recorded into a command buffer")

    def _dispatch(self, op: stream.CmdDispatchOp) -> None:
        entry = self.entry_points.choose(op, self.agent)
        executable = entry.root_reference.data
        if (loaded := self._executables.get(executable)) is None:
            loaded = self._executables[executable] = self._add(
                ExecutableLookupOp,
                op,
                [ExecutableType()],
                device=self.device,
                executable=SymbolRefAttr(executable),
            ).result
        function = self._add(
            ExecutableLookupFunctionOp, op, [i64], executable=loaded, entry_point=entry
        ).result
        one = self.host.indices.constant(1)
        groups: list[SSAValue] = [one, one, one]
        if self.entry_points.counts_workgroups(entry):
            counted = self._add(
                ExecutableCalculateWorkgroupsOp,
                op,
                [INDEX, INDEX, INDEX],
                device=self.device,
                workload=[self._value(size) for size in op.workload],
                entry_point=entry,
            )
            groups = list(counted.results)
        constants = [
            word
            for operand in op.uniform_operands
            for word in split_words(self._value(operand), self.block.add_op)
        ]
        self._add(
            CommandBufferDispatchOp,
            op,
            command_buffer=self.commands,
            executable=loaded,
            entry_point=function,
            workgroup_x=groups[0],
            workgroup_y=groups[1],
            workgroup_z=groups[2],
            constants=constants,
            binding_buffers=[self.slots[resource] for resource in op.resources],
            binding_offsets=op.resource_offsets,
            binding_lengths=op.resource_lengths,
            flags=NO_FLAGS,
        )

    def _collective(self, op: stream.CmdCollectiveOp) -> None:
        """A participant's part; which of the ranges are sent and received its kind tells."""
        sides: dict[str, SSAValue] = {}
        names = {"send": ("send",), "recv": ("recv",)}.get(op.op.data.kind, ("send", "recv"))
        for index, side in enumerate(names):
            sides[f"{side}_buffer"] = self.slots[op.resources[index]]
            sides[f"{side}_offset"] = op.resource_offsets[index]
            sides[f"{side}_length"] = op.resource_lengths[index]
        self._add(
            CommandBufferCollectiveOp,
            op,
            command_buffer=self.commands,
            channel=self.host.value_of(op.channel),
            element_count=op.element_count,
            param=() if op.param is None else op.param,
            op=hal_collective(op.op),
            **sides,
        )

    def _call(self, op: stream.CmdCallOp) -> None:
        """A call that records; a resource is passed as slot, buffer (null), offset and length."""
        arguments: list[SSAValue] = [self.commands]
        ranges = zip(op.resource_operand_offsets, op.resource_operand_lengths, strict=True)
        for operand in op.resource_operands:
            if not isinstance(operand.type, stream.ResourceType):
                arguments.append(self._value(operand))
                continue
            no_buffer = self._add(util.NullOp, op, [BufferType()]).result
            arguments.extend((self.slots[operand], no_buffer, *next(ranges)))
        call = util.CallOp(op.callee, arguments, [value.type for value in op.result_values])
        call.location = op.location
        self.block.add_op(call)
        self._values.update(zip(op.result_values, call.res, strict=True))


def depends_on_call(execute: stream.CmdExecuteOp) -> bool:
    """Whether commands use values that may differ from call to call, besides resources."""
    inside: set[SSAValue] = set(execute.body.block.args)
    for op in commands_of(execute.body.block):
        if isinstance(op, stream.CmdCallOp):
            return True
        if not all(operand in inside or _is_fixed(operand) for operand in op.operands):
            return True
    return False


def _is_fixed(value: SSAValue) -> bool:
    """Whether a value is the same in every call: constant, or of a global that does not change."""
    op = value.owner
    if isinstance(op, stream.ChannelCreateOp | stream.ChannelSplitOp):
        return all(map(_is_fixed, op.operands))
    immutable = isinstance(op, util.GlobalLoadOp) and op.is_immutable is not None
    return immutable or constant_value(value) is not None or _is_constant(op)


def _is_constant(op: Operation | Block) -> bool:
    return isinstance(op, Operation) and op.name == "arith.constant"


def _categories(ops: list[Operation]) -> CommandCategory:
    categories = CommandCategory.NONE
    for op in ops:
        match op:
            case stream.CmdDispatchOp() | stream.CmdCollectiveOp():
                categories |= CommandCategory.DISPATCH
            case stream.CmdCallOp():
                categories |= CommandCategory.DISPATCH | CommandCategory.TRANSFER
            case _:
                categories |= CommandCategory.TRANSFER
    return categories or CommandCategory.TRANSFER


def _stages(op: Operation) -> ExecutionStage:
    match op:
        case stream.CmdDispatchOp():
            return ExecutionStage.DISPATCH
        case stream.CmdCallOp() | stream.CmdCollectiveOp():
            return ExecutionStage.DISPATCH | ExecutionStage.TRANSFER
        case _:
            return ExecutionStage.TRANSFER


def captured(execute: stream.CmdExecuteOp, argument: SSAValue) -> SSAValue:
    """The resource that an argument of a region names."""
    assert isinstance(argument, BlockArgument)
    return execute.resource_operands[argument.index]
