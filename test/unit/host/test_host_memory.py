"""Page-locked memory, registration and device pointers (rows ZC-07 to ZC-25)."""

import pytest
from host_world import BYTES, ONE, TWO, add, filled, mapped, refused, runtime, total
from zcir.runtime.host import (
    MallocPolicy,
    MemoryClass,
    RegisterFlag,
    Runtime,
    one_device,
    page_aligned,
    peer_devices,
)

MAPPED, PINNED = RegisterFlag.MAPPED, RegisterFlag.PINNED


def test_malloc_host_is_aligned_and_undefined() -> None:
    # ZC-07.
    rt = runtime()
    pointer = rt.malloc_host(1)
    for size in range(1, 66):
        pointer = rt.malloc_host(size)
        assert pointer.address % 64 == 0
        assert pointer.size == size
        assert pointer.memory_class is MemoryClass.PINNED
    assert set(pointer.read().tolist()) == {0xCD}
    (report,) = rt.check().reports
    assert report.rule == "uninitialized"
    with refused(rt, 100000, "size must be greater than 0, got 0"):
        rt.malloc_host(0)
    with refused(rt, 207001, "allocation of .* bytes failed"):
        rt.malloc_host(1 << 40)


@pytest.mark.parametrize("line", [16, 32, 64, 128])
def test_alignment_does_not_depend_on_the_cache(line: int) -> None:
    # ZC-07, CP-59.
    rt = runtime(topology=one_device(cache_line=line))
    assert all(rt.malloc_host(size).address % 64 == 0 for size in (1, 33, 65, 1))
    assert all(rt.malloc(size).address % 64 == 0 for size in (1, 33, 65, 1))


def test_free_host_takes_its_own_memory_once() -> None:
    # ZC-08.
    rt = runtime()
    memory, pointer = mapped(rt, ONE)
    with refused(rt, 107000, "memory is still registered"):
        rt.free_host(memory)
    assert memory.view("u2")[0] == ONE
    rt.launch(add, 8, None, pointer, pointer, pointer)
    other, device = filled(rt, TWO), rt.malloc(64)
    with refused(rt, 107000, "was not allocated by malloc_host"):
        rt.free_host(other + 64)
    with refused(rt, 107000, "DevicePointer was not allocated by malloc_host"):
        rt.free_host(device)  # pyright: ignore[reportArgumentType]
    with refused(rt, 100000, "hostPtr is null"):
        rt.free_host(None)
    rt.free_host(other)
    with refused(rt, 107000, "is freed already"):
        rt.free_host(other)
    with refused(rt, 107000, "registration in use by pending submission"):
        rt.host_unregister(memory)
    rt.synchronize_stream()
    rt.host_unregister(memory)
    rt.free_host_with_dev_sync(memory)
    assert not memory.allocation.alive


def test_memory_in_flight_is_not_freed() -> None:
    # ZC-08, ZC-23.
    rt = runtime()
    device = rt.malloc(BYTES)
    (_, a) = mapped(rt, ONE)
    rt.launch(add, 8, None, a, a, device)
    with refused(rt, 107000, "buffer in use by pending submission: dev.* is used by kernel add"):
        rt.free(device)
    rt.synchronize_device()
    rt.free(device)
    with refused(rt, 107000, "is freed already"):
        rt.free(device)
    with refused(rt, 107000, "was not allocated by malloc"):
        rt.free(a)  # pyright: ignore[reportArgumentType]
    with refused(rt, 100000, "devPtr is null"):
        rt.free(None)


def test_device_memory_is_aligned_and_bounded() -> None:
    # CP-59.
    rt = runtime(heap_bytes=1 << 20)
    pointer = rt.malloc(100, MallocPolicy.HUGE_FIRST)
    assert pointer.address % 64 == 0
    assert pointer.size == 100
    assert rt.statistics["npu"].allocs == 1
    with refused(rt, 100000, "size must be greater than 0"):
        rt.malloc(0)
    with refused(rt, 207001, "allocation of 2097152 bytes failed: pool npu has 1048576"):
        rt.malloc(1 << 21)
    with refused(rt, 107000, "value 9 for parameter policy is invalid"):
        rt.malloc(16, 9)  # pyright: ignore[reportArgumentType]


