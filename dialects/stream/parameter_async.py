"""Parameter ops of the tensor and async phases: values kept in archives outside the program."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ..access import FieldRanges, TiedResults, reads, writes
from ..format_symbols import ParameterReference
from . import verify, verify_regions
from .base import (
    AFFINITY,
    BUFFER,
    DEVICE_RESOURCE,
    ENCODING,
    I64,
    INDEX,
    TIMEPOINT,
    AsyncPhase,
    Canonicalized,
    Streamable,
    TensorPhase,
)
from .dispatch_access import ListRanges
from .format_parameters import AsyncParameterGatherOperations, AsyncParameterScatterOperations

_ON = "(`on` `(` $affinity^ `)`)? "
_ON_AWAIT = _ON + "(`await` `(` $await_timepoint^ `)`)? "


@irdl_op_definition
class TensorParameterLoadOp(IRDLOperation):
    """A tensor loaded from a parameter."""

    name = "stream.tensor.parameter.load"

    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_key = operand_def(BUFFER)
    """Names the parameter."""
    source_offset = operand_def(I64)
    """Bytes from the start of the parameter."""
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure(), TensorPhase(), Streamable())

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON + "custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]`"
        " `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)?"
        " `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


@irdl_op_definition
class TensorParameterWriteOp(IRDLOperation):
    """Writes a tensor to a parameter."""

    name = "stream.tensor.parameter.write"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    source = operand_def(T)
    source_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `source_encoding`."""
    source_size = operand_def(INDEX)
    """Bytes."""
    target_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    target_key = operand_def(BUFFER)
    """Names the parameter."""
    target_offset = operand_def(I64)
    """Bytes from the start of the parameter."""

    source_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(TensorPhase(), TiedResults("source"))

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON + "$source `->` custom<ParameterReference>($target_scope, $target_key)"
        " `` `[` $target_offset `]` `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)?"
        " `in` type($source) `` `{` $source_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.source_encoding,), self.source_encoding_dims, "source")


@irdl_op_definition
class AsyncParameterLoadOp(IRDLOperation):
    """A resource loaded from a parameter."""

    name = "stream.async.parameter.load"

    await_timepoint = opt_operand_def(TIMEPOINT)
    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_key = operand_def(BUFFER)
    """Names the parameter."""
    source_offset = operand_def(I64)
    """Bytes from the start of the parameter."""
    result_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(), Pure(), AsyncPhase(), FieldRanges((writes("result", "result_size"),))
    )

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON_AWAIT + "custom<ParameterReference>($source_scope, $source_key)"
        " `` `[` $source_offset `]` `:` type($result) `` `{` $result_size `}` `=` `` `>`"
        " type($result_timepoint) attr-dict-with-keyword"
    )


@irdl_op_definition
class AsyncParameterReadOp(IRDLOperation):
    """A resource with a range of it read from a parameter."""

    name = "stream.async.parameter.read"

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
    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_key = operand_def(BUFFER)
    """Names the parameter."""
    source_offset = operand_def(I64)
    """Bytes from the start of the parameter."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        TiedResults("target"),
        FieldRanges(
            (
                writes("target", "target_length", "target_offset", "target_end"),
                writes("result", "target_length", "target_offset", "target_end"),
            )
        ),
    )

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON_AWAIT + "custom<ParameterReference>($source_scope, $source_key)"
        " `` `[` $source_offset `]` `->`"
        " $target `` `[` $target_offset `to` $target_end `for` $target_length `]` `:`"
        " type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the target and its end is its start plus its length."""
        verify.check_end_range(
            self.target_offset, self.target_end, self.target_length, self.target_size, "target"
        )


@irdl_op_definition
class AsyncParameterWriteOp(IRDLOperation):
    """Writes a range of a resource to a parameter."""

    name = "stream.async.parameter.write"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    source = operand_def(T)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `source`."""
    source_end = operand_def(INDEX)
    """Where it ends."""
    source_length = operand_def(INDEX)
    """Bytes of the range."""
    target_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    target_key = operand_def(BUFFER)
    """Names the parameter."""
    target_offset = operand_def(I64)
    """Bytes from the start of the parameter."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        TiedResults("source"),
        FieldRanges((reads("source", "source_length", "source_offset", "source_end"),)),
    )

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON_AWAIT + "$source `` `[` $source_offset `to` $source_end `for` $source_length `]` `->`"
        " custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]` `:`"
        " type($source) `` `{` $source_size `}` `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the source and its end is its start plus its length."""
        verify.check_end_range(
            self.source_offset, self.source_end, self.source_length, self.source_size, "source"
        )


@irdl_op_definition
class AsyncParameterGatherOp(IRDLOperation):
    """A resource with ranges of it read from parameters of one archive."""

    name = "stream.async.parameter.gather"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_keys = var_operand_def(BUFFER)
    """Name the parameters."""
    source_offsets = var_operand_def(I64)
    """Bytes from the start of each parameter."""
    target = operand_def(T)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offsets = var_operand_def(INDEX)
    """Where each range starts, in bytes from the start of `target`."""
    target_ends = var_operand_def(INDEX)
    """Where it ends."""
    target_lengths = var_operand_def(INDEX)
    """Bytes of each range."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        AsyncPhase(), TiedResults("target"), ListRanges("target", "target", writes=True)
    )

    custom_directives = (AsyncParameterGatherOperations,)
    assembly_format = (
        _ON_AWAIT + "` ` `{` custom<AsyncParameterGatherOperations>($source_scope, $source_keys,"
        " $source_offsets, $target, type($target), $target_size, $target_offsets, $target_ends,"
        " $target_lengths) `}` `:` type($result) `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """One offset and one range for each key, within the target."""
        count = len(self.source_keys)
        verify.check_count("source offsets", len(self.source_offsets), count)
        verify_regions.check_range_list(self, "target", count)


@irdl_op_definition
class AsyncParameterScatterOp(IRDLOperation):
    """Writes ranges of a resource to parameters of one archive."""

    name = "stream.async.parameter.scatter"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    source = operand_def(T)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offsets = var_operand_def(INDEX)
    """Where each range starts, in bytes from the start of `source`."""
    source_ends = var_operand_def(INDEX)
    """Where it ends."""
    source_lengths = var_operand_def(INDEX)
    """Bytes of each range."""
    target_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    target_keys = var_operand_def(BUFFER)
    """Name the parameters."""
    target_offsets = var_operand_def(I64)
    """Bytes from the start of each parameter."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        AsyncPhase(), TiedResults("source"), ListRanges("source", "source", writes=False)
    )

    custom_directives = (AsyncParameterScatterOperations,)
    assembly_format = (
        _ON_AWAIT + "` ` `{` custom<AsyncParameterScatterOperations>($source, type($source),"
        " $source_size, $source_offsets, $source_ends, $source_lengths, $target_scope,"
        " $target_keys, $target_offsets) `}` `:` type($result) `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """One offset and one range for each key, within the source."""
        count = len(self.target_keys)
        verify.check_count("target offsets", len(self.target_offsets), count)
        verify_regions.check_range_list(self, "source", count)
