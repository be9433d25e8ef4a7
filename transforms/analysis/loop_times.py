"""What the timepoints that loops give imply: what the loop started with, if each round awaits
the one before.

```mlir
%r, %rt = scf.for … iter_args(%v = %0, %vt = %t0) {
  %u = stream.cmd.execute on(@a) await(%vt) => with(%v as …) …
  scf.yield %v, %u
}                                       // %rt implies %t0, also where there is no round
```

The rounds may await each other on the timeline, or because the host waits in each.

Does not handle: loops that hand a timepoint on under the number of one that started otherwise, and
bodies of several blocks; what they give implies nothing.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stream
from ...dialects.access import await_timepoints

Loop = scf.ForOp | scf.WhileOp


class _Round(NamedTuple):
    """A block of a loop: what it takes, and what it hands on under the same number."""

    block: Block
    taken: Sequence[SSAValue]
    handed: Sequence[SSAValue]


class LoopTimes:
    """Judges each loop once: those that it has been asked about must not change any more."""

    def __init__(self) -> None:
        self._inits: dict[Operation, dict[SSAValue, SSAValue | None]] = {}

    def inits(self, loop: Loop) -> dict[SSAValue, SSAValue | None]:
        """The timepoints that `loop` gives; with each the one that it started with, if it is
        implied, else None."""
        # Loops within come before those around them, without recursion.
        pending = [(loop, False)]
        while pending:
            op, ready = pending.pop()
            if ready:
                self._inits[op] = self._judge(op)
            elif op not in self._inits:
                pending.append((op, True))
                pending.extend(
                    (inner, False)
                    for region in op.regions
                    for block in region.blocks
                    for inner in block.ops
                    if isinstance(inner, Loop)
                )
        return self._inits[loop]

    def _judge(self, loop: Loop) -> dict[SSAValue, SSAValue | None]:
        inits = loop.iter_args if isinstance(loop, scf.ForOp) else loop.arguments
        rounds = _rounds(loop)
        by_host = {
            timepoint
            for part in rounds
            for op in part.block.ops
            if isinstance(op, stream.TimepointAwaitOp)
            for timepoint in await_timepoints(op)
        }

        def is_implied(number: int, others: set[int]) -> bool:
            """Whether each round awaits what it took of these, or hands on what implies one."""
            return all(
                part.taken[number] in by_host
                or any(self._leads_to(part.handed[number], part.taken[n]) for n in others)
                for part in rounds
            )

        # A round may hand on under another number: all that started alike are judged together.
        length = min((len(part.taken) for part in rounds), default=0)
        implied: set[int] = set()
        alike: dict[SSAValue, set[int]] = {}
        for number, init in enumerate(inits[:length]):
            if isinstance(init.type, stream.TimepointType):
                alike.setdefault(init, set()).add(number)
        for numbers in alike.values():
            while left := {number for number in numbers if not is_implied(number, numbers)}:
                numbers -= left
            implied |= numbers

        return {
            result: inits[number] if number in implied else None
            for number, result in enumerate(loop.results)
            if isinstance(result.type, stream.TimepointType)
        }

    def _leads_to(self, timepoint: SSAValue, earlier: SSAValue) -> bool:
        """Whether `timepoint` implies `earlier`, an argument of a block, by waits in the block."""
        pending, seen = [timepoint], {timepoint}
        while pending:
            value = pending.pop()
            if value is earlier:
                return True
            if isinstance(value.owner, Operation) and value.owner.parent is earlier.owner:
                implied = set(self._implied(value.owner, value)) - seen
                seen |= implied
                pending.extend(implied)
        return False

    def _implied(self, op: Operation, result: SSAValue) -> Iterable[SSAValue]:
        """What is reached once `result` of `op` is."""
        if not isinstance(op, Loop):
            return await_timepoints(op)
        init = self._inits[op].get(result)
        return () if init is None else (init,)


def _rounds(loop: Loop) -> list[_Round]:
    """The blocks that a round goes through; none where there are others besides."""
    if isinstance(loop, scf.ForOp):
        parts = [_round(loop.body, 1, 0)]
    else:
        parts = [_round(loop.before_region, 0, 1), _round(loop.after_region, 0, 0)]
    return [] if None in parts else [part for part in parts if part is not None]


def _round(region: Region, counters: int, conditions: int) -> _Round | None:
    """A region as a round; its first arguments count, and its end has operands that decide."""
    if len(region.blocks) != 1 or (end := region.block.last_op) is None:
        return None
    return _Round(region.block, region.block.args[counters:], end.operands[conditions:])
