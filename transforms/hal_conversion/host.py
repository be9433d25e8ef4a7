"""The state of one function's conversion: buffers of resources, fences of timepoints, devices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, SymbolRefAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import util
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.hal.fence import FenceCreateOp
from ...dialects.hal.types import DeviceType, FenceType
from ...dialects.topology import Topology
from ..build import OpT, make
from ..indices import IndexBuilder

ANY_QUEUE = -1
"""As queue affinity: every queue of the device."""


class BufferRange(NamedTuple):
    """What a resource becomes."""

    buffer: SSAValue
    offset: SSAValue
    """Bytes from the start of the buffer."""


@dataclass(slots=True, eq=False)
class HostLowering:
    """What the conversions of one function share; new ops go before the current one."""

    entry: Block
    topology: Topology
    indices: IndexBuilder
    buffers: dict[SSAValue, BufferRange] = field(default_factory=dict[SSAValue, BufferRange])
    fences: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    op: Operation = field(init=False)
    """The op being converted."""
    _devices: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    _integers: dict[tuple[int, IntegerType], SSAValue] = field(
        default_factory=dict[tuple[int, IntegerType], SSAValue]
    )
    _null: SSAValue | None = None

    def make(
        self,
        op_class: type[OpT],
        results: Sequence[Attribute | Sequence[Attribute] | None] = (),
        /,
        **fields: Any,
    ) -> OpT:
        """Build an op before the current one."""
        new = make(op_class, self.op, results, **fields)
        self.insert(new)
        return new

    def insert(self, new: Operation) -> None:
        """Insert `new`, and index arithmetic made for it, before the current op."""
        block = self.op.parent
        assert block is not None
        for pending in self.indices.take():
            block.insert_op_before(pending, self.op)
        block.insert_op_before(new, self.op)

    def _at_entry(self, new: Operation) -> None:
        first = self.entry.first_op
        assert first is not None
        self.entry.insert_op_before(new, first)

    # What stands at the function's start.

    def device(self, name: str) -> SSAValue:
        """The device `name`, loaded once."""
        if (known := self._devices.get(name)) is None:
            load = make(
                util.GlobalLoadOp,
                None,
                [DeviceType()],
                global_name=SymbolRefAttr(name),
                is_immutable=UnitAttr(),
            )
            self._at_entry(load)
            load.result.name_hint = name
            known = self._devices[name] = load.result
        return known

    def integer(self, value: int, type: IntegerType = i64) -> SSAValue:
        """An integer constant, defined once."""
        if (known := self._integers.get((value, type))) is None:
            constant = arith.ConstantOp(IntegerAttr(value, type))
            self._at_entry(constant)
            known = self._integers[value, type] = constant.result
        return known

    def any_queue(self) -> SSAValue:
        """The affinity of any queue."""
        return self.integer(ANY_QUEUE)

    def null_fence(self) -> SSAValue:
        """The fence that is reached from the start."""
        if self._null is None:
            null = make(util.NullOp, None, [FenceType()])
            self._at_entry(null)
            self._null = null.result
        return self._null

    # Values.

    def devices_of(self, affinity: Attribute | None) -> tuple[str, ...]:
        """The devices an affinity names; an error at the current op for none."""
        names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
        if not names:
            fail(self.op, "states no device to run on; give it an affinity")
        return names

    def range_of(self, resource: SSAValue) -> BufferRange:
        """The buffer range of a resource."""
        found = self.buffers.get(resource)
        if found is None:
            fail(self.op, f"uses a resource of type {resource.type} that nothing lowered defines")
        return found

    def wait(self, timepoint: SSAValue | None) -> SSAValue:
        """The fence to wait for."""
        if timepoint is None:
            return self.null_fence()
        found = self.fences.get(timepoint)
        if found is None:
            fail(self.op, "waits for a timepoint that nothing lowered defines")
        return found

    def signal(self, device: SSAValue, timepoint: SSAValue) -> SSAValue:
        """A new fence that stands for `timepoint`."""
        fence = self.make(
            FenceCreateOp, [FenceType()], device=device, flags=IntegerAttr(0, i64)
        ).result
        self.fences[timepoint] = fence
        return fence