def test_no_step_of_the_mapping_can_be_skipped() -> None:
    # ZC-09.
    rt = runtime()
    memory = filled(rt, ONE)
    with refused(rt, 107000, "has not been registered for device address mapping"):
        rt.host_get_device_pointer(memory)
    with refused(rt, 107000, "argument 0 is not a device-visible address"):
        rt.launch(add, 8, None, memory, memory, memory)
    rt.host_register(memory, MAPPED)
    with refused(rt, 107000, "argument 0 is not a device-visible address"):
        rt.launch(add, 8, None, memory, memory, memory)
    pointer = rt.host_get_device_pointer(memory)
    rt.launch(add, 8, None, pointer, pointer, pointer)
    rt.synchronize_stream()
    rt.host_unregister(memory)
    rt.free_host(memory)


def test_registration_keeps_contents_and_counts_one_import() -> None:
    # ZC-10, ZC-11.
    rt = runtime()
    memory = filled(rt, ONE)
    before = total(rt).imports
    rt.host_register(memory, 0x2, BYTES)
    assert MAPPED == 0x2
    assert total(rt).imports == before + 1
    assert memory.view("u2").numpy().tolist() == [ONE] * (BYTES // 2)
    assert rt.host_get_device_pointer(memory).memory_class is MemoryClass.MAPPED
    with refused(rt, 100000, "ptr is null"):
        rt.host_register(None)
    with refused(rt, 100000, "size must be greater than 0"):
        rt.host_register(page_aligned(8), MAPPED, 0)


@pytest.mark.parametrize(("flag", "name"), [(0x4, "IOMEMORY"), (0x8, "READONLY")])
def test_reserved_flags_are_refused(flag: int, name: str) -> None:
    # ZC-12.
    rt = runtime()
    memory = rt.malloc_host(64)
    with refused(rt, 207000, f"ACL_HOST_REG_{name} is reserved and not supported"):
        rt.host_register(memory, flag)


def test_pinned_applies_to_pageable_memory() -> None:
    # ZC-13.
    rt = runtime()
    array = page_aligned(4096)
    assert rt.operand(array, "src").memory_class is MemoryClass.PAGEABLE
    rt.host_register(array, PINNED)
    assert rt.operand(array, "src").memory_class is MemoryClass.PINNED
    with refused(rt, 107000, "has not been registered for device address mapping"):
        rt.host_get_device_pointer(array)
    memory = rt.malloc_host(64)
    with refused(rt, 107000, "ACL_HOST_REG_PINNED applies only to non-page-locked memory"):
        rt.host_register(memory, PINNED)
    rt.host_unregister(array)
    assert rt.operand(array, "src").memory_class is MemoryClass.PAGEABLE


@pytest.mark.parametrize("flag", [0, 0x1, 0x2 | 0x1, 1 << 40])
def test_unknown_flags_are_refused_before_all_else(flag: int) -> None:
    # ZC-14: the memory is unaligned, too.
    rt = runtime()
    array = page_aligned(8192)[16:]
    with refused(rt, 107000, "for parameter flag is invalid; expected an OR of MAPPED 0x2, "):
        rt.host_register(array, flag)


@pytest.mark.parametrize("flag", [0x2, 0x10000002])
def test_known_flags_are_accepted(flag: int) -> None:
    # ZC-14.
    rt = runtime()
    rt.host_register(page_aligned(4096), flag)


def test_registered_memory_is_aligned() -> None:
    # ZC-15: pages, but for memory of malloc_host, whose base will do.
    rt = runtime()
    array, memory = page_aligned(8192), rt.malloc_host(8192)
    with refused(rt, 107008, "10 is not 4096-byte aligned"):
        rt.host_register(array[16:])
    with refused(rt, 107008, "40 is not 4096-byte aligned"):
        rt.host_register(memory + 64)
    rt.host_register(memory)
    rt.host_register(array)
    with refused(rt, 107000, "value 4097 for parameter size is invalid; expected at most 4096"):
        rt.host_register(page_aligned(4096), MAPPED, 4097)


def test_pageable_memory_needs_a_system_that_allows_it() -> None:
    # ZC-16.
    rt = runtime(topology=one_device(host_register_pageable=False))
    array, memory = page_aligned(4096), rt.malloc_host(4096)
    with refused(rt, 207000, "registering non-page-locked memory is not supported on this system"):
        rt.host_register(array, PINNED)
    rt.host_register(memory)


def test_overlapping_registrations_are_refused() -> None:
    # ZC-17 and case B48: an overlap is told before anything about alignment.
    rt = runtime()
    array = page_aligned(3 * 4096)
    rt.host_register(array[4096:8192])
    for start, end in ((0, 8192), (6000, 6100), (2048, 6144), (0, 12288)):
        with refused(rt, 507910, "the memory range has already been registered"):
            rt.host_register(array[start:end])
    rt.host_register(array[8192:])
    rt.host_register(array[:4096])
    rt.host_unregister(array[4096:8192])
    with refused(rt, 507911, "has not been registered"):
        rt.host_unregister(array[5000:])
    with refused(rt, 507911, "has not been registered"):
        rt.host_unregister(page_aligned(16))
    rt.host_register(array[4096:8192])
    memory = rt.malloc_host(8192)
    rt.host_register(memory, MAPPED, 4096)
    with refused(rt, 507910, "the memory range has already been registered"):
        rt.host_register(memory)


def test_device_pointer_is_the_same_each_time() -> None:
    # ZC-18, ZC-19.
    rt = runtime()
    memory, pointer = mapped(rt, ONE)
    assert rt.host_get_device_pointer(memory, 0) == pointer
    assert pointer.address != memory.address
    with refused(rt, 100000, "flag is reserved and must be 0, got 1"):
        rt.host_get_device_pointer(memory, 1)
    with refused(rt, 100000, "flag is reserved and must be 0, got 1"):
        rt.host_get_device_pointer(page_aligned(16), 1)
    with refused(rt, 100000, "pHost is null"):
        rt.host_get_device_pointer(None)
    rt.host_unregister(memory)
    with refused(rt, 107000, "has not been registered for device address mapping"):
        rt.host_get_device_pointer(memory)


def test_pointers_inside_of_a_registration() -> None:
    # ZC-21.
    rt = runtime()
    memory, pointer = mapped(rt, ONE)
    inside = rt.host_get_device_pointer(memory + 64)
    assert inside.address == pointer.address + 64
    assert inside == pointer + 64
    with refused(rt, 107000, "has not been registered"):
        rt.host_get_device_pointer(memory + BYTES)
    strict = runtime(strict_base=True)
    memory, pointer = mapped(strict, ONE)
    with refused(strict, 107000, "has not been registered"):
        strict.host_get_device_pointer(memory + 64)


def test_mapped_addresses_are_for_kernels() -> None:
    # ZC-22: no operand of copies; the host address is.
    rt = runtime()
    memory, pointer = mapped(rt, ONE)
    for parameter in ("dst", "src"):
        text = f"{parameter} is a mapped device address, which cannot be used for memory copy"
        with refused(rt, 107000, text):
            rt.operand(pointer, parameter)
    assert rt.operand(memory, "src").memory_class is MemoryClass.PINNED
    rt.launch(add, 8, None, pointer, pointer, pointer)


def test_unregistering_ends_mappings() -> None:
    # ZC-23.
    rt = runtime()
    memory, pointer = mapped(rt, ONE)
    with refused(rt, 507911, "has not been registered"):
        rt.host_unregister(memory + 64)
    with refused(rt, 100000, "ptr is null"):
        rt.host_unregister(None)
    rt.host_unregister(memory)
    with refused(rt, 507911, "has not been registered"):
        rt.host_unregister(memory)
    with refused(rt, 107000, "argument 0 refers to an unregistered mapping"):
        rt.launch(add, 8, None, pointer, pointer, pointer)
    # A new registration of the same memory gives new pointers; the old ones stay invalid.
    rt.host_register(memory)
    with refused(rt, 107000, "argument 0 refers to an unregistered mapping"):
        rt.launch(add, 8, None, pointer, pointer, pointer)


def test_arrays_are_registered_with_their_size() -> None:
    # ZC-24.
    rt = runtime()
    array = page_aligned(16384, "f2")
    rt.host_register(array, MAPPED)
    (registration,) = rt.registry.registrations
    assert registration.size == 32768
    with refused(rt, 107000, "buffer must be C-contiguous"):
        rt.host_register(page_aligned(8192)[::2])
    constant = page_aligned(4096)
    constant.flags.writeable = False
    with refused(rt, 107000, "buffer is read-only; register a copy"):
        rt.host_register(constant)


def test_v1_registers_and_gives_the_pointer() -> None:
    # ZC-25.
    rt = runtime()
    memory = filled(rt, ONE)
    pointer = rt.host_register_v1(memory, 0)
    assert pointer == rt.host_get_device_pointer(memory)
    with refused(rt, 207000, "type=16 is not supported"):
        rt.host_register_v1(page_aligned(16), 16)


def test_registration_needs_a_capable_device() -> None:
    # ZC-42.
    rt = runtime(topology=one_device(host_register_mapped=False), soc=("Ascend310",))
    memory = rt.malloc_host(64)
    text = r"host register is not supported on device npu \(Ascend310\)"
    with refused(rt, 207000, text):
        rt.host_register(memory)
    assert "host" not in rt.machine.in_place["npu"]
    assert "host" in rt.machine.by_copy["npu"]


def test_one_import_for_each_device() -> None:
    # Registered memory is imported once per device.
    rt = Runtime(topology=peer_devices("a", "b"))
    rt.init()
    rt.set_device(0)
    memory, pointer = mapped(rt, ONE)
    rt.set_device(1)
    with refused(rt, 107000, "argument 0 is not mapped on device 1"):
        rt.launch(add, 8, None, pointer, pointer, pointer)
    second = rt.host_get_device_pointer(memory)
    assert second == rt.host_get_device_pointer(memory)
    assert [rt.statistics[name].imports for name in ("a", "b")] == [1, 1]
    rt.launch(add, 8, None, second, second, second)
    rt.synchronize_device()


@pytest.mark.parametrize("coherent", [True, False])
def test_kernels_work_on_registered_arrays(coherent: bool) -> None:
    # ZC-10, ZC-24: what numpy wrote before the launch is read, and results are in the array.
    rt = runtime(coherent=coherent)
    x, z = page_aligned(16384, "f2"), page_aligned(16384, "f2")
    for array in (x, z):
        rt.host_register(array)
    x[:] = 1.5
    a, c = (rt.host_get_device_pointer(array) for array in (x, z))
    rt.launch(add, 8, None, a, a, c)
    assert not z.any()
    rt.synchronize_stream()
    assert (z == 3.0).all()
    x[100:200] = 4
    rt.launch(add, 8, None, a, a, c)
    rt.synchronize_stream()
    assert z[99:201].tolist() == [3.0] + [8.0] * 100 + [3.0]
    assert not rt.check().reports
    for array in (x, z):
        rt.host_unregister(array)
    assert not rt.allocations


def test_changing_a_registered_array_in_flight_is_a_race() -> None:
    rt = runtime()
    x, z = page_aligned(16384, "f2"), page_aligned(16384, "f2")
    for array in (x, z):
        rt.host_register(array)
    a, c = (rt.host_get_device_pointer(array) for array in (x, z))
    rt.launch(add, 8, None, a, a, c)
    x[5] = 1
    rt.synchronize_stream()
    rt.launch(add, 8, None, a, a, c)
    rt.synchronize_stream()
    assert z[5] == 2
    (hazard,) = rt.host_access.hazards
    assert "hazard: host write of array" in hazard.message
    assert {report.rule for report in rt.check().reports} == {"race"}
