"""Tensor ops: values with an encoding (their tensor type) and a size, before encoding is done."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ..access import TiedResults
from ..format import ShapedTiedResult
from . import verify
from .base import (
    AFFINITY,
    DEVICE_RESOURCE,
    ENCODING,
    INDEX,
    PRIMITIVE,
    Canonicalized,
    Streamable,
    TensorPhase,
)


@irdl_op_definition
class TensorEmptyOp(IRDLOperation):
    """A tensor with undefined contents."""

    name = "stream.tensor.empty"

    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(Pure(), TensorPhase(), Streamable(metadata=True, prefer_clone=True))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)?"
        " `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


@irdl_op_definition
class TensorConstantOp(IRDLOperation):
    """A constant tensor."""

    name = "stream.tensor.constant"

    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""

    value = prop_def(Attribute)
    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(Pure(), TensorPhase(), Streamable())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)?"
        " `in` type($result) `=` $value attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


@irdl_op_definition
class TensorSplatOp(IRDLOperation):
    """A tensor of one value."""

    name = "stream.tensor.splat"

    value = operand_def(PRIMITIVE)
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(Canonicalized(), Pure(), TensorPhase(), Streamable(prefer_clone=True))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $value `:` type($value) `->`"
        " $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


class _TensorToTensorOp(IRDLOperation):
    """A whole tensor in, a whole tensor out."""

    source = operand_def(DEVICE_RESOURCE)
    source_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `source_encoding`."""
    source_size = operand_def(INDEX)
    """Bytes."""
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    source_encoding = prop_def(ENCODING)
    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:`"
        " $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`"
        " type($source) `` `{` $source_size `}` `->`"
        " $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encodings have their dimensions."""
        verify.check_dimensions((self.source_encoding,), self.source_encoding_dims, "source")
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


@irdl_op_definition
class TensorCloneOp(_TensorToTensorOp):
    """A copy of a tensor."""

    name = "stream.tensor.clone"

    traits = traits_def(Canonicalized(), Pure(), TensorPhase(), Streamable(prefer_clone=True))

    def verify_(self) -> None:
        """The encodings have their dimensions and hold the same elements."""
        super().verify_()
        verify.check_clone_encodings(self.source_encoding, self.result_encoding)


@irdl_op_definition
class TensorEncodeOp(_TensorToTensorOp):
    """A tensor in another encoding: laid out anew, not just renamed."""

    name = "stream.tensor.encode"

    traits = traits_def(Pure(), TensorPhase(), Streamable())


@irdl_op_definition
class TensorSliceOp(IRDLOperation):
    """A copy of a part of a tensor."""

    name = "stream.tensor.slice"

    source = operand_def(DEVICE_RESOURCE)
    source_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `source_encoding`."""
    source_size = operand_def(INDEX)
    """Bytes."""
    start_indices = var_operand_def(INDEX)
    """First element in each dimension."""
    lengths = var_operand_def(INDEX)
    """Elements in each dimension."""
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    source_encoding = prop_def(ENCODING)
    result_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(DEVICE_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure(), TensorPhase(), Streamable())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `[` $start_indices `for` $lengths `]` `:`"
        " $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`"
        " type($source) `` `{` $source_size `}` `->`"
        " $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dimensions are there, and one start and one length for each."""
        verify.check_dimensions((self.source_encoding,), self.source_encoding_dims, "source")
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")
        verify.check_rank(self.source_encoding, self.start_indices, "start indices")
        verify.check_rank(self.source_encoding, self.lengths, "lengths")


@irdl_op_definition
class TensorFillOp(IRDLOperation):
    """A tensor with a part of it set to one value."""

    name = "stream.tensor.fill"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `target_encoding`."""
    target_size = operand_def(INDEX)
    """Bytes."""
    start_indices = var_operand_def(INDEX)
    """First element in each dimension; none for the whole tensor."""
    lengths = var_operand_def(INDEX)
    """Elements in each dimension."""
    value = operand_def(PRIMITIVE)

    target_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), TensorPhase(), Streamable(), TiedResults("target"))

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $value `,` $target"
        " (`[` $start_indices `for` $lengths^ `]`)? `:` type($value) `->`"
        " $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dimensions are there, and one start and one length for each."""
        verify.check_dimensions((self.target_encoding,), self.target_encoding_dims, "target")
        starts, lengths = self.start_indices, self.lengths
        verify.check_rank(self.target_encoding, starts, "start indices", or_none=True)
        verify.check_count("lengths", len(lengths), len(starts))


@irdl_op_definition
class TensorUpdateOp(IRDLOperation):
    """A tensor with a part of it replaced by another tensor."""

    name = "stream.tensor.update"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    target = operand_def(T)
    target_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `target_encoding`."""
    target_size = operand_def(INDEX)
    """Bytes."""
    start_indices = var_operand_def(INDEX)
    """Element of the target at which the update starts, in each dimension."""
    update = operand_def(DEVICE_RESOURCE)
    update_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `update_encoding`."""
    update_size = operand_def(INDEX)
    """Bytes."""

    target_encoding = prop_def(ENCODING)
    update_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), TensorPhase(), Streamable(), TiedResults("target"))

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $update `,` $target `[` $start_indices `]` `:`"
        " $update_encoding (`` `{` $update_encoding_dims^ `}`)? `in`"
        " type($update) `` `{` $update_size `}` `->`"
        " $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dimensions are there, and one start for each."""
        verify.check_dimensions((self.target_encoding,), self.target_encoding_dims, "target")
        verify.check_dimensions((self.update_encoding,), self.update_encoding_dims, "update")
        verify.check_rank(self.target_encoding, self.start_indices, "start indices")
