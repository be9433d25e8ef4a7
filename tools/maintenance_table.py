"""How much cache maintenance and how many barriers programs need, as a table in Markdown.

`python -m zcir.tools.maintenance_table FOLDER FILE` takes the programs `<name>.<links>.flow.mlir`
of FOLDER with their inputs `<name>.in<i>.npy`, lowers each, runs it once and writes FILE. Three
ways to maintain are counted on the devices as they execute: everything, that is each region
invalidates all that it uses at its start and flushes it at its end; what
`stream-place-cache-maintenance` places; what `stream-elide-cache-maintenance` leaves of that.
Barriers are those of the recorded command buffers, against one after every command. The
form of the report, before against after, is that of Halide's barrier reduction.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects.parsing import make_context, parse_file
from ..runtime.counters import Counters
from ..runtime.element_types import Value
from ..runtime.load import load, run_passes
from ..transforms.maintenance.memory_events import ALL, Kind
from ..transforms.maintenance.plan import Placement, Planner
from ..transforms.pipeline import TO_HAL, TO_STREAM
from ..transforms.stream_place_cache_maintenance import insert

PLACE, ELIDE = "stream-place-cache-maintenance", "stream-elide-cache-maintenance"
BARRIER = "hal.command_buffer.execution_barrier"
COMMANDS = frozenset(
    f"hal.command_buffer.{name}"
    for name in (
        "dispatch",
        "dispatch.indirect",
        "collective",
        "copy_buffer",
        "fill_buffer",
        "update_buffer",
        "flush_buffer",
        "invalidate_buffer",
        "discard_buffer",
    )
)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Maintenance that devices execute in one call."""

    operations: int
    flushed: int
    """Bytes of all lines covered."""
    invalidated: int
    """Bytes of all lines covered."""

    @staticmethod
    def of(counters: Sequence[Counters]) -> "Upkeep":
        """The sum over devices."""
        return Upkeep(
            sum(c.flush_cmds + c.invalidate_cmds + c.discard_cmds for c in counters),
            sum(c.flush_bytes for c in counters),
            sum(c.invalidate_bytes for c in counters),
        )

    def __add__(self, other: "Upkeep") -> "Upkeep":
        return Upkeep(
            self.operations + other.operations,
            self.flushed + other.flushed,
            self.invalidated + other.invalidated,
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One program on one topology."""

    program: str
    everything: Upkeep
    placed: Upkeep
    left: Upkeep
    commands: int
    """Each has a barrier behind it where nothing decides otherwise."""
    barriers: int

    def cells(self) -> list[str]:
        """The row of the table."""
        counts = [
            str(number)
            for upkeep in (self.everything, self.placed, self.left)
            for number in (upkeep.operations, upkeep.flushed, upkeep.invalidated)
        ]
        return [self.program, *counts, str(self.commands), str(self.barriers)]


def maintain_everything(module: ModuleOp) -> None:
    """Invalidate all captures of each region at its start and flush them at its end."""
    placements = [
        Placement(region, kind, operand, ALL, None)
        for events in Planner(module).walker.program.events.values()
        for region in events.regions
        for operand in region.execute.resource_operands
        for kind in (Kind.INVALIDATE, Kind.FLUSH)
    ]
    insert(placements)


def measure(context: Context, path: Path, inputs: Sequence[Value]) -> Row:
    """Lower and run one flow program; raises as `runtime.load`."""
    bare = parse_file(context, str(path))
    run_passes(context, bare, TO_STREAM[: TO_STREAM.index(PLACE)])
    everything, placed = bare.clone(), bare.clone()
    maintain_everything(everything)
    run_passes(context, placed, (PLACE,))
    left = placed.clone()
    run_passes(context, left, TO_STREAM[TO_STREAM.index(ELIDE) :])
    lowered = left.clone()
    run_passes(context, lowered, TO_HAL)
    names = [op.name for op in lowered.walk()]
    return Row(
        path.name.removesuffix(".flow.mlir"),
        _upkeep(context, everything, inputs),
        _upkeep(context, placed, inputs),
        _upkeep(context, left, inputs),
        sum(name in COMMANDS for name in names),
        names.count(BARRIER),
    )


def _upkeep(context: Context, module: ModuleOp, inputs: Sequence[Value]) -> Upkeep:
    program = load(module, context=context)
    run = program.run(inputs=inputs)
    return Upkeep.of([run.statistics[device.name] for device in program.topology.devices])


def rows(folder: Path) -> Iterator[Row]:
    """All programs of a folder, by name."""
    context = make_context()
    for path in sorted(folder.glob("*.flow.mlir")):
        name = path.name.partition(".")[0]
        inputs: list[Value] = [np.load(file) for file in sorted(folder.glob(f"{name}.in*.npy"))]
        yield measure(context, path, inputs)


_TITLE = """\
# Maintenance and barriers

Made by `make docs` (`tools/maintenance_table.py`); do not edit. Each program of
`test/data/programs` on each topology, one call. Operations are flushes, invalidates and discards
that devices execute, bytes those of all lines that flushes and invalidates cover. *Everything*:
each region invalidates all that it uses and flushes it at its end. *Placed*: what
`stream-place-cache-maintenance` adds. *Left*: after `stream-elide-cache-maintenance`. Barriers
are those of the recorded command buffers; one after every command would be as many as commands.

"""
_HEAD = (
    "program",
    *(
        f"{way}: {what}"
        for way in ("everything", "placed", "left")
        for what in ("operations", "flushed", "invalidated")
    ),
    "commands",
    "barriers",
)


def render(table: Sequence[Row]) -> str:
    """The page, with a last row of sums."""
    zero = Upkeep(0, 0, 0)
    total = Row(
        "**total**",
        sum((row.everything for row in table), zero),
        sum((row.placed for row in table), zero),
        sum((row.left for row in table), zero),
        sum(row.commands for row in table),
        sum(row.barriers for row in table),
    )
    lines = [_HEAD, ("---", *("---:" for _ in _HEAD[1:]))]
    lines += [tuple(row.cells()) for row in (*table, total)]
    return _TITLE + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> int:
    """The command."""
    if len(sys.argv) != 3:
        print("usage: python -m zcir.tools.maintenance_table FOLDER FILE", file=sys.stderr)
        return 2
    Path(sys.argv[2]).write_text(render(list(rows(Path(sys.argv[1])))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
