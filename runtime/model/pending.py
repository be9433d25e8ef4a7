"""A run that was issued and is not known to be complete."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..host.calls import Needs
from ..host.errors import ErrorCode
from ..host.runtime import Runtime
from ..host.stream import Stream
from ..host.tasks import Use
from .tensor import IoBuffer
from .ways import Binding


@dataclass(slots=True, eq=False)
class PendingRun:
    """What `Model.run_async` gives: outputs are undefined until `wait` returns, or the host has
    waited for anything else since."""

    runtime: Runtime
    stream: Stream
    """A stream of its own, which nothing else is issued to."""
    label: str
    results: list[IoBuffer] | None = field(default=None)
    """The memory of each output, once it is complete."""

    def wait(self) -> list[IoBuffer]:
        """Block until the run is complete, and give the memory of each output.

        Raises HostError where the program failed, here or when the host waited before.
        """
        self.runtime.enter("aclrtSynchronizeStream", Needs.CONTEXT)
        self.runtime.wait_for(self.stream.position, self.stream.name)
        if self.results is None:
            self.runtime.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, f"{self.label} has failed", "stream"
            )
        return self.results


def issued(runtime: Runtime, stream: Stream, binding: Binding, label: str) -> None:
    """Let the caller's memory be in use from now on: what the host wrote is handed over, and what
    it does with it before the run is complete is a hazard."""
    uses: list[Use] = []
    for way in (*binding.inputs, *binding.outputs):
        pointer = None if way.operand is None else way.operand.pointer
        if pointer is not None:
            length = pointer.size if way.size is None else min(way.size, pointer.size)
            end = pointer.offset + length
            writes = way in binding.outputs
            uses.append(Use(pointer.allocation, pointer.offset, end, writes))
    for allocation in dict.fromkeys(use.allocation for use in uses):
        if allocation.is_host:
            runtime.host_access.hand_over(allocation)
    runtime.host_access.submitted(uses, stream.number, stream.value, label)
