"""Executables: kernels with their bindings and workgroup counts."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IndexType,
    IntegerAttr,
    SymbolNameConstraint,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    SingleBlockImplicitTerminator,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from ..format_symbols import (
    ImplicitTerminatorRegion,
    SymbolAlias,
    SymbolVisibility,
    WorkgroupCountRegion,
)
from ..regions import ImplicitTerminatorOp
from ..symbols import VISIBILITY
from . import verify
from .base import INDEX, ParentNamed
from .region import ReturnOp
from .types import BindingType


@irdl_op_definition
class ExecutableEndOp(IRDLOperation):
    """Ends an executable; not printed."""

    name = "stream.executable.end"

    traits = traits_def(IsTerminator(), ParentNamed("stream.executable"))

    assembly_format = "attr-dict"


@irdl_op_definition
class ExecutableOp(ImplicitTerminatorOp):
    """A module of kernels and their exports."""

    name = "stream.executable"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())

    body = region_def()

    traits = traits_def(
        IsolatedFromAbove(),
        SingleBlockImplicitTerminator(ExecutableEndOp),
        SymbolOpInterface(),
        SymbolTable(),
    )

    custom_directives = (SymbolVisibility, ImplicitTerminatorRegion)
    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword"
        " custom<ImplicitTerminatorRegion>($body)"
    )


@irdl_op_definition
class ExecutableExportOp(IRDLOperation):
    """An entry point for dispatches."""

    name = "stream.executable.export"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    function_ref = prop_def(FlatSymbolRefAttrConstr)
    """The function in the executable's module."""

    workgroup_count = region_def()
    """From the workload to the workgroups in x, y and z; may be empty."""

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), ParentNamed("stream.executable"))

    custom_directives = (SymbolVisibility, SymbolAlias, WorkgroupCountRegion)
    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) custom<SymbolAlias>($sym_name, $function_ref)"
        " custom<WorkgroupCountRegion>($workgroup_count) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The region returns three counts."""
        if not self.workgroup_count.blocks:
            return
        last = self.workgroup_count.block.last_op
        if not isinstance(last, ReturnOp):
            raise VerifyException("expected the workgroup count region to end in stream.return")
        types = [str(value.type) for value in last.arguments]
        if types != ["index"] * 3:
            raise VerifyException(
                "expected the workgroup count region to return (index, index, index), got"
                f" ({', '.join(types)})"
            )


@irdl_op_definition
class BindingSubspanOp(IRDLOperation):
    """What a kernel sees of a binding, from an offset on."""

    name = "stream.binding.subspan"

    binding = operand_def(base(BindingType))
    byte_offset = operand_def(INDEX)
    """Bytes from the start of the bound range."""
    dynamic_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result's type."""

    result = result_def(Attribute)

    traits = traits_def(Pure())

    assembly_format = (
        "$binding `` `[` $byte_offset `]` attr-dict `:` type($binding) `->` type($result)"
        " (`{` $dynamic_dims^ `}`)?"
    )

    def verify_(self) -> None:
        """The result's type has its dimensions."""
        verify.check_dimensions((self.result.type,), self.dynamic_dims, "result")


class _WorkgroupOp(IRDLOperation):
    """A number that a kernel asks about its grid, in one dimension."""

    dimension = prop_def(IntegerAttr.constr(type=IndexType()))
    """0, 1 or 2 for x, y or z."""

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "`[` $dimension `]` attr-dict `:` type($result)"

    def verify_(self) -> None:
        """The dimension is one of three."""
        dimension = self.dimension.value.data
        if not 0 <= dimension < 3:
            raise VerifyException(f"expected a dimension within [0, 3), got {dimension}")


@irdl_op_definition
class DispatchWorkgroupIDOp(_WorkgroupOp):
    """Which workgroup this is."""

    name = "stream.dispatch.workgroup.id"


@irdl_op_definition
class DispatchWorkgroupCountOp(_WorkgroupOp):
    """How many workgroups there are."""

    name = "stream.dispatch.workgroup.count"


@irdl_op_definition
class DispatchWorkgroupSizeOp(_WorkgroupOp):
    """How many invocations a workgroup has."""

    name = "stream.dispatch.workgroup.size"
