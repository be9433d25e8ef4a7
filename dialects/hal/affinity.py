"""Affinities: on which devices and queues an op may run or a resource may live.

`#hal.device.affinity<@d>` names a declared device, `#hal.device.promise<@d>` one that is
declared later, `#hal.device.optimal<[…]>` any one of several. The joins are IREE's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .syntax import (
    ANY_QUEUE,
    parse_flat_symbol,
    parse_queue_mask,
    print_queue_mask,
)


class AffinityAttr(ParametrizedAttribute, ABC):
    """What all affinities answer."""

    @property
    @abstractmethod
    def device_names(self) -> tuple[str, ...]:
        """The devices it names, without `@`, in order."""

    @abstractmethod
    def is_executable_with(self, other: AffinityAttr | None) -> bool:
        """Whether what has this affinity may run where `other` is asked for (None: anywhere)."""

    @abstractmethod
    def join_or(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """The affinity of something that may run here or there; None when there is none."""

    @abstractmethod
    def join_and(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """The affinity of something that must run here and there; None when there is none."""


class SingleDeviceAffinityAttr(AffinityAttr, ABC):
    """An affinity to some queues of one device."""

    @property
    @abstractmethod
    def mask(self) -> int:
        """The set of its queues as bits; -1 for any queue."""

    @abstractmethod
    def with_mask(self, mask: int) -> AffinityAttr:
        """The affinity to the queues of `mask` on the same device."""

    def _same_device(self, other: Attribute | None) -> SingleDeviceAffinityAttr | None:
        if not isinstance(other, SingleDeviceAffinityAttr) or type(self) is not type(other):
            return None
        return other if other.device_names == self.device_names else None

    def is_executable_with(self, other: AffinityAttr | None) -> bool:
        """Whether `other` names the same device and at least the same queues."""
        if other is None:
            return True
        same = self._same_device(other)
        return same is not None and self.mask & same.mask == self.mask

    def join_or(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """The union of queues of one device, otherwise an optimal one of both."""
        if other is None:
            return self
        if isinstance(other, DeviceOptimalAttr):
            return other.join_or(self)
        if (same := self._same_device(other)) is not None:
            return self.with_mask(self.mask | same.mask)
        return DeviceOptimalAttr([self, other])

    def join_and(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """The common queues of one device; None across devices."""
        if other is None:
            return self
        same = self._same_device(other)
        return None if same is None else self.with_mask(self.mask & same.mask)


@irdl_attr_definition
class DeviceAffinityAttr(SingleDeviceAffinityAttr):
    """Some or all queues of a declared device."""

    name = "hal.device.affinity"

    device: SymbolRefAttr
    queue_mask: IntAttr
    """Bit q for queue q; -1 for any queue."""

    def __init__(self, device: str | SymbolRefAttr, queue_mask: int = ANY_QUEUE) -> None:
        if isinstance(device, str):
            device = SymbolRefAttr(device)
        super().__init__(device, IntAttr(queue_mask))

    @property
    def device_names(self) -> tuple[str, ...]:
        """The device's symbol name."""
        return (self.device.root_reference.data,)

    @property
    def mask(self) -> int:
        """The set of its queues as bits; -1 for any queue."""
        return self.queue_mask.data

    def with_mask(self, mask: int) -> DeviceAffinityAttr:
        """The affinity to the queues of `mask` on the same device."""
        return DeviceAffinityAttr(self.device, mask)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<@d>` or `<@d, [0, 1]>`."""
        with parser.in_angle_brackets():
            return (parse_flat_symbol(parser), IntAttr(parse_queue_mask(parser)))

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.device)
            print_queue_mask(printer, self.mask)


@irdl_attr_definition
class DevicePromiseAttr(SingleDeviceAffinityAttr):
    """Some or all queues of a device that is declared in a later phase."""

    name = "hal.device.promise"

    device: StringAttr
    queue_mask: IntAttr
    """Bit q for queue q; -1 for any queue."""

    def __init__(self, device: str | StringAttr, queue_mask: int = ANY_QUEUE) -> None:
        if isinstance(device, str):
            device = StringAttr(device)
        super().__init__(device, IntAttr(queue_mask))

    @property
    def device_names(self) -> tuple[str, ...]:
        """The device's name."""
        return (self.device.data,)

    @property
    def mask(self) -> int:
        """The set of its queues as bits; -1 for any queue."""
        return self.queue_mask.data

    def with_mask(self, mask: int) -> DevicePromiseAttr:
        """The promise of the queues of `mask` on the same device."""
        return DevicePromiseAttr(self.device, mask)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<@d>` or `<@d, [0, 1]>`."""
        with parser.in_angle_brackets():
            return (parser.parse_symbol_name(), IntAttr(parse_queue_mask(parser)))

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            printer.print_symbol_name(self.device)
            print_queue_mask(printer, self.mask)


@irdl_attr_definition
class DeviceOptimalAttr(AffinityAttr):
    """Any one of several affinities, whichever suits best."""

    name = "hal.device.optimal"

    affinities: ArrayAttr[Attribute]

    def __init__(self, affinities: Sequence[Attribute] | ArrayAttr[Attribute]) -> None:
        if not isinstance(affinities, ArrayAttr):
            affinities = ArrayAttr(affinities)
        super().__init__(affinities)

    @property
    def device_names(self) -> tuple[str, ...]:
        """The devices of all its affinities, in order, each once."""
        names = (name for affinity in self._singles() for name in affinity.device_names)
        return tuple(dict.fromkeys(names))

    def _singles(self) -> tuple[SingleDeviceAffinityAttr, ...]:
        return tuple(a for a in self.affinities if isinstance(a, SingleDeviceAffinityAttr))

    def is_executable_with(self, other: AffinityAttr | None) -> bool:
        """Whether every one of its affinities, any of which may be chosen, is."""
        others = other._singles() if isinstance(other, DeviceOptimalAttr) else (other,)
        return all(mine.is_executable_with(theirs) for mine in self._singles() for theirs in others)

    def join_or(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """Its affinities and those of `other`, one for each device."""
        return self._merge(other, lambda mine, theirs: mine.join_or(theirs), add_new=True)

    def join_and(self, other: AffinityAttr | None) -> AffinityAttr | None:
        """Its affinities, with the queues of `other` on the devices that both name."""
        return self._merge(other, lambda mine, theirs: mine.join_and(theirs), add_new=False)

    def _merge(
        self,
        other: AffinityAttr | None,
        join: Callable[[AffinityAttr, AffinityAttr], AffinityAttr | None],
        add_new: bool,
    ) -> AffinityAttr | None:
        if other is None:
            return self
        others = other._singles() if isinstance(other, DeviceOptimalAttr) else (other,)
        by_device: dict[tuple[str, ...], AffinityAttr] = {
            mine.device_names: mine for mine in self._singles()
        }
        for theirs in others:
            mine = by_device.get(theirs.device_names)
            if mine is None:
                if add_new:
                    by_device[theirs.device_names] = theirs
                continue
            joined = join(mine, theirs)
            if joined is None or isinstance(joined, DeviceOptimalAttr):
                return None
            by_device[theirs.device_names] = joined
        return DeviceOptimalAttr(tuple(by_device.values()))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<[#hal.device.affinity<@a>, …]>`."""
        with parser.in_angle_brackets():
            affinities = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_attribute
            )
        return (ArrayAttr(affinities),)

    def print_parameters(self, printer: Printer) -> None:
        """Print what `parse_parameters` reads."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.affinities)

    def verify(self) -> None:
        """Check that there is a choice and that it is between devices."""
        if not self.affinities.data:
            raise VerifyException("expected at least one device affinity, got none")
        for affinity in self.affinities:
            if not isinstance(affinity, SingleDeviceAffinityAttr):
                raise VerifyException(
                    f"expected #hal.device.affinity or #hal.device.promise, got {affinity}"
                )
