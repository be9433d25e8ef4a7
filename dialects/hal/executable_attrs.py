"""Attributes of executables: targets, object files, pipeline layouts, collectives."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .enum_base import HalEnumType
from .enums import (
    CollectiveElementType,
    CollectiveKind,
    CollectiveReduction,
    DescriptorFlags,
    DescriptorType,
    ExecutionModel,
    PipelineLayoutFlags,
)
from .syntax import parse_enum_value, print_enum_value


def _require(enum: HalEnumType, value: IntAttr | NoneAttr) -> None:
    if isinstance(value, IntAttr) and (expected := enum.expectation(value.data)) is not None:
        raise VerifyException(f"expected {expected}, got {value.data}")


@irdl_attr_definition
class ABIConventionAttr(ParametrizedAttribute):
    """How a function is called across modules: synchronously, or ordered by fences."""

    name = "hal.abi.convention"

    execution_model: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<coarse_fences>`."""
        with parser.in_angle_brackets():
            return (IntAttr(parse_enum_value(parser, ExecutionModel)),)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            print_enum_value(printer, ExecutionModel, self.execution_model.data)

    def verify(self) -> None:
        """Check the enumeration."""
        _require(ExecutionModel, self.execution_model)


@irdl_attr_definition
class CollectiveAttr(ParametrizedAttribute):
    """What a collective does with elements of which type."""

    name = "hal.collective"

    kind: IntAttr
    reduction: IntAttr | NoneAttr
    element_type: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<all_reduce with sum : f32>`, the reduction optional."""
        reduction: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            kind = IntAttr(parse_enum_value(parser, CollectiveKind))
            if parser.parse_optional_keyword("with") is not None:
                reduction = IntAttr(parse_enum_value(parser, CollectiveReduction))
            parser.parse_punctuation(":")
            element_type = IntAttr(parse_enum_value(parser, CollectiveElementType))
        return (kind, reduction, element_type)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            print_enum_value(printer, CollectiveKind, self.kind.data)
            if isinstance(self.reduction, IntAttr):
                printer.print_string(" with ")
                print_enum_value(printer, CollectiveReduction, self.reduction.data)
            printer.print_string(" : ")
            print_enum_value(printer, CollectiveElementType, self.element_type.data)

    def verify(self) -> None:
        """Check the enumerations."""
        _require(CollectiveKind, self.kind)
        _require(CollectiveReduction, self.reduction)
        _require(CollectiveElementType, self.element_type)


@irdl_attr_definition
class PipelineBindingAttr(ParametrizedAttribute):
    """How a dispatch sees one binding."""

    name = "hal.pipeline.binding"

    type: IntAttr
    flags: IntAttr

    def __init__(
        self,
        descriptor_type: DescriptorType = DescriptorType.STORAGE_BUFFER,
        flags: DescriptorFlags = DescriptorFlags.NONE,
    ) -> None:
        super().__init__(IntAttr(int(descriptor_type)), IntAttr(int(flags)))

    @property
    def is_read_only(self) -> bool:
        """Whether the dispatch never writes through it."""
        return bool(self.flags.data & DescriptorFlags.READ_ONLY)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<storage_buffer, "ReadOnly|Indirect">`, the flags optional."""
        flags = 0
        with parser.in_angle_brackets():
            descriptor_type = parse_enum_value(parser, DescriptorType)
            if parser.parse_optional_punctuation(",") is not None:
                flags = parse_enum_value(parser, DescriptorFlags)
        return (IntAttr(descriptor_type), IntAttr(flags))

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            print_enum_value(printer, DescriptorType, self.type.data)
            if self.flags.data:
                printer.print_string(", ")
                print_enum_value(printer, DescriptorFlags, self.flags.data)

    def verify(self) -> None:
        """Check the enumerations."""
        _require(DescriptorType, self.type)
        _require(DescriptorFlags, self.flags)


@irdl_attr_definition
class PipelineLayoutAttr(ParametrizedAttribute):
    """What a dispatch takes: bindings, and constants of 32 bits."""

    name = "hal.pipeline.layout"

    bindings: ArrayAttr[PipelineBindingAttr]
    constants: IntAttr
    """How many constants of 32 bits."""
    flags: IntAttr | NoneAttr

    def __init__(
        self,
        bindings: Sequence[PipelineBindingAttr],
        constants: int = 0,
        flags: PipelineLayoutFlags | None = None,
    ) -> None:
        super().__init__(
            ArrayAttr(bindings),
            IntAttr(constants),
            NoneAttr() if flags is None else IntAttr(int(flags)),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<constants = 1, bindings = […], flags = Indirect>`, ends optional."""
        constants = 0
        flags: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            if parser.parse_optional_keyword("constants") is not None:
                parser.parse_punctuation("=")
                constants = parser.parse_integer(allow_boolean=False)
                parser.parse_punctuation(",")
            parser.parse_keyword("bindings")
            parser.parse_punctuation("=")
            bindings = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_attribute
            )
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("flags")
                parser.parse_punctuation("=")
                flags = IntAttr(parse_enum_value(parser, PipelineLayoutFlags))
        return (ArrayAttr(bindings), IntAttr(constants), flags)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            if self.constants.data:
                printer.print_string(f"constants = {self.constants.data}, ")
            printer.print_string("bindings = ")
            printer.print_attribute(self.bindings)
            if isinstance(self.flags, IntAttr):
                printer.print_string(", flags = ")
                print_enum_value(printer, PipelineLayoutFlags, self.flags.data)

    def verify(self) -> None:
        """Check the number of constants and the flags."""
        if self.constants.data < 0:
            raise VerifyException(f"expected a number of constants, got {self.constants.data}")
        _require(PipelineLayoutFlags, self.flags)


