"""Async ops that make resources with value semantics: clones, slices, transfers, casts."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import AlwaysSpeculatable, MemoryAllocEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..access import FieldRanges, TiedResults, reads, writes
from . import verify
from .base import (
    AFFINITY,
    ANY_RESOURCE,
    DEVICE_RESOURCE,
    FILL_PATTERN,
    INDEX,
    STAGING_RESOURCE,
    TIMEPOINT,
    VALUE,
    AsyncPhase,
    Canonicalized,
    Passthrough,
    Streamable,
)

TRANSFER_KIND = "stream.transfer_kind"
"""Discardable attribute of transfers: `"copy"` or `"alias"`; stock IREE carries it along."""


@irdl_op_definition
class AsyncAllocaOp(IRDLOperation):
    """A resource with undefined contents."""

    name = "stream.async.alloca"

    storage_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(metadata=True, prefer_clone=True),
        MemoryAllocEffect(),
        AlwaysSpeculatable(),
    )

    assembly_format = "(`on` `(` $affinity^ `)`)? attr-dict `:` type($result) `{` $storage_size `}`"


@irdl_op_definition
class AsyncConstantOp(IRDLOperation):
    """A constant."""

    name = "stream.async.constant"

    await_timepoint = opt_operand_def(TIMEPOINT)
    result_size = operand_def(INDEX)
    """Bytes."""

    value = prop_def(Attribute)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(
        Canonicalized(),
        Pure(),
        AsyncPhase(),
        Streamable(metadata=True),
        FieldRanges((writes("result", "result_size"),)),
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? `:`"
        " type($result) `` `{` $result_size `}` `=` $value attr-dict-with-keyword"
    )


@irdl_op_definition
class AsyncSplatOp(IRDLOperation):
    """A resource filled with a pattern."""

    name = "stream.async.splat"

    await_timepoint = opt_operand_def(TIMEPOINT)
    value = operand_def(FILL_PATTERN)
    result_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(prefer_clone=True),
        FieldRanges((writes("result", "result_size"),)),
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? $value `:` type($value)"
        " `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class AsyncCloneOp(IRDLOperation):
    """A copy of a resource, in storage of its own."""

    name = "stream.async.clone"

    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes."""
    result_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        Streamable(prefer_clone=True),
        FieldRanges((reads("source", "source_size"), writes("result", "result_size"))),
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}` `->`"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class AsyncSliceOp(IRDLOperation):
    """A copy of a range of a resource, in storage of its own."""

    name = "stream.async.slice"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    source = operand_def(T)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `source`."""
    source_end = operand_def(INDEX)
    """Where it ends."""
    result_size = operand_def(INDEX)
    """Bytes of the range."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        Canonicalized(),
        Pure(),
        AsyncPhase(),
        Streamable(),
        FieldRanges(
            (
                reads("source", "result_size", "source_offset", "source_end"),
                writes("result", "result_size"),
            )
        ),
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `:`"
        " type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}`"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the source and is as long as the result."""
        verify.check_end_range(
            self.source_offset, self.source_end, self.result_size, self.source_size, "source"
        )


@irdl_op_definition
class AsyncBarrierOp(IRDLOperation):
    """States that a value must be complete on an affinity before it is used."""

    name = "stream.async.barrier"

    T: ClassVar = VarConstraint("T", ANY_RESOURCE)

    source = operand_def(T)
    size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    traits = traits_def(
        AsyncPhase(), Streamable(metadata=True), Passthrough(), TiedResults("source")
    )

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $size `}`"
        " attr-dict-with-keyword"
    )


@irdl_op_definition
class AsyncTransferOp(IRDLOperation):
    """A resource as another device, or another lifetime, sees it: copied or aliased.

    The discardable `stream.transfer_kind` says which; absent, `stream-resolve-transfer-kinds`
    decides.
    """

    name = "stream.async.transfer"

    source = operand_def(ANY_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes."""
    result_size = operand_def(INDEX)
    """Bytes."""

    source_affinity = opt_prop_def(AFFINITY)
    """Where the source lives."""
    target_affinity = opt_prop_def(AFFINITY)
    """Where the result lives."""
    execution_affinity = opt_prop_def(AFFINITY)
    """Which device carries it out; else decided by the lifetimes."""

    result = result_def(ANY_RESOURCE)

    traits = traits_def(
        Canonicalized(),
        Pure(),
        AsyncPhase(),
        Streamable(),
        FieldRanges((reads("source", "source_size"), writes("result", "result_size"))),
    )

    assembly_format = (
        "(`on` `(` $execution_affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}`"
        " (`from` `(` $source_affinity^ `)`)? `->` (`to` `(` $target_affinity^ `)`)?"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    @property
    def kind(self) -> str | None:
        """`copy`, `alias`, or None where it is not decided."""
        kind = self.attributes.get(TRANSFER_KIND)
        return kind.data if isinstance(kind, StringAttr) else None

    def verify_(self) -> None:
        """A stated kind is one there is."""
        check_transfer_kind(self.attributes.get(TRANSFER_KIND))


def check_transfer_kind(kind: Attribute | None) -> None:
    """`kind` is absent, `"copy"` or `"alias"`."""
    if kind is None:
        return
    if not isinstance(kind, StringAttr) or kind.data not in ("copy", "alias"):
        raise VerifyException(f'expected {TRANSFER_KIND} = "copy" or "alias", got {kind}')


def stated_kind(op: Operation) -> dict[str, Attribute]:
    """The transfer kind that `op` states, if it does, for the op that takes its place: a copy
    command that says `copy` is a copy transfer's."""
    kind = op.attributes.get(TRANSFER_KIND)
    return {} if kind is None else {TRANSFER_KIND: kind}


@irdl_op_definition
class AsyncCastOp(IRDLOperation):
    """A resource under another lifetime; storage is shared."""

    name = "stream.async.cast"

    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes."""
    result_size = operand_def(INDEX)
    """Bytes; the same value as `source_size`."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(Canonicalized(), Pure(), AsyncPhase(), Passthrough(), TiedResults("source"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `{` $source_size `}`"
        " `->` type($result) `{` $result_size `}` attr-dict"
    )

    def verify_(self) -> None:
        """Shared storage has one size."""
        if self.source_size is not self.result_size:
            raise VerifyException(
                "expected one size for source and result, which share storage, got two values"
            )


@irdl_op_definition
class AsyncLoadOp(IRDLOperation):
    """Loads a value on the host."""

    name = "stream.async.load"

    source = operand_def(STAGING_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of the whole resource."""
    source_offset = operand_def(INDEX)
    """Bytes from its start."""

    result = result_def(VALUE)

    traits = traits_def(Pure(), AsyncPhase())

    assembly_format = (
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->`"
        " type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The value lies within the resource."""
        verify.check_value_access(self.source_offset, self.source_size, self.result.type, "source")
