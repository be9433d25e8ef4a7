"""Executables: the code of dispatches and its entry points."""

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IndexType,
    StringAttr,
    SymbolNameConstraint,
)
from xdsl.ir import Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
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

INDEX = IndexType()


def verify_count_region(region: Region) -> None:
    """A region of workgroup counts returns one index for each of x, y and z."""
    for block in region.blocks:
        last = block.last_op
        if last is None or last.name != "flow.return":
            continue
        got = tuple(last.operand_types)
        if got != (INDEX, INDEX, INDEX):
            raise VerifyException(
                "expected a workgroup count region that returns (index, index, index), "
                f"got ({', '.join(map(str, got))})"
            )


@irdl_op_definition
class ExecutableOp(ImplicitTerminatorOp):
    """A module of code that runs on devices, with its entry points."""

    name = "flow.executable"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())

    body = region_def("single_block")

    custom_directives = (SymbolVisibility, ImplicitTerminatorRegion)
    traits = lazy_traits_def(
        lambda: (
            IsolatedFromAbove(),
            SymbolOpInterface(),
            SymbolTable(),
            SingleBlockImplicitTerminator(ExecutableEndOp),
        )
    )

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword "
        "custom<ImplicitTerminatorRegion>($body)"
    )

    def __init__(self, sym_name: str, body: Region, visibility: str = "private") -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "sym_visibility": StringAttr(visibility),
            },
            regions=[body],
        )


@irdl_op_definition
class ExecutableEndOp(IRDLOperation):
    """Ends an executable; not printed."""

    name = "flow.executable_end"

    traits = traits_def(HasParent(ExecutableOp), IsTerminator())

    assembly_format = "attr-dict"


@irdl_op_definition
class ExecutableExportOp(IRDLOperation):
    """An entry point of an executable and how many workgroups a workload takes."""

    name = "flow.executable.export"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    """What dispatches call it."""
    function_ref = prop_def(FlatSymbolRefAttrConstr)
    """The function in the executable's module."""

    workgroup_count = region_def()
    """Takes the workload and returns the workgroup counts in x, y and z; may be empty."""

    custom_directives = (SymbolVisibility, SymbolAlias, WorkgroupCountRegion)
    traits = traits_def(HasParent(ExecutableOp), SymbolOpInterface(), IsolatedFromAbove())

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) custom<SymbolAlias>($sym_name, $function_ref) "
        "custom<WorkgroupCountRegion>($workgroup_count) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The count region returns three indices."""
        verify_count_region(self.workgroup_count)
