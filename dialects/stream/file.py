"""File ops: bytes between files and resources."""

from __future__ import annotations

from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryAllocEffect

from ..access import FieldRanges, reads, writes
from . import verify
from .base import AFFINITY, BUFFER, DEVICE_RESOURCE, I64, INDEX, TIMEPOINT, Canonicalized, CmdPhase
from .types import FileType

FILE = base(FileType)


@irdl_op_definition
class FileConstantOp(IRDLOperation):
    """A file over constant host memory."""

    name = "stream.file.constant"

    source = operand_def(BUFFER)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the file starts in it, in bytes."""
    source_length = operand_def(INDEX)
    """Bytes of the file."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(FILE)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `for` $source_length `]` `:`"
        " type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the source."""
        verify.check_range(self.source_offset, self.source_length, self.source_size, "source")


@irdl_op_definition
class FileReadOp(IRDLOperation):
    """Reads from a file into a resource."""

    name = "stream.file.read"

    source = operand_def(FILE)
    source_offset = operand_def(I64)
    """Bytes from the start of the file."""
    target = operand_def(DEVICE_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    length = operand_def(INDEX)
    """Bytes."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(
        Canonicalized(), CmdPhase(), FieldRanges((writes("target", "length", "target_offset"),))
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)?"
        " $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`"
        " type($source) `->` type($target) `` `{` $target_size `}` `=` `` `>`"
        " type($result_timepoint) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the target."""
        verify.check_range(self.target_offset, self.length, self.target_size, "target")


@irdl_op_definition
class FileWriteOp(IRDLOperation):
    """Writes from a resource to a file."""

    name = "stream.file.write"

    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `source`."""
    target = operand_def(FILE)
    target_offset = operand_def(I64)
    """Bytes from the start of the file."""
    length = operand_def(INDEX)
    """Bytes."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(
        Canonicalized(), CmdPhase(), FieldRanges((reads("source", "length", "source_offset"),))
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)?"
        " $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`"
        " type($source) `` `{` $source_size `}` `->` type($target) `=` `` `>`"
        " type($result_timepoint) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the source."""
        verify.check_range(self.source_offset, self.length, self.source_size, "source")
