"""Tensor ops with operand lists: dispatches and traces."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults, tied_field_index
from ..format_symbols import DispatchEntryPoints
from ..verify import check_ties
from . import verify, verify_regions
from .base import (
    AFFINITY,
    DEVICE_RESOURCE,
    ENCODINGS,
    INDEX,
    RESOURCE_OR_PRIMITIVE,
    STAGING_RESOURCE,
    TIED_OPERANDS,
    Streamable,
    TensorPhase,
)
from .format_encoded import EncodedResourceOperands, EncodedShapedFunctionType


@irdl_op_definition
class TensorTraceOp(IRDLOperation):
    """Prints tensors at run time."""

    name = "stream.tensor.trace"

    resources = var_operand_def(STAGING_RESOURCE)
    resource_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    resource_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all encodings, in order."""

    key = prop_def(base(StringAttr))
    """What it is printed under."""
    resource_encodings = prop_def(ENCODINGS)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    custom_directives = (EncodedResourceOperands,)
    assembly_format = (
        "$key `=` `[` custom<EncodedResourceOperands>($resources, type($resources),"
        " $resource_sizes, $resource_encodings, $resource_encoding_dims) `]`"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Size, encoding and dimensions for each resource."""
        count = len(self.resources)
        verify.check_count("resource sizes", len(self.resource_sizes), count)
        verify.check_count("resource encodings", len(self.resource_encodings), count)
        encodings = self.resource_encodings.data
        verify.check_dimensions(encodings, self.resource_encoding_dims, "resource")


@irdl_op_definition
class TensorDispatchOp(IRDLOperation):
    """Runs an executable's export on whole tensors."""

    name = "stream.tensor.dispatch"

    workload = var_operand_def(INDEX)
    """Arguments of the export's workgroup count region."""
    mixed_operands = var_operand_def(RESOURCE_OR_PRIMITIVE)
    """Resources and primitives, in the order of the export's arguments."""
    operand_sizes = var_operand_def(INDEX)
    """Bytes of each resource operand."""
    operand_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all operand encodings, in order."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all result encodings, in order."""

    entry_points = prop_def(base(ArrayAttr[SymbolRefAttr]))
    """Exports that do the same; one of them is chosen at run time."""
    operand_encodings = prop_def(ENCODINGS)
    """`!util.unused` for a primitive."""
    result_encodings = prop_def(ENCODINGS)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the mixed operand it is written in place of, or -1."""
    affinity = opt_prop_def(AFFINITY)

    result_resources = var_result_def(DEVICE_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Pure(),
        TensorPhase(),
        Streamable(),
        TiedResults("mixed_operands", "result_resources", stored=True),
    )

    custom_directives = (DispatchEntryPoints, EncodedShapedFunctionType)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? custom<DispatchEntryPoints>($entry_points)"
        " (`[` $workload^ `]`)? `` `(` $mixed_operands `)` attr-dict `:`"
        " custom<EncodedShapedFunctionType>(ref($mixed_operands), type($mixed_operands),"
        " $operand_sizes, $operand_encodings, $operand_encoding_dims, type($result_resources),"
        " $result_sizes, $result_encodings, $result_encoding_dims, $tied_operands)"
    )

    def verify_(self) -> None:
        """Sizes and dimensions are there; a tied result has its operand's encoding."""
        operands, results = len(self.mixed_operands), len(self.result_resources)
        verify.check_sizes(self.mixed_operands, self.operand_sizes, "operand")
        verify.check_sizes(self.result_resources, self.result_sizes, "result")
        verify.check_count("operand encodings", len(self.operand_encodings), operands)
        verify.check_count("result encodings", len(self.result_encodings), results)
        encodings = self.operand_encodings.data
        verify.check_dimensions(encodings, self.operand_encoding_dims, "operand")
        verify.check_dimensions(self.result_encodings.data, self.result_encoding_dims, "result")
        check_ties(self.tied_operands, operands, results, "mixed operands")
        verify_regions.check_entry_points(self)
        for result, encoding in zip(self.result_resources, self.result_encodings, strict=True):
            tie = tied_field_index(result)
            if tie is not None and encodings[tie] != encoding:
                raise VerifyException(
                    f"expected result encoding {encodings[tie]} of the tied operand, got {encoding}"
                )
