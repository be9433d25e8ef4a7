"""Command buffers as they were recorded, and the order that their barriers make.

```mlir
hal.command_buffer.dispatch<%cmd …> …                                        // 1
hal.command_buffer.execution_barrier<%cmd …> source(Dispatch) target(Transfer)
hal.command_buffer.copy_buffer<%cmd …> …                                     // 2: after 1
hal.command_buffer.dispatch<%cmd …> …                                        // 3: after neither
```

Does not handle: recordings that loops, branches or several blocks make; they are errors.
"""

from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import fail
from ...dialects.hal.command_buffer import (
    CommandBufferCreateOp,
    CommandBufferDispatchIndirectOp,
    CommandBufferDispatchOp,
    CommandBufferExecutionBarrierOp,
)
from ...dialects.hal.command_checks import CommandOp
from ...dialects.hal.enums import ExecutionStage
from ..analysis.timeline import Timeline
from ..analysis.value_origins import ValueOrigins

Command = CommandOp | CommandBufferExecutionBarrierOp


def recorded_commands(create: CommandBufferCreateOp) -> list[Command]:
    """What is recorded into a command buffer, in order; raises OpError unless it is one block."""
    block = create.parent
    commands: set[Operation] = set()
    for use in create.result.uses:
        op = use.operation
        if not isinstance(op, Command):
            continue
        if op.parent is not block:
            fail(op, "is recorded in another block than its command buffer is created in; "
                 "all paths of a recording with control flow are not followed")  # fmt: skip
        commands.add(op)
    result: list[Command] = []
    current: Operation | None = create
    while current is not None and len(result) < len(commands):
        if isinstance(current, Command) and current in commands:
            result.append(current)
        current = current.next_op
    return result


class Recordings:
    """The recordings of a module, each read once."""

    def __init__(self, origins: ValueOrigins) -> None:
        self._origins = origins
        self._commands: dict[SSAValue, list[Command]] = {}

    def of(self, op: Operation, command_buffer: SSAValue) -> list[Command]:
        """The commands that `op` executes; raises OpError where they are not known for sure."""
        origins = self._origins.of(command_buffer)
        creates = [o.owner for o in origins if isinstance(o.owner, CommandBufferCreateOp)]
        if len(creates) != len(origins):
            fail(op, "executes a command buffer whose recording is not in this module")
        if len(creates) != 1:
            fail(
                op,
                f"executes one of {len(creates)} command buffers; which one is not followed, "
                "execute each on its own path",
            )
        (create,) = creates
        if create.result not in self._commands:
            self._commands[create.result] = recorded_commands(create)
        return self._commands[create.result]


def stage_of(op: CommandOp) -> ExecutionStage:
    """The stage in which a command accesses memory."""
    dispatches = isinstance(op, CommandBufferDispatchOp | CommandBufferDispatchIndirectOp)
    return ExecutionStage.DISPATCH if dispatches else ExecutionStage.TRANSFER


@dataclass(slots=True)
class BarrierOrder:
    """Puts the commands of one execution on a timeline.

    A barrier follows the earlier commands in its source stages, and the earlier barriers whose
    target stages meet them; a command follows the earlier barriers whose target stages have it.
    Of barriers with the same masks the last follows all that the others do, so the number of
    edges is linear for any fixed set of masks.
    """

    timeline: Timeline
    enter: int
    """What all of it follows."""
    _met: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Node, and the stages in which it can be followed."""
    _from: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """By source mask: the last barrier, and how many of `_met` it has seen."""
    _barriers: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By source and target mask: the last barrier."""

    def command(self, stage: int) -> int:
        """A command in `stage`; gives its node."""
        node = self.timeline.add(*self._before(stage))
        self._met.append((node, stage))
        return node

    def barrier(self, source: int, target: int) -> None:
        """A barrier with these stage masks."""
        last, seen = self._from.get(source, (self.enter, 0))
        followed = [node for node, stages in self._met[seen:] if stages & source]
        node = self.timeline.add(last, *followed)
        self._met.append((node, target))
        self._from[source] = node, len(self._met)
        self._barriers[source, target] = node

    def _before(self, stage: int) -> list[int]:
        nodes = {node for (_, target), node in self._barriers.items() if target & stage}
        return sorted(nodes) or [self.enter]

    def end(self) -> int:
        """The node at which all are done."""
        return self.timeline.add(self.enter, *(node for node, _ in self._met))
