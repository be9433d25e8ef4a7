"""Dispatches of executables, calls of streamable functions, and dispatch regions."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    IntegerAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    Pure,
    SymbolOpInterface,
)

from ..access import UNTIED, TiedResults
from ..format import index_array
from ..format_functions import ShapedFunctionSignature, ShapedFunctionType
from ..format_properties import PropDict2
from ..format_symbols import (
    DispatchEntryPoints,
    SymbolVisibility,
)
from ..shapes import verify_dynamic_dims
from ..symbols import VISIBILITY
from ..util.structural import verify_declaration
from ..verify import check_ties
from .verify import check_callee, check_entry_points

INDEX = IndexType()
TIED_OPERANDS = ArrayAttr[IntegerAttr[IndexType]]
DICT_ARRAY = ArrayAttr[DictionaryAttr]


@irdl_op_definition
class DispatchOp(IRDLOperation):
    """Runs an entry point over a grid of workgroups.

    Arguments are read, or updated where a result is tied to them; other results are written
    whole. The workload is what workgroup counts are computed from.

    ```mlir
    %1 = flow.dispatch @exe::@entry[%n](%0, %n) : (tensor<?xf32>{%n}, index) -> %0{%n}
    ```
    """

    name = "flow.dispatch"

    workload = var_operand_def(INDEX)
    arguments = var_operand_def()
    argument_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all arguments, in order."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all results, in order."""

    entry_points = prop_def(ArrayAttr[SymbolRefAttr])
    """One, or variants of one to choose from."""
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the index of the argument it is tied to, or -1."""

    res = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DispatchEntryPoints, ShapedFunctionType)
    traits = traits_def(Pure(), TiedResults("arguments", "res", stored=True))

    assembly_format = (
        "custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? `` `(` $arguments `)` "
        "attr-dict `:` custom<ShapedFunctionType>(ref($arguments), type($arguments), "
        "$argument_dims, type($res), $result_dims, $tied_operands)"
    )

    def __init__(
        self,
        entry_point: SymbolRefAttr,
        arguments: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        workload: Sequence[SSAValue] = (),
        argument_dims: Sequence[SSAValue] = (),
        result_dims: Sequence[SSAValue] = (),
        tied_operands: Sequence[int] | None = None,
    ) -> None:
        tied = [UNTIED] * len(result_types) if tied_operands is None else tied_operands
        super().__init__(
            operands=[workload, arguments, argument_dims, result_dims],
            properties={
                "entry_points": ArrayAttr([entry_point]),
                "tied_operands": index_array(tied) if tied else None,
            },
            result_types=[result_types],
        )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, ties name arguments, entry points take the arguments."""
        check_ties(self.tied_operands, len(self.arguments), len(self.res), "arguments")
        verify_dynamic_dims("the arguments", self.arguments, self.argument_dims)
        verify_dynamic_dims("the results", self.res, self.result_dims)
        check_entry_points(self)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """Declares a function outside of the program that may be called in streams."""

    name = "flow.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the index of the argument it is tied to, or -1."""
    sym_visibility = opt_prop_def(VISIBILITY)
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)

    body = region_def()
    """Empty: the function stands elsewhere."""

    custom_directives = (SymbolVisibility, ShapedFunctionSignature)
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name `` "
        "custom<ShapedFunctionSignature>($function_type, $tied_operands, $arg_attrs, $res_attrs) "
        "attr-dict-with-keyword ($body^)?"
    )

    def verify_(self) -> None:
        """Ties name arguments, and a declaration is not public."""
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        check_ties(self.tied_operands, len(inputs), len(outputs), "arguments")
        if self.body.first_block is None:
            verify_declaration(self.sym_visibility)


@irdl_op_definition
class CallOp(IRDLOperation):
    """Calls a function declared by `flow.func`."""

    name = "flow.call"

    arguments = var_operand_def()
    argument_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all arguments, in order."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all results, in order."""

    callee = prop_def(FlatSymbolRefAttrConstr)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the index of the argument it is tied to, or -1."""
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)

    res = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (PropDict2, ShapedFunctionType)
    traits = traits_def(TiedResults("arguments", "res", stored=True))

    assembly_format = (
        "$callee `(` $arguments `)` custom<PropDict2>($arg_attrs, $res_attrs) attr-dict `:` "
        "custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, "
        "type($res), $result_dims, $tied_operands)"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, ties name arguments, the callee is declared."""
        check_ties(self.tied_operands, len(self.arguments), len(self.res), "arguments")
        verify_dynamic_dims("the arguments", self.arguments, self.argument_dims)
        verify_dynamic_dims("the results", self.res, self.result_dims)
        check_callee(self)
