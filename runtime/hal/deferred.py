"""Command buffers of a device that executes only what was recorded for one submission."""

from .command_buffer import CommandBuffer
from .flags import CommandBufferMode
from .program import Program
from .recorder import Source
from .refs import Table


class DeferredCommandBuffer(CommandBuffer):
    """Commands that are kept, and recorded again for each submission.

    They are checked as they come, so that it refuses what a direct one refuses. A submission
    records them into a one-shot command buffer of the device, with the buffers of its table in
    place of the slots; that counts as a recording (IR-17).
    """

    def program_for(self, table: Table, source: Source) -> Program:
        """See `CommandBuffer.program_for`."""
        super().program_for(table, source)
        once = CommandBuffer(
            self._recording, CommandBufferMode.ONE_SHOT, self.categories, source=self.source
        )
        self.apply(once, table)
        once.finalize()
        return once.program_for((), source)

    def apply(self, target: CommandBuffer, table: Table) -> None:
        """Record all commands into `target`, with the buffers of `table` in place of slots."""
        for node in self._nodes:
            node.record_into(target, table)
