"""Copies between the command of one device that made bytes and one of another that reads them.

```mlir
stream.cmd.execute on(@a) … { stream.cmd.dispatch @f { wo %x[%c0 for %c64] … } … }
stream.cmd.execute on(@b) … {
  stream.cmd.copy %x[%c0], %y[%c0], %c64 : …        // a and b share memory: %x would have done
  stream.cmd.dispatch @g { ro %y[%c0 for %c64], … }
}
```

Bytes get from one device to another by transfers alone, and a copy transfer says on its command
that it is one (`stream.transfer_kind`). What is left is an alias transfer with a copy on its way
(row IR-21), whoever made the copy: a clone for an update in place, a slice, or a mistake. Devices
without a pool that serves both need a copy and have no alias transfer.

Paths are those of `walk`: which of them inputs take is not asked. All bytes of a copy are taken
together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.coherence_text import agent_text
from ...dialects.diagnostics import FaultyProgramError, Note, OpError, op_name
from ...dialects.hal.device_queue_transfer import DeviceQueueCopyOp
from ...dialects.hal.transfer_commands import CommandBufferCopyBufferOp
from ...dialects.location import location_text, value_name
from ...dialects.topology import Topology
from ..analysis.versions import COPY, TRANSFER_KIND, transfer_kind
from ..build import constant_value
from .memory_events import MemoryEvent, Region
from .segment_reader import Level
from .stream_reader import StreamLevel
from .walk import Walker

Copy = stream.CmdCopyOp | CommandBufferCopyBufferOp | DeviceQueueCopyOp
"""What copies, at stream.cmd and hal level."""


class CopiedHandoff(NamedTuple):
    """A copy on the way of an alias transfer."""

    copy: Copy
    write: MemoryEvent
    """By the device that hands over; the last one, or one of several."""
    read: MemoryEvent
    """By the device that takes over."""


class _Command(NamedTuple):
    """What is executed at one time: all events of an op in a submission."""

    op: Operation
    region: Region | None
    node: int


@dataclass(slots=True)
class _Flow:
    """What a copy takes and gives."""

    sources: dict[str, MemoryEvent] = field(default_factory=dict[str, MemoryEvent])
    """By device, a command that has written what is copied."""
    targets: dict[str, MemoryEvent] = field(default_factory=dict[str, MemoryEvent])
    """By device, a command that reads the copy."""
    before: dict[_Command, None] = field(default_factory=dict[_Command, None])
    """Copies whose result is copied on."""
    after: dict[_Command, None] = field(default_factory=dict[_Command, None])


def find_copied_handoffs(
    module: ModuleOp,
    topology: Topology | None = None,
    level: type[Level] = StreamLevel,
    sources: ModuleOp | None = None,
) -> list[CopiedHandoff]:
    """All copies of alias transfers in a module, each once, in the order of the text.

    Args and errors are those of `verify.find_faults`.
    """
    walker = Walker(module, topology, level, sources)
    flows: dict[_Command, _Flow] = {}
    for write, read in _value_flow(walker):
        _take_note(flows, write, read)
    _spread({copy: (flow.sources, flow.after) for copy, flow in flows.items()})
    _spread({copy: (flow.targets, flow.before) for copy, flow in flows.items()})
    found: dict[Operation, CopiedHandoff] = {}
    for (op, *_), flow in flows.items():
        ends = _crossing(flow, walker.topology)
        if isinstance(op, Copy) and op not in found and ends is not None:
            found[op] = CopiedHandoff(op, *ends)
    return [found[op] for op in module.walk() if op in found]


def check_zero_copy(
    module: ModuleOp,
    topology: Topology | None = None,
    level: type[Level] = StreamLevel,
    sources: ModuleOp | None = None,
) -> None:
    """Raise FaultyProgramError with an error for each copy on the way of an alias transfer.

    Args and other errors are those of `verify.find_faults`.
    """
    if found := find_copied_handoffs(module, topology, level, sources):
        raise FaultyProgramError([_error(handoff) for handoff in found])


def _error(found: CopiedHandoff) -> OpError:
    """The diagnostic of a copy, with notes at the commands on both sides."""
    copy, write, read = found
    size, place = _size_text(copy.length), location_text(copy)
    where = f"{size} at {place}" if place else size
    ends = f"from {agent_text(write.agent)} to {agent_text(read.agent)}"
    return OpError(
        place,
        f"copy of {where} on alias transfer {ends}; let both use one storage, or "
        f'state {TRANSFER_KIND} = "{COPY}" where a copy is meant',
        (_note(write, "written"), _note(read, "read")),
    )


def _size_text(length: SSAValue) -> str:
    size = constant_value(length)
    if size is None and length.name_hint is None:
        return "bytes"
    return f"{value_name(length) if size is None else size} bytes"


def _note(event: MemoryEvent, verb: str) -> Note:
    text = f"{verb} here by {agent_text(event.agent)} ({op_name(event.op)})"
    return Note(location_text(event.op), text)


def _value_flow(walker: Walker) -> Iterator[tuple[MemoryEvent, MemoryEvent]]:
    """The accesses that write bytes, with those that read what they have written."""
    for track in walker.tracks:
        for _, items in walker.items(track).classes():
            for item, state, *_ in walker.arrivals(track, items):
                if item.reads and state.last is not None:
                    yield state.last.mark.event, item.mark.event


def _take_note(flows: dict[_Command, _Flow], write: MemoryEvent, read: MemoryEvent) -> None:
    """Take note of what a copy takes, or gives; not of what a copy transfer does."""
    maker, user = _command(write), _command(read)
    if _is_meant(maker) or _is_meant(user):
        return
    if isinstance(user.op, Copy):
        flow = flows.setdefault(user, _Flow())
        if isinstance(maker.op, Copy):
            flow.before[maker] = None
        else:
            flow.sources.setdefault(write.agent, write)
    if isinstance(maker.op, Copy):
        flow = flows.setdefault(maker, _Flow())
        if isinstance(user.op, Copy):
            flow.after[user] = None
        else:
            flow.targets.setdefault(read.agent, read)


def _command(event: MemoryEvent) -> _Command:
    return _Command(event.op, event.region, event.node)


def _is_meant(copy: _Command) -> bool:
    """Whether a copy says that it is a copy transfer's."""
    return isinstance(copy.op, Copy) and transfer_kind(copy.op) == COPY


def _spread(
    flows: Mapping[_Command, tuple[dict[str, MemoryEvent], Mapping[_Command, None]]],
) -> None:
    """Let copies of copies know the devices at the end of the way; each step adds a device."""
    work = list(flows)
    while work:
        known, following = flows[work.pop()]
        for copy in following:
            theirs = flows[copy][0]
            if new := {device: event for device, event in known.items() if device not in theirs}:
                theirs.update(new)
                work.append(copy)


def _crossing(flow: _Flow, topology: Topology) -> tuple[MemoryEvent, MemoryEvent] | None:
    """Who writes and who reads on another device, in a pool that would have served both."""
    devices = set(topology.device_names)
    for writer, write in flow.sources.items():
        for reader, read in flow.targets.items():
            if writer == reader or not devices.issuperset((writer, reader)):
                continue
            if topology.serving_pools((reader,), (writer,)):
                return write, read
    return None
