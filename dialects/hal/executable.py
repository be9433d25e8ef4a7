"""Ops for executables: kernels for one or more targets, compiled or still as source.

```mlir
hal.executable private @ex {
  hal.executable.variant public @vmvx target(<"vmvx", "vmvx-bytecode-fb">) {
    hal.executable.export public @kernel ordinal(0) layout(#hal.pipeline.layout<bindings = […]>)
        count(%device: !hal.device, %workload: index) -> (index, index, index) {
      hal.return %workload, %c1, %c1 : index, index, index
    }
    builtin.module { func.func @kernel() { … } }
  }
}
```
Executables, variants and sources end in terminators that custom syntax leaves out.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
)
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    SingleBlockImplicitTerminator,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..format_properties import PropDict, PropDict3, PropDict4
from ..format_symbols import COUNT_TYPES, CountRegion, ImplicitTerminatorRegion, SymbolVisibility
from ..regions import ImplicitTerminatorOp
from ..symbols import VISIBILITY, lookup_symbol
from .executable_attrs import (
    ExecutableObjectAttr,
    ExecutableObjectsAttr,
    ExecutableTargetAttr,
    PipelineLayoutAttr,
)
from .format import ConditionRegion, Stripped
from .regions import check_device_region, listed

INDEX_ATTR = IntegerAttr.constr(IndexType())


@irdl_op_definition
class ExecutableSourceEndOp(IRDLOperation):
    """Ends a source."""

    name = "hal.executable.source_end"

    traits = lazy_traits_def(lambda: (HasParent(ExecutableSourceOp), IsTerminator()))

    assembly_format = "attr-dict"


@irdl_op_definition
class ExecutableSourceOp(ImplicitTerminatorOp):
    """Kernels written by hand, to be compiled for all targets of the program."""

    name = "hal.executable.source"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    objects = opt_prop_def(ExecutableObjectsAttr)
    """Object files to link, for each target."""
    body = region_def()

    traits = lazy_traits_def(
        lambda: (
            IsolatedFromAbove(),
            SingleBlockImplicitTerminator(ExecutableSourceEndOp),
            SymbolOpInterface(),
            SymbolTable(),
        )
    )
    custom_directives = (SymbolVisibility, PropDict, ImplicitTerminatorRegion)

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name custom<PropDict>($objects) "
        "attr-dict-with-keyword custom<ImplicitTerminatorRegion>($body)"
    )

    def verify_(self) -> None:
        """Check that there is one condition at most."""
        _check_conditions(self.body)


@irdl_op_definition
class ExecutableEndOp(IRDLOperation):
    """Ends an executable."""

    name = "hal.executable_end"

    traits = lazy_traits_def(lambda: (HasParent(ExecutableOp), IsTerminator()))

    assembly_format = "attr-dict"


@irdl_op_definition
class ExecutableOp(ImplicitTerminatorOp):
    """Kernels, in one variant for each target."""

    name = "hal.executable"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    lazy = opt_prop_def(UnitAttr)
    """Load it at its first use."""
    body = region_def()

    traits = lazy_traits_def(
        lambda: (
            IsolatedFromAbove(),
            SingleBlockImplicitTerminator(ExecutableEndOp),
            SymbolOpInterface(),
            SymbolTable(),
        )
    )
    custom_directives = (SymbolVisibility, ImplicitTerminatorRegion)

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) (`lazy` $lazy^)? $sym_name "
        "attr-dict-with-keyword custom<ImplicitTerminatorRegion>($body)"
    )


@irdl_op_definition
class ExecutableVariantEndOp(IRDLOperation):
    """Ends a variant."""

    name = "hal.executable.variant_end"

    traits = lazy_traits_def(lambda: (HasParent(ExecutableVariantOp), IsTerminator()))

    assembly_format = "attr-dict"


@irdl_op_definition
class ExecutableVariantOp(ImplicitTerminatorOp):
    """The kernels of an executable for one target."""

    name = "hal.executable.variant"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    target = prop_def(ExecutableTargetAttr)
    objects = opt_prop_def(ArrayAttr[ExecutableObjectAttr])
    """Object files to link."""
    sources = opt_prop_def(DictionaryAttr)
    """Source files, by name, to ship with it."""
    body = region_def()

    traits = lazy_traits_def(
        lambda: (
            IsolatedFromAbove(),
            HasParent(ExecutableOp),
            SingleBlockImplicitTerminator(ExecutableVariantEndOp),
            SymbolOpInterface(),
            SymbolTable(),
        )
    )
    custom_directives = (SymbolVisibility, Stripped, ImplicitTerminatorRegion)

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name "
        "`target` `(` custom<Stripped>($target) `)` (`objects` `(` $objects^ `)`)? "
        "(`sources` `(` $sources^ `)`)? attr-dict-with-keyword "
        "custom<ImplicitTerminatorRegion>($body)"
    )

    def verify_(self) -> None:
        """Check that there is one condition at most."""
        _check_conditions(self.body)


def _check_conditions(body: Region) -> None:
    # By name: conditions are defined after their parents.
    count = sum(op.name == "hal.executable.condition" for op in body.ops)
    if count > 1:
        raise VerifyException(f"expected at most one hal.executable.condition in it, got {count}")


class ExportSymbolUses(SymbolUserOpInterface):
    """A fallback must be an export of the same variant with the same signature."""

    def verify(self, op: Operation) -> None:
        """Check the fallback of `op`."""
        assert isinstance(op, ExecutableExportOp)
        if op.condition_fallback is not None:
            op.verify_fallback(op.condition_fallback)


@irdl_op_definition
class ExecutableExportOp(IRDLOperation):
    """An entry point: its layout, and how many workgroups a workload takes."""

    name = "hal.executable.export"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    ordinal = opt_prop_def(INDEX_ATTR)
    """Its number among the exports."""
    layout = prop_def(PipelineLayoutAttr)
    condition_fallback = opt_prop_def(SymbolRefAttr)
    """The export to use where the condition is false."""
    workgroup_size = opt_prop_def(ArrayAttr[Attribute])
    """Invocations of a workgroup in x, y and z."""
    subgroup_size = opt_prop_def(INDEX_ATTR)
    """Invocations of a subgroup."""
    workgroup_local_memory = opt_prop_def(INDEX_ATTR)
    """Bytes."""
    source_locs = opt_prop_def(DictionaryAttr)
    """Where the kernel comes from."""
    workgroup_count = region_def()
    """From device and workload to the numbers of workgroups in x, y and z; may be empty."""
    condition = region_def()
    """From device and workload to whether the export may be used; may be empty."""

    traits = lazy_traits_def(
        lambda: (
            SymbolOpInterface(),
            ExportSymbolUses(),
            HasParent(ExecutableSourceOp, ExecutableVariantOp),
            IsolatedFromAbove(),
        )
    )
    custom_directives = (SymbolVisibility, ConditionRegion, CountRegion, PropDict4)

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name (`ordinal` `(` $ordinal^ `)`)? "
        "`layout` `(` qualified($layout) `)` "
        "(`condition` `` custom<ConditionRegion>($condition)^)? "
        "(`fallback` `(` $condition_fallback^ `)`)? "
        "(`count` `` custom<CountRegion>($workgroup_count)^)? "
        "custom<PropDict4>($workgroup_size, $subgroup_size, $workgroup_local_memory, "
        "$source_locs) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check both regions and that a condition has a fallback."""
        if self.condition.blocks:
            check_device_region(self.condition, (i1,), "condition")
        if bool(self.condition.blocks) != (self.condition_fallback is not None):
            raise VerifyException("expected a condition region and a fallback, or neither")
        if self.workgroup_count.blocks:
            check_device_region(self.workgroup_count, COUNT_TYPES, "workgroup count")

    def verify_fallback(self, fallback: SymbolRefAttr) -> None:
        """Check that the fallback exists and can stand in; raises VerifyException."""
        name = fallback.root_reference.data
        other = lookup_symbol(self, fallback)
        if not isinstance(other, ExecutableExportOp):
            raise VerifyException(f"expected a fallback among the exports, got @{name}")
        if other.layout != self.layout:
            raise VerifyException(
                f"expected the fallback @{name} to have layout {self.layout}, got {other.layout}"
            )
        for field in ("condition", "workgroup_count"):
            mine, theirs = _argument_types(self, field), _argument_types(other, field)
            if mine is not None and theirs is not None and mine != theirs:
                raise VerifyException(
                    f"expected the {field} region of the fallback @{name} to take "
                    f"{listed(mine)}, got {listed(theirs)}"
                )


def _argument_types(op: ExecutableExportOp, field: str) -> tuple[Attribute, ...] | None:
    region: Region = getattr(op, field)
    first: Block | None = region.first_block
    return None if first is None else tuple(first.arg_types)


@irdl_op_definition
class ExecutableBinaryOp(IRDLOperation):
    """Compiled kernels of one format."""

    name = "hal.executable.binary"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    format = prop_def(StringAttr)
    data = prop_def(Attribute)
    """The bytes."""
    mime_type = opt_prop_def(StringAttr)

    traits = lazy_traits_def(lambda: (HasParent(ExecutableOp), SymbolOpInterface()))
    custom_directives = (SymbolVisibility, PropDict3)

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name "
        "custom<PropDict3>($format, $data, $mime_type) attr-dict-with-keyword"
    )


OPS = (
    ExecutableSourceEndOp,
    ExecutableSourceOp,
    ExecutableEndOp,
    ExecutableOp,
    ExecutableVariantEndOp,
    ExecutableVariantOp,
    ExecutableExportOp,
    ExecutableBinaryOp,
)
"""The ops of this file."""
