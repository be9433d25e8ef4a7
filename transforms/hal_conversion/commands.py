"""Execution regions to command buffers: commands, the barriers they need, binding tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, range_accesses
from ...dialects.diagnostics import fail
from ...dialects.hal.command_buffer import (
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
from ...dialects.hal.types import CommandBufferType, ExecutableType
from ..analysis.hazards import WHOLE, HazardMap, Range
from ..build import INDEX, OpT, constant_value, make
from .host import HostLowering
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


@dataclass(slots=True, eq=False)
class CommandRecorder:
    """Records one region into a command buffer whose buffers are slots of its binding table."""

    host: HostLowering
    execute: stream.CmdExecuteOp
    device: SSAValue
    agent: str
    counts: Mapping[str, bool]
    """By export, `executable::export`, whether it computes workgroup counts."""
    variant: str
    """The variant that dispatches name."""
    block: Block = field(default_factory=Block)
    """Where the recording goes."""
    commands: SSAValue = field(init=False)
    slots: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    _hazards: HazardMap = field(default_factory=HazardMap)
    _node: int = 0
    _barrier: int = 0
    """The first command after the last barrier."""
    _stages: ExecutionStage = ExecutionStage.NONE
    """Stages of the commands since the last barrier."""
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
        for op in ops:
            self._order(op)
            self._command(op)
        self._add(CommandBufferFinalizeOp, self.execute, command_buffer=self.commands)
        return self.commands

    def _add(self, op_class: type[OpT], origin: Operation, results: Any = (), **fields: Any) -> OpT:
        new = make(op_class, origin, results, **fields)
        for pending in self.host.indices.take():
            self.block.add_op(pending)
        self.block.add_op(new)
        return new

    # Order.

    def _order(self, op: Operation) -> None:
        """A barrier where `op` depends on a command since the last one."""
        node = self._node
        before = [earlier for access in self._accesses(op) for earlier in access(node)]
        if any(earlier >= self._barrier for earlier in before):
            self._add(
                CommandBufferExecutionBarrierOp,
                op,
                command_buffer=self.commands,
                source_stage_mask=enum_attr(ExecutionStage, self._stages),
                target_stage_mask=enum_attr(
                    ExecutionStage, ExecutionStage.DISPATCH | ExecutionStage.TRANSFER
                ),
                flags=NO_FLAGS,
            )
            self._barrier = node
            self._stages = ExecutionStage.NONE
        self._stages |= _stage(op)
        self._node += 1

    def _accesses(self, op: Operation) -> Iterator[Callable[[int], list[int]]]:
        """For each access of `op`: records it under a node and gives what must precede."""
        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            # A flush follows the writes it makes available; the others drop whole lines, so
            # that everything else on these lines is before or after them.
            flushes = isinstance(op, stream.CmdFlushOp)
            span = _range(op.target_offset, op.target_length)
            if not flushes:
                span = self._lines(span)
            yield self._recorder(op.target, span, writes=not flushes)
            return
        for access in range_accesses(op):
            span = _range(access.offset, access.length)
            yield self._recorder(access.value, span, writes=bool(access.mode & Access.WRITE))

    def _recorder(
        self, argument: SSAValue, span: Range, *, writes: bool
    ) -> Callable[[int], list[int]]:
        buffer, base = self.host.range_of(captured(self.execute, argument))
        shifted = _shifted(span, constant_value(base))

        def record(node: int) -> list[int]:
            return self._hazards.record(node, buffer, shifted, writes=writes)

        return record

    def _lines(self, span: Range) -> Range:
        line = self.host.topology.cache_line(self.agent)
        end = None if span.end is None else -(-span.end // line) * line
        return Range(span.start // line * line, end)

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
                )
            case stream.CmdFillOp():
                self._add(
                    CommandBufferFillBufferOp,
                    op,
                    command_buffer=self.commands,
                    target_buffer=self.slots[op.target],
                    target_offset=op.target_offset,
                    length=op.target_length,
                    pattern=op.value,
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
            case _:
                fail(op, "cannot be recorded into a command buffer")

    def _dispatch(self, op: stream.CmdDispatchOp) -> None:
        entry = op.entry_points.data[0]
        executable = entry.root_reference.data
        export = entry.nested_references.data[-1].data
        symbol = SymbolRefAttr(executable, [self.variant, export])
        if (loaded := self._executables.get(executable)) is None:
            loaded = self._executables[executable] = self._add(
                ExecutableLookupOp,
                op,
                [ExecutableType()],
                device=self.device,
                executable=SymbolRefAttr(executable),
            ).result
        function = self._add(
            ExecutableLookupFunctionOp, op, [i64], executable=loaded, entry_point=symbol
        ).result
        one = self.host.indices.constant(1)
        groups: list[SSAValue] = [one, one, one]
        if self.counts.get(f"{executable}::{export}"):
            counted = self._add(
                ExecutableCalculateWorkgroupsOp,
                op,
                [INDEX, INDEX, INDEX],
                device=self.device,
                workload=op.workload,
                entry_point=symbol,
            )
            groups = list(counted.results)
        constants = [
            word
            for operand in op.uniform_operands
            for word in split_words(operand, self.block.add_op)
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


def depends_on_call(execute: stream.CmdExecuteOp) -> bool:
    """Whether commands use values that may differ from call to call, besides resources."""
    arguments = set(execute.body.block.args)
    return any(
        operand not in arguments and constant_value(operand) is None
        for op in commands_of(execute.body.block)
        for operand in op.operands
    )


def _categories(ops: list[Operation]) -> CommandCategory:
    categories = CommandCategory.NONE
    for op in ops:
        is_dispatch = isinstance(op, stream.CmdDispatchOp)
        categories |= CommandCategory.DISPATCH if is_dispatch else CommandCategory.TRANSFER
    return categories or CommandCategory.TRANSFER


def _stage(op: Operation) -> ExecutionStage:
    is_dispatch = isinstance(op, stream.CmdDispatchOp)
    return ExecutionStage.DISPATCH if is_dispatch else ExecutionStage.TRANSFER


def _range(offset: SSAValue | None, length: SSAValue) -> Range:
    start = 0 if offset is None else constant_value(offset)
    size = constant_value(length)
    return WHOLE if start is None or size is None else Range(start, start + size)


def _shifted(span: Range, offset: int | None) -> Range:
    if offset is None:
        return WHOLE
    return Range(span.start + offset, None if span.end is None else span.end + offset)


def captured(execute: stream.CmdExecuteOp, argument: SSAValue) -> SSAValue:
    """The resource that an argument of a region names."""
    assert isinstance(argument, BlockArgument)
    return execute.resource_operands[argument.index]
