"""Ops inside executables: what a dispatch sees of its bindings, constants and workgroups."""

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..shapes import verify_dynamic_dims
from .buffer import PRIMITIVE
from .enums import DescriptorFlags
from .executable_attrs import PipelineBindingAttr, PipelineLayoutAttr
from .format import EnumConstraint, EnumValue, Stripped

INDEX_ATTR = IntegerAttr.constr(IndexType())


class InterfaceWorkgroupOp(IRDLOperation):
    """The shape of the ops that ask about one dimension of the dispatch grid."""

    dimension = prop_def(INDEX_ATTR)
    """0, 1 or 2 for x, y or z."""
    upper_bound = opt_prop_def(INDEX_ATTR)
    """The result is at most this."""
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = (
        "`[` $dimension `]` (`upper_bound` $upper_bound^)? attr-dict `:` type($result)"
    )

    def verify_(self) -> None:
        """Check the dimension."""
        if not 0 <= self.dimension.value.data <= 2:
            raise VerifyException(f"expected a dimension in 0..2, got {self.dimension.value.data}")


@irdl_op_definition
class InterfaceWorkgroupIDOp(InterfaceWorkgroupOp):
    """Which workgroup this is."""

    name = "hal.interface.workgroup.id"


@irdl_op_definition
class InterfaceWorkgroupCountOp(InterfaceWorkgroupOp):
    """How many workgroups the dispatch has."""

    name = "hal.interface.workgroup.count"


@irdl_op_definition
class InterfaceWorkgroupSizeOp(InterfaceWorkgroupOp):
    """How many invocations a workgroup has."""

    name = "hal.interface.workgroup.size"


@irdl_op_definition
class InterfaceConstantLoadOp(IRDLOperation):
    """One of the constants that the dispatch was given."""

    name = "hal.interface.constant.load"

    layout = prop_def(PipelineLayoutAttr)
    ordinal = prop_def(INDEX_ATTR)
    """Which constant."""
    alignment = opt_prop_def(INDEX_ATTR)
    """The value is a multiple of it."""
    values = opt_prop_def(ArrayAttr[Attribute])
    """The values that it may have."""
    result = result_def(PRIMITIVE)

    traits = traits_def(Pure())
    custom_directives = (Stripped,)

    assembly_format = (
        "`layout` `(` custom<Stripped>($layout) `)` `ordinal` `(` $ordinal `)` "
        "(`alignment` `(` $alignment^ `)`)? (`values` `(` $values^ `)`)? "
        "attr-dict `:` type($result)"
    )

    def verify_(self) -> None:
        """Check that the layout has the constant."""
        constants = self.layout.constants.data
        if not 0 <= self.ordinal.value.data < constants:
            raise VerifyException(
                f"expected one of the layout's {constants} constants, got ordinal "
                f"{self.ordinal.value.data}"
            )


@irdl_op_definition
class InterfaceBindingSubspanOp(IRDLOperation):
    """A binding of the dispatch, from an offset on, as a tensor or memref."""

    name = "hal.interface.binding.subspan"

    byte_offset = opt_operand_def(IndexType())
    """0 without it."""
    dynamic_dims = var_operand_def(IndexType())
    layout = prop_def(PipelineLayoutAttr)
    binding = prop_def(INDEX_ATTR)
    """Which binding of the layout."""
    alignment = opt_prop_def(INDEX_ATTR)
    """The binding's base address is a multiple of it (bytes)."""
    descriptor_flags = opt_prop_def(EnumConstraint(DescriptorFlags))
    result = result_def(AnyAttr())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())
    custom_directives = (Stripped, EnumValue)

    assembly_format = (
        "`layout` `(` custom<Stripped>($layout) `)` `binding` `(` $binding `)` "
        "(`alignment` `(` $alignment^ `)`)? (`offset` `(` $byte_offset^ `)`)? "
        "(`flags` `(` custom<EnumValue>($descriptor_flags)^ `)`)? "
        "attr-dict `:` type($result) (`` `{` $dynamic_dims^ `}`)?"
    )

    @property
    def pipeline_binding(self) -> PipelineBindingAttr:
        """What the layout says of the binding."""
        return self.layout.bindings.data[self.binding.value.data]

    def verify_(self) -> None:
        """Check dynamic dimensions and that the layout has the binding."""
        verify_dynamic_dims("the result", (self.result,), self.dynamic_dims)
        count = len(self.layout.bindings)
        if not 0 <= self.binding.value.data < count:
            raise VerifyException(
                f"expected one of the layout's {count} bindings, got {self.binding.value.data}"
            )


OPS = (
    InterfaceWorkgroupIDOp,
    InterfaceWorkgroupCountOp,
    InterfaceWorkgroupSizeOp,
    InterfaceConstantLoadOp,
    InterfaceBindingSubspanOp,
)
"""The ops of this file."""
