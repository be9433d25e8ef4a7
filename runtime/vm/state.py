"""The state of one run: the system, where affinities lead, and how ops are named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.access import inherited_affinity
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.location import location_text
from ...dialects.topology import Topology
from ..element_types import Array
from ..errors import HalError, StatusCode
from ..hal.buffer import Buffer, BufferParams, Storage
from ..hal.device import Device
from ..hal.file import File
from ..hal.recorder import Source
from ..hal.system import System
from ..kernels.api import Bytes
from ..kernels.library import KernelLibrary
from .staging import in_place_users
from .values import BufferView, DeviceArray, HostArray


@dataclass(slots=True, eq=False)
class VmState:
    """What the implementations of all dialects share."""

    module: ModuleOp
    topology: Topology
    """The topology the machine was made from: it names the pools."""
    system: System
    kernels: KernelLibrary
    globals: dict[str, object] = field(default_factory=dict[str, object])
    shares: dict[Storage, int] = field(default_factory=dict[Storage, int])
    """How many own a storage, where it is not one."""
    placed: dict[Operation, Buffer] = field(default_factory=dict[Operation, Buffer])
    """By the op that asks for it, memory that was set aside for a temporary: it is not allocated,
    and stays when the program gives it back (GE-03)."""
    memoized: dict[tuple[Any, ...], tuple[Any, ...]] = field(
        default_factory=dict[tuple[Any, ...], tuple[Any, ...]]
    )
    """Results of `hal.device.memoize` by op, device, queues and captured values."""
    made: dict[Storage, Buffer] = field(default_factory=dict[Storage, Buffer])
    """Storages that the program has made or been lent and has not given back."""
    parameters: Mapping[tuple[str, str], File] = field(default_factory=dict[tuple[str, str], File])
    """By scope and key, what archives hold; the scope is "" where the program names none."""

    def parameter(self, scope: Bytes | None, key: Bytes) -> File:
        """The parameter that bytes of the program name; NOT_FOUND where no archive has it."""
        names = ("" if scope is None else scope.tobytes().decode(), key.tobytes().decode())
        found = self.parameters.get(names)
        if found is None:
            known = ", ".join("::".join(filter(None, pair)) for pair in self.parameters) or "none"
            raise HalError(
                StatusCode.NOT_FOUND,
                f"parameter {'::'.join(filter(None, names))} is not among those given: {known}",
            )
        return found

    def make(self, buffer: Buffer) -> Buffer:
        """The buffer, which is a whole new storage, now among those that are made."""
        self.made[buffer.storage] = buffer
        return buffer

    def forget(self, storage: Storage) -> None:
        """A storage was given back, or is no longer the program's to give back."""
        self.made.pop(storage, None)
        self.shares.pop(storage, None)

    def owners(self, storage: Storage) -> int:
        """How many own a storage; one at first, and the caller besides of what it lent."""
        return self.shares.get(storage, 1)

    def preserve(self, storage: Storage) -> None:
        """One more owner."""
        self.shares[storage] = self.owners(storage) + 1

    def discard(self, storage: Storage) -> bool:
        """One owner less; whether it was the last. What the caller lent is never the last's."""
        if storage.imported:
            return False
        self.shares[storage] = self.owners(storage) - 1
        return self.shares[storage] == 0

    def is_terminal(self, storage: Storage) -> bool:
        """Whether one owner is left."""
        return not storage.imported and self.owners(storage) == 1

    def devices(self, op: Operation, affinity: Attribute | None) -> tuple[str, ...]:
        """The devices an affinity, or what `op` inherits, names.

        Raises OpError at `op` for none, or one that the machine lacks.
        """
        affinity = affinity or inherited_affinity(op)
        names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
        if not names:
            fail(op, "states no device to run on; give it an affinity")
        for name in names:
            if name not in self.system.devices:
                known = ", ".join(f"@{device}" for device in self.system.devices) or "none"
                fail(op, f"names the device @{name}, the machine has {known}")
        return names

    def device(self, op: Operation, affinity: Attribute | None) -> Device:
        """The device that executes `op`: the first its affinity names."""
        return self.system.devices[self.devices(op, affinity)[0]]

    def pool(
        self, op: Operation, affinity: Attribute | None, storage: SSAValue | None = None
    ) -> str:
        """The pool that serves all devices of an affinity (IR-26).

        Where there is none it is, for what `storage` names, one that serves those who compute on it
        and that the others copy to and from.
        """
        names = self.devices(op, affinity)
        serving = self.topology.serving_pools(names, names)
        if not serving and storage is not None:
            users = sorted(in_place_users(storage)) or names[:1]
            for pool in self.topology.serving_pools(users, users):
                if all(pool.name in self.system.devices[name].reach.by_copy for name in names):
                    return pool.name
        if not serving:
            listed = ", ".join(f"@{name}" for name in names)
            fail(op, f"cannot resolve memory properties for [{listed}]: no pool serves all")
        own = self.topology.pool_of(names[0])
        return own.name if own in serving else serving[0].name

    def place(self, op: Operation, view: BufferView, pool: str, *, consume: bool) -> Buffer:
        """The buffer of a view, in `pool` if the host still holds it.

        The caller's memory is borrowed unless it was given away, as `consume` says (case B01).
        """
        if isinstance(view, DeviceArray):
            return view.buffer
        view.given_away |= consume
        if (buffer := view.placed.get(pool)) is None:
            data = np.ascontiguousarray(view.data).reshape(-1).view(np.uint8)
            params = BufferParams(name=view.name, location=location_text(op))
            buffer = view.placed[pool] = self.make(
                self.system.host.import_array(
                    data, pool, params, source(op), borrowed=not view.given_away
                )
            )
        return buffer


def source(op: Operation, detail: str = "") -> Source:
    """What the event graph calls `op`, and where it stands."""
    return Source(f"{op.name} {detail}".rstrip(), location_text(op))


def read_view(state: VmState, view: BufferView) -> Array:
    """The contents of a view for the host: invalidated, then read."""
    if isinstance(view, HostArray):
        return view.data
    data = state.system.host.read_back(view.buffer)
    return data.view(view.dtype).reshape(view.shape)
