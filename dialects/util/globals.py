"""Global variables, their initialisation and their uses."""

from collections.abc import Set as AbstractSet
from typing import cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IntegerAttr,
    NoneType,
    ShapedType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..format_properties import PropDict
from ..format_symbols import SymbolVisibility
from ..shapes import are_compatible_shapes
from ..symbols import VISIBILITY, lookup_symbol, symbol_table_of
from .attributes import parse_self_type
from .types import PtrType

PTR = base(PtrType)


def typed_attribute_type(attr: Attribute) -> Attribute | None:
    """The type that an attribute carries, or None where it carries none."""
    if isinstance(attr, TypedAttribute):
        return attr.get_type()
    if isinstance(attr, IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr | DenseResourceAttr):
        return cast(Attribute, attr.type)
    return NoneType() if isinstance(attr, StringAttr) else None


@irdl_custom_directive
class TypeOrAttr(CustomDirective):
    """`: type`, `= value` where the value carries the type, or `: type = value`."""

    type: AttributeVariable
    attr: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        if parser.parse_optional_punctuation(":") is not None:
            self.type.set(state, parser.parse_type())
            if parser.parse_optional_punctuation("=") is not None:
                self.attr.set(state, parser.parse_attribute())
            return
        start = parser.pos
        parser.parse_punctuation("=")
        attr = parser.parse_attribute()
        type = typed_attribute_type(attr)
        if type is None:
            type = parse_self_type(parser)
            if isinstance(type, NoneType):
                parser.raise_error(f"expected a value with a type, got {attr}", start, parser.pos)
        self.type.set(state, type)
        self.attr.set(state, attr)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        attr, type = self.attr.get(op), self.type.get(op)
        implied = attr is not None and typed_attribute_type(attr) == type
        if not implied and type is not None:
            printer.print_string(": ")
            printer.print_attribute(type)
        if attr is not None:
            printer.print_string("= " if implied else " = ")
            printer.print_attribute(attr)


def is_access_compatible(global_type: Attribute, access_type: Attribute) -> bool:
    """Whether a global of one type may be accessed as the other.

    Shapes may differ where a dimension is dynamic; resources may differ in lifetime.
    """
    if isinstance(global_type, ShapedType) and isinstance(access_type, ShapedType):
        return are_compatible_shapes(global_type.get_shape(), access_type.get_shape())
    if global_type.name == "stream.resource":
        return access_type.name == "stream.resource"
    return global_type == access_type


