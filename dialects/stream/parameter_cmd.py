"""Parameter ops of the cmd phase: bytes between archives and allocated resources."""

from __future__ import annotations

from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ..access import FieldRanges, reads, writes
from ..format_symbols import ParameterReference
from . import verify, verify_regions
from .base import AFFINITY, BUFFER, DEVICE_RESOURCE, I64, INDEX, TIMEPOINT, Canonicalized, CmdPhase
from .dispatch_access import ListRanges
from .format_parameters import (
    CmdParameterGatherOperations,
    CmdParameterScatterOperations,
    ParameterLoadOperations,
)

_ON_AWAIT = "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? "
_RESULT = " `=` `` `>` type($result_timepoint) attr-dict-with-keyword"


@irdl_op_definition
class CmdParameterLoadOp(IRDLOperation):
    """Allocates resources and loads them from parameters of one archive."""

    name = "stream.cmd.parameter.load"

    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_keys = var_operand_def(BUFFER)
    """Name the parameters."""
    source_offsets = var_operand_def(I64)
    """Bytes from the start of each parameter."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result_resources = var_result_def(DEVICE_RESOURCE)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), Pure(), CmdPhase())

    custom_directives = (ParameterLoadOperations,)
    assembly_format = (
        _ON_AWAIT + "` ` `{` custom<ParameterLoadOperations>($source_scope, $source_keys,"
        " $source_offsets, type($result_resources), $result_sizes) `}`" + _RESULT
    )

    def verify_(self) -> None:
        """One offset, size and result for each key, and results of one type."""
        count = len(self.source_keys)
        verify.check_count("source offsets", len(self.source_offsets), count)
        verify.check_count("result sizes", len(self.result_sizes), count)
        verify.check_count("results", len(self.result_resources), count)
        verify.check_one_type(self.result_resources)


@irdl_op_definition
class CmdParameterReadOp(IRDLOperation):
    """Reads a range of a resource from a parameter."""

    name = "stream.cmd.parameter.read"

    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_key = operand_def(BUFFER)
    """Names the parameter."""
    source_offset = operand_def(I64)
    """Bytes from the start of the parameter."""
    target = operand_def(DEVICE_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    target_length = operand_def(INDEX)
    """Bytes of the range."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        FieldRanges((writes("target", "target_length", "target_offset"),)),
    )

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON_AWAIT + "custom<ParameterReference>($source_scope, $source_key)"
        " `` `[` $source_offset `]` `->` $target `[` $target_offset `for` $target_length `]` `:`"
        " type($target) `` `{` $target_size `}`" + _RESULT
    )

    def verify_(self) -> None:
        """The range lies within the target."""
        verify.check_range(self.target_offset, self.target_length, self.target_size, "target")


@irdl_op_definition
class CmdParameterWriteOp(IRDLOperation):
    """Writes a range of a resource to a parameter."""

    name = "stream.cmd.parameter.write"

    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `source`."""
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

    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        FieldRanges((reads("source", "source_length", "source_offset"),)),
    )

    custom_directives = (ParameterReference,)
    assembly_format = (
        _ON_AWAIT + "$source `[` $source_offset `for` $source_length `]` `:`"
        " type($source) `` `{` $source_size `}` `->`"
        " custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]`"
        + _RESULT
    )

    def verify_(self) -> None:
        """The range lies within the source."""
        verify.check_range(self.source_offset, self.source_length, self.source_size, "source")


@irdl_op_definition
class CmdParameterGatherOp(IRDLOperation):
    """Reads ranges of a resource from parameters of one archive."""

    name = "stream.cmd.parameter.gather"

    source_scope = opt_operand_def(BUFFER)
    """Names the archive."""
    source_keys = var_operand_def(BUFFER)
    """Name the parameters."""
    source_offsets = var_operand_def(I64)
    """Bytes from the start of each parameter."""
    target = operand_def(DEVICE_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offsets = var_operand_def(INDEX)
    """Where each range starts, in bytes from the start of `target`."""
    target_lengths = var_operand_def(INDEX)
    """Bytes of each range."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), CmdPhase(), ListRanges("target", "target", writes=True))

    custom_directives = (CmdParameterGatherOperations,)
    assembly_format = (
        _ON_AWAIT + "` ` `{` custom<CmdParameterGatherOperations>($source_scope, $source_keys,"
        " $source_offsets, $target, type($target), $target_size, $target_offsets,"
        " $target_lengths) `}`" + _RESULT
    )

    def verify_(self) -> None:
        """One offset and one range for each key, within the target."""
        count = len(self.source_keys)
        verify.check_count("source offsets", len(self.source_offsets), count)
        verify_regions.check_range_list(self, "target", count)


@irdl_op_definition
class CmdParameterScatterOp(IRDLOperation):
    """Writes ranges of a resource to parameters of one archive."""

    name = "stream.cmd.parameter.scatter"

    source = operand_def(DEVICE_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offsets = var_operand_def(INDEX)
    """Where each range starts, in bytes from the start of `source`."""
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

    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), CmdPhase(), ListRanges("source", "source", writes=False))

    custom_directives = (CmdParameterScatterOperations,)
    assembly_format = (
        _ON_AWAIT + "` ` `{` custom<CmdParameterScatterOperations>($source, type($source),"
        " $source_size, $source_offsets, $source_lengths, $target_scope, $target_keys,"
        " $target_offsets) `}`" + _RESULT
    )

    def verify_(self) -> None:
        """One offset and one range for each key, within the source."""
        count = len(self.target_keys)
        verify.check_count("target offsets", len(self.target_offsets), count)
        verify_regions.check_range_list(self, "source", count)
