"""Ops that record transfers and cache maintenance into command buffers.

```mlir
hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer>
    target(%buffer : !hal.buffer)[%offset, %length] flags("None")
```
A buffer operand of type `index` is a slot of the binding table; offsets and lengths are in
bytes. All take effect when a queue executes them, in the Transfer stage. Flush, invalidate and
discard maintain the cache of the executing device's domain, in whole lines; stock IREE has no
such ops (IR-15).
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i8, i16, i32
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
)

from ..access import FieldRanges, Maintains, Maintenance, reads, writes
from ..util.types import BufferType as HostBufferType
from ..verify import constant_index
from .command_checks import REFERENCE, CommandOp, check_apart, check_pattern_range, check_range
from .enums import CopyFlag, FillFlag, MaintenanceFlag, UpdateFlag
from .format import EnumConstraint, EnumValue, OneOf
from .types import CommandBufferType

PATTERN = OneOf((i8, i16, i32))
"""The type of a fill's pattern."""


@irdl_op_definition
class CommandBufferFillBufferOp(CommandOp):
    """Records the fill of a range with a repeated pattern of 1, 2 or 4 bytes."""

    name = "hal.command_buffer.fill_buffer"

    command_buffer = operand_def(CommandBufferType)
    target_buffer = operand_def(REFERENCE)
    target_offset = operand_def(IndexType())
    length = operand_def(IndexType())
    pattern = operand_def(PATTERN)
    flags = prop_def(EnumConstraint(FillFlag))

    traits = traits_def(FieldRanges((writes("target_buffer", "length", "target_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` "
        "`` `[` $target_offset `,` $length `]` `pattern` `(` $pattern `:` type($pattern) `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the range, and that it is made of whole patterns."""
        super().verify_()
        check_pattern_range(self.pattern, self.target_offset, self.length)


@irdl_op_definition
class CommandBufferUpdateBufferOp(CommandOp):
    """Records the write of bytes of host memory; they are taken when it is recorded."""

    name = "hal.command_buffer.update_buffer"

    command_buffer = operand_def(CommandBufferType)
    source_buffer = operand_def(HostBufferType)
    source_size = operand_def(IndexType())
    """Bytes of the whole source."""
    source_offset = operand_def(IndexType())
    target_buffer = operand_def(REFERENCE)
    target_offset = operand_def(IndexType())
    length = operand_def(IndexType())
    flags = prop_def(EnumConstraint(UpdateFlag))

    traits = traits_def(FieldRanges((writes("target_buffer", "length", "target_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`source` `(` $source_buffer `:` type($source_buffer) `` `{` $source_size `}` `)` "
        "`` `[` $source_offset `]` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` `flags` `(` custom<EnumValue>($flags) `)` "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check both ranges."""
        super().verify_()
        check_range(self.source_offset, self.length, constant_index(self.source_size), "source")


@irdl_op_definition
class CommandBufferCopyBufferOp(CommandOp):
    """Records the copy of a range to another that does not overlap it."""

    name = "hal.command_buffer.copy_buffer"

    command_buffer = operand_def(CommandBufferType)
    source_buffer = operand_def(REFERENCE)
    source_offset = operand_def(IndexType())
    target_buffer = operand_def(REFERENCE)
    target_offset = operand_def(IndexType())
    length = operand_def(IndexType())
    flags = prop_def(EnumConstraint(CopyFlag))

    traits = traits_def(
        FieldRanges(
            (
                reads("source_buffer", "length", "source_offset"),
                writes("target_buffer", "length", "target_offset"),
            )
        )
    )
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` `flags` `(` custom<EnumValue>($flags) `)` "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check both ranges, and that they do not overlap."""
        super().verify_()
        check_apart(self)


class CacheMaintenanceOp(CommandOp):
    """The shape of the three ops that maintain the executing domain's cache."""

    command_buffer = operand_def(CommandBufferType)
    target_buffer = operand_def(REFERENCE)
    target_offset = operand_def(IndexType())
    length = operand_def(IndexType())
    flags = prop_def(EnumConstraint(MaintenanceFlag))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $command_buffer `:` type($command_buffer) `>` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` "
        "`` `[` $target_offset `,` $length `]` `flags` `(` custom<EnumValue>($flags) `)` "
        "attr-dict-with-keyword"
    )


@irdl_op_definition
class CommandBufferFlushBufferOp(CacheMaintenanceOp):
    """Records the write-back of the dirty bytes of every line that the range touches.

    Makes the executing domain's writes available to others; its lines stay, clean. Others see
    them after an invalidate of theirs (IR-15, IR-30).
    """

    name = "hal.command_buffer.flush_buffer"

    traits = traits_def(Maintains(Maintenance.FLUSH, "target_buffer", "length"))


@irdl_op_definition
class CommandBufferInvalidateBufferOp(CacheMaintenanceOp):
    """Records the drop of every line that the range touches, dirty bytes included.

    Makes what others have flushed visible to the executing domain (IR-15, IR-32).
    """

    name = "hal.command_buffer.invalidate_buffer"

    traits = traits_def(Maintains(Maintenance.INVALIDATE, "target_buffer", "length"))


@irdl_op_definition
class CommandBufferDiscardBufferOp(CacheMaintenanceOp):
    """Records an invalidate that also states that the contents are dead until the next write."""

    name = "hal.command_buffer.discard_buffer"

    traits = traits_def(Maintains(Maintenance.DISCARD, "target_buffer", "length"))


OPS = (
    CommandBufferFillBufferOp,
    CommandBufferUpdateBufferOp,
    CommandBufferCopyBufferOp,
    CommandBufferFlushBufferOp,
    CommandBufferInvalidateBufferOp,
    CommandBufferDiscardBufferOp,
)
"""The ops of this file."""
