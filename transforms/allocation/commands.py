"""Async ops as commands on ranges of allocated resources (IREE's `applyAsync…Op`).

Renames leave no command; nor does a copy of a range onto itself. A copy transfer is one
`stream.cmd.copy` and nothing else, that says what it is: cache maintenance is placed by a later
pass (IR-11), and who looks for copies of alias transfers leaves it out (IR-21).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stream
from ...dialects.access import Access, tied_results
from ...dialects.diagnostics import fail
from ..analysis.binding_access import only_writes
from ..analysis.storage import is_resource, renamed_source
from ..build import constant_value, make
from ..indices import IndexBuilder
from .plan import Plan, Storage


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a storage is: bytes of a resource."""

    resource: SSAValue
    resource_size: SSAValue
    offset: SSAValue


@dataclass
class CommandWriter:
    """Writes the commands of one region.

    `plan` names the storages and `places` says where they lie; `captures` are the resources
    bound so far, with the region arguments that stand for them.
    """

    plan: Plan
    places: dict[Storage, Placed]
    indices: IndexBuilder
    body: Block = field(default_factory=Block)
    captures: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    capture_sizes: list[SSAValue] = field(default_factory=list[SSAValue])

    def write(self, ops: Sequence[Operation], into: Block) -> None:
        """Append the commands for `ops` to `into`; raises OpError where there are none."""
        for op in ops:
            if isinstance(op, stream.AsyncConcurrentOp):
                self._write_concurrent(op, into)
            elif renamed_source(op) is None and not isinstance(
                op, stream.YieldOp | stream.AsyncAllocaOp | stream.AsyncConstantOp
            ):
                into.add_ops(self._commands(op))

    def _write_concurrent(self, op: stream.AsyncConcurrentOp, into: Block) -> None:
        body = Block()
        self.write(list(op.body.block.ops), body)
        count = len(body.ops)
        if count <= 1:
            into.add_ops([command.detach() or command for command in list(body.ops)])
            return
        body.add_op(make(stream.YieldOp, op))
        into.add_op(make(stream.CmdConcurrentOp, op, body=Region(body)))

    def finish(self, source: Operation) -> bool:
        """End the body; whether it holds any command."""
        empty = self.body.first_op is None
        self.body.add_op(make(stream.YieldOp, source))
        return not empty

    # Ranges ------------------------------------------------------------------------------------

    def _at(self, value: SSAValue, offset: SSAValue | None, op: Operation) -> "_Range":
        """The range of a resource that starts at `offset` of `value`, bound to the region."""
        place = self.places[self.plan.storage_of[value]]
        argument = self.captures.get(place.resource)
        if argument is None:
            argument = self.body.insert_arg(place.resource.type, len(self.body.args))
            self.captures[place.resource] = argument
            self.capture_sizes.append(place.resource_size)
        start = place.offset
        for part in (*self.plan.offsets.get(value, ()), *(() if offset is None else (offset,))):
            start = self.indices.add(start, part, op)
        return _Range(argument, place.resource_size, start)

    # Commands ----------------------------------------------------------------------------------

    def _commands(self, op: Operation) -> Iterator[Operation]:
        match op:
            case stream.AsyncDispatchOp():
                yield self._dispatch(op)
            case stream.AsyncFillOp():
                yield self._fill(op, op.target, op.target_offset, op.target_length, op.value)
            case stream.AsyncSplatOp():
                yield self._fill(op, op.result, None, op.result_size, op.value)
            case stream.AsyncCloneOp():
                yield from self._copy(op, op.source, None, op.result, None, op.result_size)
            case stream.AsyncSliceOp():
                start = op.source_offset
                yield from self._copy(op, op.source, start, op.result, None, op.result_size)
            case stream.AsyncUpdateOp():
                start = op.target_offset
                yield from self._copy(op, op.update, None, op.target, start, op.update_size)
            case stream.AsyncCopyOp():
                start = op.target_offset
                yield from self._copy(op, op.source, op.source_offset, op.target, start, op.length)
            case stream.AsyncCollectiveOp():
                yield self._collective(op)
            case stream.AsyncTransferOp() if op.kind is not None:
                yield from self._copy(op, op.source, None, op.result, None, op.source_size)
            case stream.AsyncTransferOp():
                fail(op, f"has no {stream.TRANSFER_KIND}; run stream-resolve-transfer-kinds before")
            case _:
                fail(op, "has no command that allocation could make of it")

    def _dispatch(self, op: stream.AsyncDispatchOp) -> Operation:
        """Bindings in the order of the export's arguments: operands, then untied results."""
        tied = dict(tied_results(op))
        written = set(tied.values())
        ranges: list[_Range] = []
        lengths: list[SSAValue] = []
        accesses: list[Access] = []
        resources = [value for value in op.resource_operands if is_resource(value)]
        rows = zip(resources, op.resource_operand_offsets, op.resource_operand_lengths, strict=True)
        for value, offset, length in rows:
            ranges.append(self._at(value, offset, op))
            lengths.append(length)
            accesses.append(self._operand_access(op, value) if value in written else Access.READ)
        for result, size in zip(op.result_resources, op.result_sizes, strict=True):
            if result not in tied:
                ranges.append(self._at(result, None, op))
                lengths.append(size)
                accesses.append(Access.WRITE)
        return make(
            stream.CmdDispatchOp,
            op,
            workload=list(op.workload),
            uniform_operands=[value for value in op.resource_operands if not is_resource(value)],
            resources=[range.resource for range in ranges],
            resource_sizes=[range.size for range in ranges],
            resource_offsets=[range.offset for range in ranges],
            resource_lengths=lengths,
            entry_points=op.entry_points,
            resource_accesses=ArrayAttr(IntegerAttr(int(access), i32) for access in accesses),
            attributes=dict(op.attributes),
        )

    def _collective(self, op: stream.AsyncCollectiveOp) -> Operation:
        """What is sent, then what is received, as far as the kind has them."""
        kind = op.op.data.kind
        sides = {
            Access.READ: (op.source, op.source_offset, op.source_length),
            Access.WRITE: (op.target, op.target_offset, op.target_length),
        }
        sides.pop({"send": Access.WRITE, "recv": Access.READ}.get(kind, Access.READ_WRITE), None)
        ranges = [self._at(value, offset, op) for value, offset, _ in sides.values()]
        return make(
            stream.CmdCollectiveOp,
            op,
            channel=op.channel,
            element_count=op.element_count,
            param=() if op.param is None else op.param,
            resources=[range.resource for range in ranges],
            resource_sizes=[range.size for range in ranges],
            resource_offsets=[range.offset for range in ranges],
            resource_lengths=[length for _, _, length in sides.values()],
            op=op.op,
            resource_accesses=ArrayAttr(IntegerAttr(int(access), i32) for access in sides),
            attributes=dict(op.attributes),
        )

    def _operand_access(self, op: stream.AsyncDispatchOp, value: SSAValue) -> Access:
        """What a dispatch does with an operand that it updates."""
        positions = [i for i, operand in enumerate(op.resource_operands) if operand is value]
        once = len(positions) == 1 and only_writes(op, positions[0])
        return Access.WRITE if once else Access.READ_WRITE

    def _fill(
        self,
        op: Operation,
        target: SSAValue,
        offset: SSAValue | None,
        length: SSAValue,
        pattern: SSAValue,
    ) -> Operation:
        """A fill of bytes [offset, offset + length) of `target`."""
        range = self._at(target, offset, op)
        return make(
            stream.CmdFillOp,
            op,
            target=range.resource,
            target_size=range.size,
            target_offset=range.offset,
            target_length=length,
            value=self._native(pattern, op),
        )

    def _native(self, pattern: SSAValue, op: Operation) -> SSAValue:
        """A pattern of at most 32 bits that fills alike."""
        if pattern.type != i64:
            return pattern
        value = constant_value(pattern)
        low = None if value is None else value & 0xFFFFFFFF
        if value is None or low is None or (value >> 32) & 0xFFFFFFFF != low:
            fail(op, "fills with a 64-bit pattern, and devices fill with at most 32 bits")
        return self.indices.integer(low, i32, op)

    def _copy(
        self,
        op: Operation,
        source: SSAValue,
        source_offset: SSAValue | None,
        target: SSAValue,
        target_offset: SSAValue | None,
        length: SSAValue,
    ) -> Iterator[Operation]:
        """A copy of `length` bytes; none where both ranges are the same (case B10)."""
        read = self._at(source, source_offset, op)
        written = self._at(target, target_offset, op)
        if read.resource is written.resource and _same_index(read.offset, written.offset):
            return
        yield make(
            stream.CmdCopyOp,
            op,
            source=read.resource,
            source_size=read.size,
            source_offset=read.offset,
            target=written.resource,
            target_size=written.size,
            target_offset=written.offset,
            length=length,
            attributes=stream.stated_kind(op),
        )


@dataclass(frozen=True, slots=True)
class _Range:
    resource: SSAValue
    size: SSAValue
    offset: SSAValue


def _same_index(left: SSAValue, right: SSAValue) -> bool:
    constant = constant_value(left)
    return left is right or (constant is not None and constant == constant_value(right))
