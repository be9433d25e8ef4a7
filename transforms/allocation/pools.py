"""The affinity that a storage is allocated on: one whose memory serves everybody who uses it.

```mlir
// link (a -> b) = {transparent_access}: a reaches b's memory, b does not reach a's
stream.async.dispatch on(@a) …  writes x; stream.async.dispatch on(@b) … reads x
// x: alloca on(@b)
// link (a -> b) and (b -> a) = {unified_memory}: alloca on(#hal.device.optimal<[@a, @b]>)
```

Kernels need access in place; copies and fills need what the links let them. What is exported lies
in the memory of the device that it is exported on. Where several pools serve, those that the host
reads in place come first, then those of kernels' devices, then those of other users, then the
topology's order.
"""

from collections.abc import Iterable, Sequence

from xdsl.ir import Attribute

from ...dialects import hal
from ...dialects.topology import HOST, MemoryPool, Topology
from ..analysis.alias_sets import devices_of
from .users import Use, Users


def allocation_affinity(users: Users, topology: Topology) -> Attribute | None:
    """The affinity for an allocation with these users; None where none of them has one.

    Raises:
        NoPoolError: no pool serves all users (IR-26).
    """
    uses = list(users.uses)
    affinities = _by_device([*(use.affinity for use in uses), *users.exports])
    if not affinities:
        return None
    known = set(topology.device_names)
    if any(name not in known for name in affinities):
        # Devices that are declared later: nothing is known of their memory.
        return _joined(list(affinities.values()))
    serving = [pool for pool in topology.pools() if _serves(pool, uses, topology)]
    pools = [pool for pool in serving if all(_owned(pool, at) for at in users.exports)]
    if not pools:
        raise NoPoolError(tuple(affinities), tuple(_by_device(users.exports)) if serving else ())
    pool = min(pools, key=lambda pool: _rank(pool, users, topology))
    owners = [affinities[name] for name in pool.owners if name in affinities]
    return _joined(owners or [hal.DeviceAffinityAttr(pool.name)])


class NoPoolError(Exception):
    """No pool is in reach of all `devices` that use a storage; or some are, and none of them is
    the memory of those that `export` it."""

    def __init__(self, devices: tuple[str, ...], exports: tuple[str, ...] = ()) -> None:
        super().__init__(_names(devices))
        self.missing = "is in reach of all that use the storage"
        if exports:
            self.missing = f"of {_names(exports)}, where it is exported, {self.missing}"


def _names(devices: tuple[str, ...]) -> str:
    return ", ".join(f"@{name}" for name in devices)


def _by_device(affinities: Iterable[Attribute | None]) -> dict[str, Attribute]:
    """The first affinity for each device, in order."""
    found: dict[str, Attribute] = {}
    for affinity in affinities:
        match affinity:
            case hal.DeviceOptimalAttr():
                for name, single in _by_device(affinity.affinities).items():
                    found.setdefault(name, single)
            case hal.AffinityAttr():
                for name in affinity.device_names:
                    found.setdefault(name, affinity)
            case _:
                pass
    return found


def _owned(pool: MemoryPool, affinity: Attribute) -> bool:
    """Whether `pool` is the memory of a device of `affinity`."""
    return not _by_device([affinity]).keys().isdisjoint(pool.owners)


def _joined(affinities: Sequence[Attribute]) -> Attribute:
    return affinities[0] if len(affinities) == 1 else hal.DeviceOptimalAttr(affinities)


def _serves(pool: MemoryPool, uses: Sequence[Use], topology: Topology) -> bool:
    return all(
        _reaches(name, pool, use, topology) for use in uses for name in devices_of(use.affinity)
    )


def _reaches(device: str, pool: MemoryPool, use: Use, topology: Topology) -> bool:
    if use.in_place and use.writes:
        return topology.writes_in_place(device, pool.name)
    if use.in_place:
        return topology.reads_in_place(device, pool.name)
    if use.writes:
        return topology.copies_to(device, pool.name)
    return topology.copies_from(device, pool.name)


def _rank(pool: MemoryPool, users: Users, topology: Topology) -> tuple[bool, ...]:
    """What speaks against `pool`, the gravest first."""
    kernels = {name for use in users.uses if use.in_place for name in devices_of(use.affinity)}
    others = {name for use in users.uses for name in devices_of(use.affinity)}
    return (
        bool(users.exports) and not topology.reads_in_place(HOST, pool.name),
        kernels.isdisjoint(pool.owners),
        others.isdisjoint(pool.owners),
    )
