"""Attributes of the stream dialect: collectives, configurations, parameters, timepoints."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from xdsl.dialects.builtin import DictionaryAttr, NoneAttr, NoneType, StringAttr
from xdsl.ir import Attribute, Data, TypedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .types import TimepointType

COLLECTIVE_KINDS = (
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "reduce",
    "reduce_scatter",
    "send",
    "recv",
    "send_recv",
)
COLLECTIVE_REDUCTIONS = ("none", "sum", "product", "minimum", "maximum", "average")
COLLECTIVE_ELEMENT_TYPES = (
    *("si8", "ui8", "si16", "ui16", "si32", "ui32", "si64", "ui64"),
    *("f16", "f32", "f64", "bf16"),
)


class Collective(NamedTuple):
    """A collective operation, its reduction if it reduces, and the type of its elements."""

    kind: str
    reduction: str | None
    element_type: str


def _parse_word(parser: AttrParser, words: Collection[str], what: str) -> str:
    position = parser.pos
    word = parser.parse_identifier()
    if word not in words:
        parser.raise_error(f"expected a {what} of {', '.join(words)}, got {word}", position)
    return word


@irdl_attr_definition
class CollectiveAttr(Data[Collective]):
    """`#stream.collective<all_reduce with sum : f32>`."""

    name = "stream.collective"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Collective:
        """Parses `<kind with reduction : element type>`."""
        with parser.in_angle_brackets():
            kind = _parse_word(parser, COLLECTIVE_KINDS, "collective kind")
            reduction = None
            if parser.parse_optional_keyword("with") is not None:
                reduction = _parse_word(parser, COLLECTIVE_REDUCTIONS, "collective reduction")
            parser.parse_punctuation(":")
            element = _parse_word(parser, COLLECTIVE_ELEMENT_TYPES, "collective element type")
        return Collective(kind, reduction, element)

    def print_parameter(self, printer: Printer) -> None:
        """Prints `<kind with reduction : element type>`."""
        reduction = f" with {self.data.reduction}" if self.data.reduction is not None else ""
        printer.print_string(f"<{self.data.kind}{reduction} : {self.data.element_type}>")


class Favor(Enum):
    """What partitioning prefers."""

    DEBUG = "debug"
    MIN_PEAK_MEMORY = "min-peak-memory"
    MAX_CONCURRENCY = "max-concurrency"


@irdl_attr_definition
class PartitioningConfigAttr(Data[Favor]):
    """`#stream.partitioning_config<"min-peak-memory">`.

    Also read in the spelling that stock IREE prints but cannot read, `<favor-min-peak-memory>`.
    """

    name = "stream.partitioning_config"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Favor:
        """Parses `<"favor">` or `<favor-…>`."""
        with parser.in_angle_brackets():
            position = parser.pos
            text = parser.parse_optional_str_literal()
            if text is None:
                text = parser.parse_identifier()
                while parser.parse_optional_punctuation("-") is not None:
                    text += "-" + parser.parse_identifier()
            text = text.removeprefix("favor-")
            favor = next((favor for favor in Favor if favor.value == text), None)
            if favor is None:
                wanted = ", ".join(favor.value for favor in Favor)
                parser.raise_error(f"expected a favor of {wanted}, got {text}", position)
        return favor

    def print_parameter(self, printer: Printer) -> None:
        """Prints `<"favor">`."""
        printer.print_string(f'<"{self.data.value}">')


@dataclass(frozen=True)
class ResourceConfig:
    """Constraints on storage, in bytes unless said otherwise; IREE's host values by default."""

    max_allocation_size: int = (1 << 63) - 1
    min_buffer_offset_alignment: int = 64
    max_buffer_range: int = (1 << 63) - 1
    min_buffer_range_alignment: int = 64
    index_bits: int = 64
    """Bits of an `index` passed to a device."""
    alias_mutable_bindings: bool = False
    memory_model: str = "Unified"
    """`Unified` or `Discrete`."""


_UNSTATED = ResourceConfig(0, 0, 0, 0, 32, False, "Discrete")
"""What IREE's parser takes for keys that the text leaves out."""


