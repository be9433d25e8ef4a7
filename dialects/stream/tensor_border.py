"""Tensor ops at the border: to other dialects, and to the host's view of elements."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
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
    ANY_RESOURCE,
    ENCODING,
    INDEX,
    STAGING_RESOURCE,
    VALUE,
    Canonicalized,
    TensorPhase,
)


@irdl_op_definition
class TensorImportOp(IRDLOperation):
    """Takes a value of another dialect in as a resource."""

    name = "stream.tensor.import"

    source = operand_def(Attribute)
    """What another dialect calls the value, a buffer view or a tensor."""
    result_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `result_encoding`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    result_encoding = prop_def(ENCODING)
    consume = opt_prop_def(UnitAttr)
    """The caller gives its ownership away: the storage may be written in place."""
    affinity = opt_prop_def(AFFINITY)

    result = result_def(ANY_RESOURCE)

    traits = traits_def(Canonicalized(), Pure(), TiedResults("source"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`consume` $consume^)? $source `:` type($source) `->`"
        " $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`"
        " type($result) `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.result_encoding,), self.result_encoding_dims, "result")


@irdl_op_definition
class TensorExportOp(IRDLOperation):
    """Hands a resource out as a value of another dialect."""

    name = "stream.tensor.export"

    source = operand_def(ANY_RESOURCE)
    source_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `source_encoding`."""
    source_size = operand_def(INDEX)
    """Bytes."""

    source_encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    result = result_def(Attribute)

    traits = traits_def(Canonicalized(), Pure(), TiedResults("source"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:`"
        " $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`"
        " type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.source_encoding,), self.source_encoding_dims, "source")


@irdl_op_definition
class TensorSizeOfOp(IRDLOperation):
    """Gives the bytes that a tensor of a type takes."""

    name = "stream.tensor.sizeof"

    encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `encoding`."""

    encoding = prop_def(ENCODING)
    affinity = opt_prop_def(AFFINITY)

    storage_size = result_def(INDEX)
    """Bytes."""

    traits = traits_def(Pure(), TensorPhase())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $encoding (`{` $encoding_dims^ `}`)? attr-dict `:`"
        " type($storage_size)"
    )

    def verify_(self) -> None:
        """The encoding has its dimensions."""
        verify.check_dimensions((self.encoding,), self.encoding_dims, "sizeof")


@irdl_op_definition
class TensorLoadOp(IRDLOperation):
    """Loads an element on the host."""

    name = "stream.tensor.load"

    source = operand_def(STAGING_RESOURCE)
    source_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `source_encoding`."""
    source_size = operand_def(INDEX)
    """Bytes."""
    indices = var_operand_def(INDEX)
    """The element, in each dimension."""

    source_encoding = prop_def(ENCODING)

    result = result_def(VALUE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure(), TensorPhase())

    assembly_format = (
        "$source (`[` $indices^ `]`)? `:`"
        " $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`"
        " type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dimensions are there, and one index for each."""
        verify.check_dimensions((self.source_encoding,), self.source_encoding_dims, "source")
        verify.check_rank(self.source_encoding, self.indices, "indices")


@irdl_op_definition
class TensorStoreOp(IRDLOperation):
    """Stores an element on the host."""

    name = "stream.tensor.store"

    T: ClassVar = VarConstraint("T", STAGING_RESOURCE)

    target = operand_def(T)
    target_encoding_dims = var_operand_def(INDEX)
    """Dynamic dimensions of `target_encoding`."""
    target_size = operand_def(INDEX)
    """Bytes."""
    indices = var_operand_def(INDEX)
    """The element, in each dimension."""
    value = operand_def(VALUE)

    target_encoding = prop_def(ENCODING)

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(TensorPhase(), TiedResults("target"))

    custom_directives = (ShapedTiedResult,)
    assembly_format = (
        "$value `,` $target (`[` $indices^ `]`)? `:` type($value) `->`"
        " $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`"
        " custom<ShapedTiedResult>(type($target), $target_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dimensions are there, and one index for each."""
        verify.check_dimensions((self.target_encoding,), self.target_encoding_dims, "target")
        verify.check_rank(self.target_encoding, self.indices, "indices")
