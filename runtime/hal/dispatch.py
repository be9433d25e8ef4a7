"""The command that runs a kernel."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ..errors import out_of_range
from ..events import EventKind, Span
from ..kernels.api import NO_RUNS, BindingAccess, Kernel, Runs, one_run
from .commands import Execution, RecordedCommand
from .flags import ExecutionStage
from .recorder import Footprint, Source
from .refs import Ref, Table, direct

if TYPE_CHECKING:
    from .command_buffer import CommandBuffer
from .view import PortView


@dataclass(frozen=True, slots=True)
class Workload:
    """What a dispatch hands to its kernel besides the bindings."""

    constants: tuple[int, ...] = ()
    """Push constants: unsigned 32-bit words."""
    workgroups: tuple[int, int, int] = (1, 1, 1)
    """Workgroup count; recorded, a kernel runs once for all of them."""


class Dispatch(RecordedCommand):
    """Runs a kernel on its bindings, through the device's cache.

    The bytes it accesses are asked of the kernel once for each set of binding lengths.
    """

    __slots__ = ("_accesses", "_bindings", "_footprint", "_kernel", "_places", "workload")

    stage = ExecutionStage.DISPATCH

    def __init__(
        self, source: Source, kernel: Kernel, workload: Workload, bindings: Sequence[Ref]
    ) -> None:
        super().__init__(source)
        self._kernel = kernel
        self.workload = workload
        self._bindings = tuple(bindings)
        self._accesses: dict[tuple[int, ...], tuple[BindingAccess, ...]] = {}
        self._places: tuple[tuple[int, int], ...] = ()
        self._footprint = Footprint(EventKind.ACCESS)

    @property
    def bindings(self) -> tuple[Ref, ...]:
        """What the kernel is given, in order."""
        return self._bindings

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return self._bindings

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        bindings = [direct(ref, table) for ref in self._bindings]
        target.dispatch(self._kernel, self.workload, bindings, self.source)

    def accesses(self, lengths: tuple[int, ...]) -> tuple[BindingAccess, ...]:
        """What the kernel accesses of bindings with these lengths; OUT_OF_RANGE beyond them."""
        known = self._accesses.get(lengths)
        if known is None:
            known = self._kernel.accesses(self.workload.constants, lengths)
            for access in known:
                self._check_range(access, lengths)
            self._accesses[lengths] = known
        return known

    def _check_range(self, access: BindingAccess, lengths: tuple[int, ...]) -> None:
        if access.binding >= len(lengths):
            raise out_of_range(
                f"dispatch of {self._kernel.name} accesses binding {access.binding} but has "
                f"{len(lengths)} bindings"
            )
        length = lengths[access.binding]
        for runs in (access.reads, access.writes):
            if len(runs) and (runs[0, 0] < 0 or runs[-1, 1] > length):
                raise out_of_range(
                    "at least one command attempted to access an address outside of the valid "
                    f"bound buffer range: dispatch of {self._kernel.name} accesses bytes "
                    f"[{runs[0, 0]}, {runs[-1, 1]}) of binding {access.binding}, which has "
                    f"{length}"
                )

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`. Kept for the next execution, which often has the same addresses."""
        bound = [ref.bind(run.table) for ref in self._bindings]
        places = tuple((start, length) for _, start, length in bound)
        if places != self._places:
            accesses = self.accesses(tuple(length for _, length in places))
            self._footprint = Footprint(
                EventKind.ACCESS,
                _spans([a.reads + places[a.binding][0] for a in accesses]),
                _spans([a.writes + places[a.binding][0] for a in accesses]),
            )
            self._places = places
        return self._footprint

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        bound = [ref.bind(run.table) for ref in self._bindings]
        self.accesses(tuple(length for _, _, length in bound))
        for buffer, _, _ in bound:
            buffer.storage.check_live()
        views = [PortView(run.ports[buffer.pool], start, size) for buffer, start, size in bound]
        self._kernel.run(views, self.workload.constants)
        run.counters.dispatches += 1
        run.counters.workgroups += self._workgroups(run)

    def _workgroups(self, run: Execution) -> int:
        return prod(self.workload.workgroups)


COUNTS_SIZE = 12
"""Bytes of the three workgroup counts of an indirect dispatch."""


class IndirectDispatch(Dispatch):
    """Runs a kernel if the workgroup counts in a buffer, read when it executes, are not 0.

    A kernel runs once for all workgroups, so that larger counts make no difference. Reading the
    counts is part of the command: they have to be visible to the device as its bindings are.
    """

    __slots__ = ("_counts",)

    def __init__(
        self,
        source: Source,
        kernel: Kernel,
        workload: Workload,
        bindings: Sequence[Ref],
        counts: Ref,
    ) -> None:
        super().__init__(source, kernel, workload, bindings)
        self._counts = counts

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return (*self._bindings, self._counts)

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        bindings = [direct(ref, table) for ref in self._bindings]
        counts = direct(self._counts, table)
        constants = self.workload.constants
        target.dispatch_indirect(self._kernel, constants, bindings, counts, self.source)

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`. Of the bindings nothing where a count is 0."""
        _, start, length = self._counts.bind(run.table)
        counts = one_run(start, start + length)
        if not self._workgroups(run):
            return Footprint(EventKind.ACCESS, _spans([counts]))
        whole = super().footprint(run)
        reads = [one_run(span.start, span.end) for span in whole.reads]
        return Footprint(EventKind.ACCESS, _spans([counts, *reads]), whole.writes)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        buffer, _, _ = self._counts.bind(run.table)
        buffer.storage.check_live()
        if self._workgroups(run):
            super().execute(run, event)

    def _workgroups(self, run: Execution) -> int:
        buffer, start, length = self._counts.bind(run.table)
        words = run.ports[buffer.pool].load(start, start + length).copy()
        return prod(words.view(np.uint32).tolist())


def _spans(parts: Sequence[Runs]) -> tuple[Span, ...]:
    """The union, as spans, of runs that may overlap each other from part to part."""
    runs: Runs = np.concatenate([NO_RUNS, *parts])
    if sum(len(part) > 0 for part in parts) > 1:
        runs = runs[np.argsort(runs[:, 0], kind="stable")]
        reach = np.maximum.accumulate(runs[:, 1])
        opens = np.concatenate(([True], runs[1:, 0] > reach[:-1]))
        closes = np.concatenate((opens[1:], [True]))
        runs = np.stack((runs[opens, 0], reach[closes]), axis=1)
    return tuple(starmap(Span, runs.tolist()))
