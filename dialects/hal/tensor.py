"""Pseudo ops at the program's boundary: tensors and the buffers that hold them.

```mlir
%0 = hal.tensor.import on(#hal.device.affinity<@a>) wait(%fence) => %arg0 "x"
    : !hal.buffer_view -> tensor<?xf32>{%d}
%1 = hal.tensor.alias %0 : tensor<?xf32>{%d} to %storage : !hal.buffer
%2 = hal.tensor.export %1 "y" : tensor<?xf32>{%d} -> !hal.buffer_view
```
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, ShapedType, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..devices import verify_devices_declared
from ..format import dimension_count
from ..format_symbols import DynamicDimensions, TypeAlias
from ..shapes import verify_dynamic_dims
from .format import OneOf
from .types import BufferType, BufferViewType, FenceType

STORAGE = OneOf((BufferType(), BufferViewType()))
"""What holds a tensor at the program's boundary."""


def _check_encoding(encoding: Attribute, storage: Attribute) -> None:
    if isinstance(encoding, ShapedType) and dimension_count(encoding) != dimension_count(storage):
        raise VerifyException(
            f"expected encoding and storage with equally many dynamic dimensions, got {encoding} "
            f"as {storage}"
        )


def _check_affinity(op: Operation, affinity: Attribute | None) -> None:
    if affinity is not None:
        verify_devices_declared(op, affinity)


@irdl_op_definition
class TensorImportOp(IRDLOperation):
    """Sees a buffer that comes into the program as a tensor; the buffer stays the caller's.

    With `consume` the caller gives it away, and it may be written in place.
    """

    name = "hal.tensor.import"

    source = operand_def(STORAGE)
    target_dims = var_operand_def(IndexType())
    wait_fence = opt_operand_def(FenceType)
    """The contents are there once it is reached."""
    byte_offset = opt_operand_def(IndexType())
    """Where in the source the tensor starts."""
    target_encoding = prop_def(TypeAttribute)
    """How the source's contents are laid out; the result type may be another view of it."""
    consume = opt_prop_def(UnitAttr)
    tensor_name = opt_prop_def(StringAttr, prop_name="name")
    """For messages."""
    affinity = opt_prop_def(Attribute)
    """The device whose memory holds it."""
    target = result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())
    custom_directives = (DynamicDimensions, TypeAlias)

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)? "
        "(`consume` $consume^)? $source (`offset` `(` $byte_offset^ `)`)? ($name^)? "
        "`:` type($source) `->` custom<TypeAlias>($target_encoding, type($target)) `` "
        "custom<DynamicDimensions>(ref(type($target)), $target_dims) attr-dict"
    )

    def verify_(self) -> None:
        """Check dynamic dimensions and the device."""
        verify_dynamic_dims("the target", (self.target,), self.target_dims)
        _check_encoding(self.target_encoding, self.target.type)
        _check_affinity(self, self.affinity)


@irdl_op_definition
class TensorExportOp(IRDLOperation):
    """Sees a tensor that leaves the program as a buffer."""

    name = "hal.tensor.export"

    source = operand_def(TensorType)
    source_dims = var_operand_def(IndexType())
    source_encoding = prop_def(TypeAttribute)
    """How the receiver sees the contents."""
    tensor_name = opt_prop_def(StringAttr, prop_name="name")
    """For messages."""
    affinity = opt_prop_def(Attribute)
    """The device whose memory holds it."""
    target = result_def(STORAGE)

    traits = traits_def(Pure())
    custom_directives = (TypeAlias,)

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source ($name^)? `:` "
        "custom<TypeAlias>($source_encoding, type($source)) (`` `{` $source_dims^ `}`)? "
        "`->` type($target) attr-dict"
    )

    def verify_(self) -> None:
        """Check dynamic dimensions and the device."""
        verify_dynamic_dims("the source", (self.source,), self.source_dims)
        _check_encoding(self.source_encoding, self.source.type)
        _check_affinity(self, self.affinity)


@irdl_op_definition
class TensorAliasOp(IRDLOperation):
    """Asks that a tensor be computed right in the given storage, which then holds it."""

    name = "hal.tensor.alias"

    T: ClassVar = VarConstraint("T", AnyAttr())

    source = operand_def(T)
    source_dims = var_operand_def(IndexType())
    storage = operand_def(STORAGE)
    wait_fence = opt_operand_def(FenceType)
    """The storage may be written once it is reached."""
    affinity = opt_prop_def(Attribute)
    """The device whose memory the storage is."""
    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), TiedResults("source"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)? "
        "$source `:` type($source) (`` `{` $source_dims^ `}`)? "
        "`to` $storage `:` type($storage) attr-dict"
    )

    def verify_(self) -> None:
        """Check dynamic dimensions and the device."""
        verify_dynamic_dims("the source", (self.source,), self.source_dims)
        _check_affinity(self, self.affinity)


@irdl_op_definition
class TensorTransientsOp(IRDLOperation):
    """Asks that the transient memory needed to compute a tensor be taken from given storage."""

    name = "hal.tensor.transients"

    T: ClassVar = VarConstraint("T", AnyAttr())

    source = operand_def(T)
    source_dims = var_operand_def(IndexType())
    storage = operand_def(STORAGE)
    affinity = opt_prop_def(Attribute)
    """The device whose memory the storage is."""
    result = result_def(T)

    traits = traits_def(Pure(), TiedResults("source"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) (`` `{` $source_dims^ `}`)? "
        "`from` $storage `:` type($storage) attr-dict"
    )

    def verify_(self) -> None:
        """Check dynamic dimensions and the device."""
        verify_dynamic_dims("the source", (self.source,), self.source_dims)
        _check_affinity(self, self.affinity)


@irdl_op_definition
class TensorBarrierOp(IRDLOperation):
    """Signals a fence when all given tensors are there."""

    name = "hal.tensor.barrier"

    T: ClassVar = RangeVarConstraint("T", RangeOf(AnyAttr()))

    sources = var_operand_def(T)
    signal_fence = operand_def(FenceType)
    """Reached when the sources are."""
    result = var_result_def(T)

    traits = traits_def(TiedResults("sources"))

    assembly_format = (
        "`join` `` `(` $sources `:` type($sources) `)` `=` `` `>` "
        "$signal_fence `:` type($signal_fence) attr-dict-with-keyword"
    )


OPS = (TensorImportOp, TensorExportOp, TensorAliasOp, TensorTransientsOp, TensorBarrierOp)
"""The ops of this file."""