class GlobalRead(MemoryEffect):
    """Loads read the global, unless they state that it does not change."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The effects of a load."""
        if "is_immutable" in op.properties:
            return frozenset()
        return frozenset([EffectInstance(MemoryEffectKind.READ)])


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A variable of the module, with an initial value or set by an initializer.

    ```mlir
    util.global private @device_a = #hal.device.target<"local"> : !hal.device
    util.global private mutable @state : tensor<4xf32>
    ```
    """

    name = "util.global"

    sym_visibility = opt_prop_def(VISIBILITY)
    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def()
    is_mutable = opt_prop_def(UnitAttr)
    """Whether it may be stored to outside of initializers."""
    initial_value = opt_prop_def()
    """The value before any initializer runs; zero where there is none."""
    inlining_policy = opt_prop_def()

    custom_directives = (SymbolVisibility, PropDict, TypeOrAttr)
    traits = traits_def(SymbolOpInterface())

    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name "
        "custom<PropDict>($inlining_policy) attr-dict custom<TypeOrAttr>($type, $initial_value)"
    )

    def verify_(self) -> None:
        """The initial value has the type of the global."""
        if self.initial_value is None:
            return
        value_type = typed_attribute_type(self.initial_value)
        if value_type is not None and not is_access_compatible(self.type, value_type):
            raise VerifyException(
                f"expected an initial value of type {self.type} for @{self.sym_name.data}, "
                f"got {value_type}"
            )


@irdl_op_definition
class GlobalAddressOp(IRDLOperation):
    """The address of a global, for indirect loads and stores."""

    name = "util.global.address"

    global_name = prop_def(FlatSymbolRefAttrConstr, prop_name="global")
    is_immutable = opt_prop_def(UnitAttr)
    """States that the global does not change."""

    result = result_def(PTR)

    traits = traits_def(Pure())

    assembly_format = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)"

    def verify_(self) -> None:
        """The global is declared, and immutable where the address says so."""
        _declared_global(self, self.global_name, self.is_immutable is not None)


@irdl_op_definition
class GlobalLoadOp(IRDLOperation):
    """The value of a global."""

    name = "util.global.load"

    global_name = prop_def(FlatSymbolRefAttrConstr, prop_name="global")
    is_immutable = opt_prop_def(UnitAttr)
    """States that the global does not change, so that the load has no effect."""

    result = result_def()

    traits = traits_def(GlobalRead())

    assembly_format = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)"

    def __init__(self, global_name: str | SymbolRefAttr, type: Attribute) -> None:
        if isinstance(global_name, str):
            global_name = SymbolRefAttr(global_name)
        super().__init__(properties={"global": global_name}, result_types=[type])

    def verify_(self) -> None:
        """The global is declared with the type, and immutable where the load says so."""
        declared = _declared_global(self, self.global_name, self.is_immutable is not None)
        if declared is not None and not is_access_compatible(declared, self.result.type):
            raise VerifyException(
                f"expected to load {declared} from {self.global_name}, got {self.result.type}"
            )


@irdl_op_definition
class GlobalLoadIndirectOp(IRDLOperation):
    """The value of a global known by its address."""

    name = "util.global.load.indirect"

    global_pointer = operand_def(PTR)

    is_immutable = opt_prop_def(UnitAttr)
    """States that the global does not change."""

    result = result_def()

    traits = traits_def(GlobalRead())

    assembly_format = (
        "(`immutable` $is_immutable^)? $global_pointer attr-dict `:` "
        "type($global_pointer) `->` type($result)"
    )

    def verify_(self) -> None:
        """The pointer is one to the type loaded."""
        _verify_pointer(self.global_pointer.type, self.result.type)


@irdl_op_definition
class GlobalStoreOp(IRDLOperation):
    """Sets a global."""

    name = "util.global.store"

    value = operand_def()

    global_name = prop_def(FlatSymbolRefAttrConstr, prop_name="global")

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$value `,` $global attr-dict `:` type($value)"

    def __init__(self, value: SSAValue, global_name: str | SymbolRefAttr) -> None:
        if isinstance(global_name, str):
            global_name = SymbolRefAttr(global_name)
        super().__init__(operands=[value], properties={"global": global_name})

    def verify_(self) -> None:
        """The global is declared with the type."""
        declared = _declared_global(self, self.global_name)
        if declared not in (None, self.value.type):
            raise VerifyException(
                f"expected to store {declared} to {self.global_name}, got {self.value.type}"
            )


@irdl_op_definition
class GlobalStoreIndirectOp(IRDLOperation):
    """Sets a global known by its address."""

    name = "util.global.store.indirect"

    value = operand_def()
    global_pointer = operand_def(PTR)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$value `,` $global_pointer attr-dict `:` type($value) `->` type($global_pointer)"
    )

    def verify_(self) -> None:
        """The pointer is one to the type stored."""
        _verify_pointer(self.global_pointer.type, self.value.type)


def _declared_global(
    op: Operation, name: SymbolRefAttr, immutable: bool = False
) -> Attribute | None:
    """The type of a global; None for an op outside of a module, or a global of another dialect."""
    if symbol_table_of(op) is None:
        return None
    found = lookup_symbol(op, name)
    if found is None:
        raise VerifyException(f"expected a declared global, got {name}; declare it")
    if not isinstance(found, GlobalOp):
        raise VerifyException(f"expected {name} to be a util.global, got a {found.name}")
    if immutable and found.is_mutable is not None:
        raise VerifyException(f"expected an immutable global, got the mutable {name}")
    return found.type


def _verify_pointer(pointer: Attribute, access: Attribute) -> None:
    """A value behind a pointer is accessed as the type the pointer states."""
    if isinstance(pointer, PtrType) and not is_access_compatible(pointer.target_type, access):
        raise VerifyException(f"expected to access {pointer.target_type}, got {access}")
