"""Types of the stream dialect: resources by lifetime, timepoints, channels, files, bindings."""

from __future__ import annotations

from enum import Enum

from xdsl.ir import Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..format import SizeAware


class Lifetime(Enum):
    """How long a resource lives and who owns it; the value is its spelling."""

    UNKNOWN = "*"
    """Not refined yet (before `stream-refine-usage`)."""
    EXTERNAL = "external"
    """Owned outside of the program: arguments and results."""
    STAGING = "staging"
    """Mapped by the host for upload and download; dispatches cannot use it."""
    TRANSIENT = "transient"
    """Lives within one invocation."""
    VARIABLE = "variable"
    """Lives across invocations and is written."""
    CONSTANT = "constant"
    """Lives as long as the program and is never written once initialised."""


_LIFETIMES = {lifetime.value: lifetime for lifetime in Lifetime}


@irdl_attr_definition
class ResourceType(Data[Lifetime], SizeAware):
    """`!stream.resource<lifetime>`: bytes in the memory of devices; values carry their size."""

    name = "stream.resource"

    @property
    def lifetime(self) -> Lifetime:
        """The lifetime of values of this type."""
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Lifetime:
        """Parses `<lifetime>`."""
        with parser.in_angle_brackets():
            if parser.parse_optional_punctuation("*") is not None:
                return Lifetime.UNKNOWN
            position = parser.pos
            word = parser.parse_identifier()
            if (lifetime := _LIFETIMES.get(word)) is None:
                wanted = ", ".join(_LIFETIMES)
                parser.raise_error(f"expected a lifetime of {wanted}, got {word}", position)
            return lifetime

    def print_parameter(self, printer: Printer) -> None:
        """Prints `<lifetime>`."""
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class TimepointType(ParametrizedAttribute, TypeAttribute):
    """`!stream.timepoint`: reached when all work before it is done and its results are visible
    in order; cache maintenance is not implied."""

    name = "stream.timepoint"


@irdl_attr_definition
class BindingType(ParametrizedAttribute, TypeAttribute):
    """`!stream.binding`: a resource range as an executable's function sees it."""

    name = "stream.binding"


@irdl_attr_definition
class ChannelType(ParametrizedAttribute, TypeAttribute):
    """`!stream.channel`: one participant of a collective group."""

    name = "stream.channel"


@irdl_attr_definition
class FileType(ParametrizedAttribute, TypeAttribute):
    """`!stream.file`: a file that resources are read from and written to."""

    name = "stream.file"


@irdl_attr_definition
class TestFenceType(ParametrizedAttribute, TypeAttribute):
    """`!stream.test.fence`: stands for a fence in tests of timeline-aware ops."""

    name = "stream.test.fence"
