"""`#hal.device.topology`: what IREE reads in a link's first dictionary, ours in the second.

```mlir
#hal.device.topology<links = [
  (@a -> @b = {unified_memory = true}, {coherent = true, bandwidth_gbps = 16.0 : f64}),
  (@b -> @a = {unified_memory = true}, {coherent = true}),
  (@a -> @a = {}, {host_coherent = true, cache_line = 128 : i64})
]>
```
A link from a device to itself describes the device. Stock IREE keeps the second dictionary and
links to self as they are. `zcir.dialects.topology` is the plain-data view with all queries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    NoneAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .link_properties import check_properties
from .syntax import parse_flat_symbol

_FLAGS = ("unified_memory", "transparent_access")


@irdl_attr_definition
class DeviceLinkAttr(ParametrizedAttribute):
    """A directed relation between two devices, or the description of one."""

    name = "hal.device.link"

    source_device: SymbolRefAttr
    target_device: SymbolRefAttr
    unified_memory: BoolAttr
    """Both devices' memories are one pool."""
    transparent_access: BoolAttr
    """The source reaches the target's memory in place."""
    extra_properties: DictionaryAttr | NoneAttr
    """What `link_properties` lists; further keys are carried along."""

    def __init__(
        self,
        source: str,
        target: str,
        *,
        unified_memory: bool = False,
        transparent_access: bool = False,
        extra_properties: Mapping[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            SymbolRefAttr(source),
            SymbolRefAttr(target),
            IntegerAttr.from_bool(unified_memory),
            IntegerAttr.from_bool(transparent_access),
            NoneAttr() if extra_properties is None else DictionaryAttr(dict(extra_properties)),
        )

    @property
    def source_name(self) -> str:
        """The source's symbol, without `@`."""
        return self.source_device.string_value()

    @property
    def target_name(self) -> str:
        """The target's symbol, without `@`."""
        return self.target_device.string_value()

    @property
    def is_self_link(self) -> bool:
        """Whether it describes one device."""
        return self.source_device == self.target_device

    @property
    def properties(self) -> Mapping[str, Attribute]:
        """The second dictionary; empty when there is none."""
        extra = self.extra_properties
        return {} if isinstance(extra, NoneAttr) else extra.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `(@a -> @b = {unified_memory = true}, {…})`, the second dictionary optional."""
        flags = dict.fromkeys(_FLAGS, False)
        seen: set[str] = set()

        def parse_flag() -> None:
            start = parser.pos
            word = parser.parse_identifier()
            if word not in flags or word in seen:
                parser.raise_error(
                    f"expected one of {', '.join(_FLAGS)}, each once, got '{word}'", start
                )
            seen.add(word)
            parser.parse_punctuation("=")
            flags[word] = parser.parse_boolean()

        extra: Attribute = NoneAttr()
        with parser.in_parens():
            source = parse_flat_symbol(parser)
            parser.parse_punctuation("->")
            target = parse_flat_symbol(parser)
            parser.parse_punctuation("=")
            parser.parse_comma_separated_list(parser.Delimiter.BRACES, parse_flag)
            if parser.parse_optional_punctuation(",") is not None:
                extra = parser.parse_attribute()
        values = (cast(Attribute, IntegerAttr.from_bool(flags[word])) for word in _FLAGS)
        return (source, target, *values, extra)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads; flags that are false are left out."""
        flags = {
            "unified_memory": self.unified_memory,
            "transparent_access": self.transparent_access,
        }
        set_flags = [f"{word} = true" for word, flag in flags.items() if flag.value.data]
        with printer.in_parens():
            printer.print_attribute(self.source_device)
            printer.print_string(" -> ")
            printer.print_attribute(self.target_device)
            printer.print_string(f" = {{{', '.join(set_flags)}}}")
            if isinstance(self.extra_properties, DictionaryAttr):
                printer.print_string(", ")
                printer.print_attribute(self.extra_properties)

    def verify(self) -> None:
        """Check that our keys stand on the right kind of link with values of the right type."""
        where = f"(@{self.source_name} -> @{self.target_name})"
        if (problem := check_properties(self.properties, self.is_self_link)) is not None:
            raise VerifyException(f"link {where}: {problem}")


@irdl_attr_definition
class DeviceTopologyAttr(ParametrizedAttribute):
    """All links between a module's devices; missing links mean no access in place."""

    name = "hal.device.topology"

    links: ArrayAttr[DeviceLinkAttr]

    def __init__(self, links: Sequence[DeviceLinkAttr] | ArrayAttr[DeviceLinkAttr]) -> None:
        if not isinstance(links, ArrayAttr):
            links = ArrayAttr(links)
        super().__init__(links)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<links = [(@a -> @b = {…}), …]>`."""
        with parser.in_angle_brackets():
            parser.parse_keyword("links")
            parser.parse_punctuation("=")
            links = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE,
                lambda: DeviceLinkAttr.new(DeviceLinkAttr.parse_parameters(parser)),
            )
        return (ArrayAttr(links),)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            printer.print_string("links = ")
            with printer.in_square_brackets():
                printer.print_list(self.links, lambda link: link.print_parameters(printer))

    def verify(self) -> None:
        """Check the links against each other; see `zcir.dialects.topology.check_links`."""
        # Both build on these attributes.
        from ..topology_checks import check_links
        from ..topology_reading import links_of

        if not self.links.data:
            raise VerifyException("expected at least one link, got none; drop the topology instead")
        check_links(*links_of(self))