def _parse_bool(parser: AttrParser) -> bool:
    number = parser.parse_optional_integer(allow_boolean=True, allow_negative=False)
    if number is None or number > 1:
        parser.raise_error("expected true, false, 1 or 0")
    return bool(number)


@irdl_attr_definition
class ResourceConfigAttr(Data[ResourceConfig]):
    """`#stream.resource_config<{max_allocation_size = 1073741824, …}>`.

    A bool is read as a word and, as stock IREE prints it, as 0 or 1; it is printed as a word.
    """

    name = "stream.resource_config"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ResourceConfig:
        """Parses `<{key = value, …}>`."""
        values: dict[str, int | bool | str] = {}

        def parse_entry() -> None:
            key = _parse_word(parser, vars(_UNSTATED), "key")
            parser.parse_punctuation("=")
            if key == "memory_model":
                values[key] = _parse_word(parser, ("Unified", "Discrete"), "memory model")
            elif key == "alias_mutable_bindings":
                values[key] = _parse_bool(parser)
            else:
                values[key] = parser.parse_integer(allow_boolean=False)

        with parser.in_angle_brackets():
            parser.parse_comma_separated_list(parser.Delimiter.BRACES, parse_entry)
        return replace(_UNSTATED, **values)

    def print_parameter(self, printer: Printer) -> None:
        """Prints `<{key = value, …}>` with all keys."""
        texts = (
            f"{key} = {str(value).lower() if isinstance(value, bool) else value}"
            for key, value in vars(self.data).items()
        )
        printer.print_string("<{" + ", ".join(texts) + "}>")


def parse_optional_self_type(parser: AttrParser) -> Attribute:
    """Parses the `: type` that MLIR puts behind a typed attribute; none where it is absent."""
    if parser.parse_optional_punctuation(":") is None:
        return NoneType()
    return parser.parse_type()


@irdl_attr_definition
class NamedParameterAttr(TypedAttribute):
    """`#stream.parameter.named<"scope"::"key", {config}> : type`: a value kept outside."""

    name = "stream.parameter.named"

    type: Attribute = param_def()
    scope: StringAttr | NoneAttr = param_def()
    key: StringAttr = param_def()
    config: DictionaryAttr | NoneAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses everything behind the name, the type too."""
        scope: Attribute = NoneAttr()
        config: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            key = StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(":") is not None:
                parser.parse_punctuation(":")
                scope, key = key, StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(",") is not None:
                config = DictionaryAttr(parser.parse_optional_dictionary_attr_dict())
        return [parse_optional_self_type(parser), scope, key, config]

    @classmethod
    def get_type_index(cls) -> int:
        """Where the type stands among the parameters."""
        return 0

    def print_without_type(self, printer: Printer) -> None:
        """Prints everything behind the name up to the type."""
        printer.print_string("<")
        if isinstance(self.scope, StringAttr):
            printer.print_string_literal(self.scope.data)
            printer.print_string("::")
        printer.print_string_literal(self.key.data)
        if isinstance(self.config, DictionaryAttr):
            printer.print_string(", ")
            printer.print_attr_dict(self.config.data)
        printer.print_string(">")

    def print_parameters(self, printer: Printer) -> None:
        """Prints everything behind the name, the type too."""
        self.print_without_type(printer)
        if not isinstance(self.type, NoneType):
            printer.print_string(" : ")
            printer.print_attribute(self.type)


@irdl_attr_definition
class TimepointAttr(TypedAttribute):
    """`#stream.timepoint<immediate> : !stream.timepoint`."""

    name = "stream.timepoint"

    type: TimepointType = param_def()

    def __init__(self) -> None:
        super().__init__(TimepointType())

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parses `<immediate>` and the type."""
        with parser.in_angle_brackets():
            parser.parse_keyword("immediate")
        position = parser.pos
        type = parse_optional_self_type(parser)
        if not isinstance(type, NoneType | TimepointType):
            parser.raise_error(f"expected type !stream.timepoint, got {type}", position)
        return [TimepointType()]

    @classmethod
    def get_type_index(cls) -> int:
        """Where the type stands among the parameters."""
        return 0

    def print_without_type(self, printer: Printer) -> None:
        """Prints `<immediate>`."""
        printer.print_string("<immediate>")

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<immediate>` and the type."""
        printer.print_string("<immediate> : !stream.timepoint")