@irdl_attr_definition
class ExecutableTargetAttr(ParametrizedAttribute):
    """A compiler backend and the format it emits."""

    name = "hal.executable.target"

    backend: StringAttr
    format: StringAttr
    configuration: DictionaryAttr

    def __init__(
        self, backend: str, target_format: str, configuration: DictionaryAttr | None = None
    ) -> None:
        super().__init__(
            StringAttr(backend), StringAttr(target_format), configuration or DictionaryAttr({})
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"backend", "format", {…}>`, the dictionary optional."""
        configuration: Attribute = DictionaryAttr({})
        with parser.in_angle_brackets():
            backend = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            target_format = StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(",") is not None:
                configuration = parser.parse_attribute()
        return (backend, target_format, configuration)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.backend)
            printer.print_string(", ")
            printer.print_attribute(self.format)
            if self.configuration.data:
                printer.print_string(", ")
                printer.print_attribute(self.configuration)


@irdl_attr_definition
class ExecutableObjectAttr(ParametrizedAttribute):
    """An object file to link, by path or with its bytes."""

    name = "hal.executable.object"

    path: StringAttr | NoneAttr
    data: Attribute
    """The bytes, or none."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<{path = "…", data = …}>`; other keys are dropped, as IREE does."""
        with parser.in_angle_brackets():
            entries = parser.parse_optional_dictionary_attr_dict()
        return (entries.get("path", NoneAttr()), entries.get("data", NoneAttr()))

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        entries = {"path": self.path, "data": self.data}
        with printer.in_angle_brackets(), printer.in_braces():
            printer.print_list(
                [(key, value) for key, value in entries.items() if not isinstance(value, NoneAttr)],
                lambda entry: self._print_entry(printer, *entry),
            )

    @staticmethod
    def _print_entry(printer: Printer, key: str, value: Attribute) -> None:
        printer.print_string(f"{key} = ")
        printer.print_attribute(value)


@irdl_attr_definition
class ExecutableObjectsAttr(ParametrizedAttribute):
    """Object files for each executable target."""

    name = "hal.executable.objects"

    targets: ArrayAttr[Attribute]
    target_objects: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<{#hal.executable.target<…> = [#hal.executable.object<…>], …}>`."""

        def parse_entry() -> tuple[Attribute, Attribute]:
            target = parser.parse_attribute()
            parser.parse_punctuation("=")
            return target, parser.parse_attribute()

        with parser.in_angle_brackets():
            entries = parser.parse_comma_separated_list(parser.Delimiter.BRACES, parse_entry)
        return (
            ArrayAttr(target for target, _ in entries),
            ArrayAttr(objects for _, objects in entries),
        )

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""

        def print_entry(entry: tuple[Attribute, Attribute]) -> None:
            printer.print_attribute(entry[0])
            printer.print_string(" = ")
            printer.print_attribute(entry[1])

        with printer.in_angle_brackets(), printer.in_braces():
            printer.print_list(
                list(zip(self.targets, self.target_objects, strict=True)), print_entry
            )

    def verify(self) -> None:
        """Check that targets and lists of objects stand in pairs."""
        if len(self.targets) != len(self.target_objects):
            raise VerifyException(
                f"expected as many lists of objects as targets, got {len(self.target_objects)} "
                f"for {len(self.targets)}"
            )
        for target in self.targets:
            if not isinstance(target, ExecutableTargetAttr):
                raise VerifyException(f"expected #hal.executable.target as key, got {target}")
        for objects in self.target_objects:
            if not isinstance(objects, ArrayAttr):
                raise VerifyException(f"expected an array of objects, got {objects}")
