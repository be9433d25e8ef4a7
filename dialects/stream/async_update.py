"""Async ops that write a range of a resource; the result is tied to the target."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from ..access import FieldRanges, TiedResults, reads, writes
from ..format import ShapedTiedResult
from . import verify
from .attributes import CollectiveAttr
from .base import (
    AFFINITY,
    DEVICE_RESOURCE,
    FILL_PATTERN,
    I32,
    INDEX,
    STAGING_RESOURCE,
    VALUE,
    AsyncPhase,
    Canonicalized,
    Streamable,
)
from .format import PARAM_WORDS, CollectiveParam
from .types import ChannelType


@irdl_op_definition
class AsyncFillOp(IRDLOperation):
    """A resource with a range of it filled with a pattern."""

    name = "stream.async.fill"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    target_end = operand_def(INDEX)
    """Where it ends."""
    target_length = operand_def(INDEX)
    """Bytes of the range."""
    value = operand_def(FILL_PATTERN)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(),
        TiedResults("target"),
        FieldRanges(
            (
                writes("target", "target_length", "target_offset", "target_end"),
                writes("result", "target_length", "target_offset", "target_end"),
            )
        ),
    )

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $value `,`"
        " $target `[` $target_offset `to` $target_end `for` $target_length `]` `:`"
        " type($value) `->` custom<ShapedTiedResult>(type($target), $target_size)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the target and its end is its start plus its length."""
        verify.check_end_range(
            self.target_offset, self.target_end, self.target_length, self.target_size, "target"
        )


@irdl_op_definition
class AsyncUpdateOp(IRDLOperation):
    """A resource with a range of it replaced by another resource."""

    name = "stream.async.update"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    target_end = operand_def(INDEX)
    """Where it ends."""
    update = operand_def(DEVICE_RESOURCE)
    update_size = operand_def(INDEX)
    """Bytes of `update` and of the range."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(),
        TiedResults("target"),
        FieldRanges(
            (
                reads("update", "update_size"),
                writes("target", "update_size", "target_offset", "target_end"),
                writes("result", "update_size", "target_offset", "target_end"),
            )
        ),
    )

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $update `,` $target `[` $target_offset `to` $target_end `]`"
        " `:` type($update) `` `{` $update_size `}` `->`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the target and is as long as the update."""
        verify.check_end_range(
            self.target_offset, self.target_end, self.update_size, self.target_size, "target"
        )


@irdl_op_definition
class AsyncCopyOp(IRDLOperation):
    """A resource with a range of it replaced by a range of another one, or of itself."""

    name = "stream.async.copy"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the target's range starts, in bytes from its start."""
    target_end = operand_def(INDEX)
    """Where it ends."""
    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the source's range starts, in bytes from its start."""
    source_end = operand_def(INDEX)
    """Where it ends."""
    length = operand_def(INDEX)
    """Bytes of each range."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(),
        TiedResults("target"),
        FieldRanges(
            (
                reads("source", "length", "source_offset", "source_end"),
                writes("target", "length", "target_offset", "target_end"),
                writes("result", "length", "target_offset", "target_end"),
            )
        ),
    )

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `,`"
        " $target `[` $target_offset `to` $target_end `]` `,` $length `:`"
        " type($source) `` `{` $source_size `}` `->`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Both ranges lie within their resources, and do not overlap in one resource (B10)."""
        verify.check_end_range(
            self.source_offset, self.source_end, self.length, self.source_size, "source"
        )
        verify.check_end_range(
            self.target_offset, self.target_end, self.length, self.target_size, "target"
        )
        verify.check_copy_overlap(self)


@irdl_op_definition
class AsyncCollectiveOp(IRDLOperation):
    """A collective operation over the participants of a channel."""

    name = "stream.async.collective"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the target's range starts, in bytes from its start."""
    target_end = operand_def(INDEX)
    """Where it ends."""
    target_length = operand_def(INDEX)
    """Bytes of the target's range."""
    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the source's range starts, in bytes from its start."""
    source_end = operand_def(INDEX)
    """Where it ends."""
    source_length = operand_def(INDEX)
    """Bytes of the source's range."""
    element_count = operand_def(INDEX)
    """Elements taking part, of the collective's element type."""
    channel = operand_def(base(ChannelType))
    param = opt_operand_def(I32)
    """The rank that the collective names, or a pair of ranks in 16 bits each."""

    op = prop_def(base(CollectiveAttr))
    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        AsyncPhase(),
        Streamable(),
        TiedResults("target"),
        FieldRanges(
            (
                reads("source", "source_length", "source_offset", "source_end"),
                writes("target", "target_length", "target_offset", "target_end"),
                writes("result", "target_length", "target_offset", "target_end"),
            )
        ),
    )

    custom_directives = (CollectiveParam, ShapedTiedResult)
    assembly_format = (
        "`` $op `` `[` $element_count `]` (`on` `(` $affinity^ `)`)? `channel` `(` $channel `)`"
        " custom<CollectiveParam>(ref($op), $param) ``"
        " $source `[` $source_offset `to` $source_end `for` $source_length `]` `,`"
        " $target `[` $target_offset `to` $target_end `for` $target_length `]` `:`"
        " type($source) `` `{` $source_size `}` `->`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Ranges fit, and the parameter is there where the kind takes one."""
        word = PARAM_WORDS.get(self.op.data.kind)
        if (word is None) != (self.param is None):
            wanted = "no parameter" if word is None else f"a {word} parameter"
            raise VerifyException(f"expected {wanted} for {self.op.data.kind}")
        verify.check_end_range(
            self.source_offset, self.source_end, self.source_length, self.source_size, "source"
        )
        verify.check_end_range(
            self.target_offset, self.target_end, self.target_length, self.target_size, "target"
        )


@irdl_op_definition
class AsyncStoreOp(IRDLOperation):
    """A resource with a value stored by the host."""

    name = "stream.async.store"

    T: ClassVar = VarConstraint("T", STAGING_RESOURCE)

    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of the whole resource."""
    target_offset = operand_def(INDEX)
    """Bytes from its start."""
    value = operand_def(VALUE)

    result = result_def(T)

    traits = traits_def(Canonicalized(), AsyncPhase(), TiedResults("target"))

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "$value `,` $target `[` $target_offset `]` `:` type($value) `->`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The value lies within the resource."""
        verify.check_value_access(self.target_offset, self.target_size, self.value.type, "target")
