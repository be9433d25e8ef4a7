"""Memory types and usage by lifetime and sharing, and which allocator is selected for them (IR-26)."""

# IR is easier to read in one line for each op.
# ruff: noqa: E501

import pytest
from vm_hal_world import program, run
from zcir.dialects.diagnostics import OpError
from zcir.dialects.hal.enums import Lifetime
from zcir.runtime.hal.flags import BufferUsage, MemoryType, flags_text
from zcir.runtime.vm.memory_kinds import memory_kind

DEFAULT = "TransferSource|TransferTarget|DispatchStorageRead|DispatchStorageWrite"
MAPPED = "MappingScoped|MappingPersistent|MappingAccessRandom"
LOCAL = "DeviceVisible|DeviceLocal"


@pytest.mark.parametrize(
    ("lifetime", "shared", "mappable", "memory", "usage"),
    [
        (Lifetime.TRANSIENT, False, True, LOCAL, DEFAULT),
        (Lifetime.VARIABLE, False, True, LOCAL, DEFAULT),
        (Lifetime.CONSTANT, False, True, LOCAL, f"{DEFAULT}|SharingImmutable"),
        (
            Lifetime.EXTERNAL,
            False,
            True,
            f"HostVisible|{LOCAL}",
            f"{DEFAULT}|SharingExport|{MAPPED}",
        ),
        (Lifetime.EXTERNAL, False, False, LOCAL, f"{DEFAULT}|SharingExport"),
        (
            Lifetime.STAGING,
            False,
            True,
            "HostVisible|DeviceVisible|HostLocal",
            f"{DEFAULT}|{MAPPED}",
        ),
        # Shared: mapped for good, which the host has to reach.
        (
            Lifetime.TRANSIENT,
            True,
            True,
            f"HostVisible|{LOCAL}",
            f"{DEFAULT}|SharingConcurrent|{MAPPED}",
        ),
        (Lifetime.TRANSIENT, True, False, LOCAL, f"{DEFAULT}|SharingConcurrent"),
    ],
)
def test_what_a_lifetime_asks_of_memory(
    lifetime: Lifetime, shared: bool, mappable: bool, memory: str, usage: str
) -> None:
    kind = memory_kind(lifetime, shared=shared, mappable=mappable)
    assert flags_text(kind[0]) == memory
    assert flags_text(kind[1]) == usage


RESOLVED = """
    %t, %u = hal.allocator.resolve_memory_properties for(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) lifetime(external) : i32, i32
    %owner, %mask = hal.allocator.select from([(%a, %queues : !hal.device, i64), (%b, %queues : !hal.device, i64)]) type(%t) usage(%u) : !hal.device, i64
    %ready = hal.fence.create device(%owner : !hal.device) flags(None) : !hal.fence
    %p = hal.device.queue.alloca<%owner : !hal.device> affinity(%mask) wait(%null) signal(%ready) pool(%c0_i64) type(%t) usage(%u) flags(None) : !hal.buffer{%c64}
    util.return %u : i32"""


def test_resolved_properties_reach_the_allocation() -> None:
    body = RESOLVED.replace("pool(%c0_i64)", "pool(%zero)").replace(
        "    %t, %u", "    %zero = arith.constant 0 : i64\n    %t, %u", 1
    )
    result = run(program(body), 0)
    usage = BufferUsage(int(str(result.results[0])))
    sharing = BufferUsage.SHARING_EXPORT | BufferUsage.SHARING_CONCURRENT
    assert sharing | BufferUsage.MAPPING in usage


MAPPABLE = f"""
    %t = arith.constant {int(MemoryType.DEVICE_LOCAL | MemoryType.HOST_VISIBLE)} : i32
    %owner, %mask = hal.allocator.select from([(%a, %queues : !hal.device, i64), (%b, %queues : !hal.device, i64)]) type(%t) usage(%usage) : !hal.device, i64
    %ready = hal.fence.create device(%owner : !hal.device) flags(None) : !hal.fence
    %p = hal.device.queue.alloca<%owner : !hal.device> affinity(%mask) wait(%null) signal(%ready) MEMORY{{%c64}}
    util.return %one : i32"""
BOTH_WAYS = "(@a -> @b = {transparent_access = true}), (@b -> @a = {transparent_access = true})"


def _topology(*hidden: str) -> str:
    """Each device reaches the other's memory; the host does not see that of some."""
    own = "".join(f", (@{name} -> @{name} = {{}}, {{host_visible = false}})" for name in hidden)
    return f"stream.topology = #hal.device.topology<links = [{BOTH_WAYS}{own}]>"


def test_memory_that_the_host_maps_lies_where_it_reaches_it() -> None:
    # Both pools serve both devices; of them the first that the host sees is taken.
    for hidden, pool in (((), "a"), (("a",), "b")):
        result = run(program(MAPPABLE, topology=_topology(*hidden)), 0)
        assert [buffer.pool for buffer in result.graph.buffers] == [pool]
    text = program(MAPPABLE, topology=_topology("a", "b"))
    message = r"for \[@a, @b\]: no pool serves all and the host, which is to map it"
    with pytest.raises(OpError, match=message):
        run(text, 0)
