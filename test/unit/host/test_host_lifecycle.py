"""Initialization, devices, streams, events (rows ZC-03 to ZC-06, ZC-39)."""

import threading

import pytest
from host_world import ONE, TWO, add, mapped, refused, runtime, total
from zcir.runtime.host import ErrorCode, HostError, Runtime, kernel, peer_devices, updates


def test_init_comes_first_and_once() -> None:
    # ZC-03.
    rt = Runtime()
    with refused(rt, 100001, "not initialized"):
        rt.malloc_host(16)
    with refused(rt, 100001, "not initialized"):
        rt.finalize()
    rt.init(None)
    with refused(rt, 100002, "repeat initialize"):
        rt.init()
    rt.finalize()
    with refused(rt, 100037, "repeat finalize"):
        rt.finalize()
    with refused(rt, 100001, "not initialized"):
        rt.set_device(0)
    with refused(rt, 100003, "configuration acl.json cannot be read"):
        rt.init("acl.json")
    rt.init()
    rt.set_device(0)
    rt.malloc_host(16)


def test_devices_are_set_by_id() -> None:
    # ZC-04.
    rt = Runtime(topology=peer_devices("a", "b"))
    rt.init()
    with refused(rt, 107002, "the context is null"):
        rt.create_stream()
    rt.set_device(0)
    assert rt.get_device() == 0
    rt.set_device(1)
    assert rt.get_device() == 1
    assert rt.get_device_count() == 2
    for wrong in (2, 7, -1):
        with refused(rt, 107001, f"invalid device id {wrong}; expected 0 to 1"):
            rt.set_device(wrong)
    assert rt.get_device() == 1


def test_each_thread_has_a_device_of_its_own() -> None:
    # ZC-04.
    rt = runtime()
    codes: list[int] = []

    def other() -> None:
        try:
            rt.create_stream()
        except HostError as error:
            codes.append(error.code)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert codes == [ErrorCode.NO_CONTEXT]


def test_destroying_a_stream_waits_for_its_tasks() -> None:
    # ZC-05.
    rt = runtime()
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    stream = rt.create_stream()
    for _ in range(3):
        rt.launch(add, 8, stream, a, b, c)
    assert total(rt).dispatches == 0
    rt.destroy_stream(stream)
    assert total(rt).dispatches == 3
    for call in (rt.synchronize_stream, rt.destroy_stream, rt.query_stream):
        with refused(rt, 107017, "invalid handle: stream.* is destroyed"):
            call(stream)
    with refused(rt, 107017, "the default stream ends with its device"):
        rt.destroy_stream(rt.context().default_stream)
    with refused(rt, 100000, "stream is null"):
        rt.destroy_stream(None)  # pyright: ignore[reportArgumentType]


def test_a_stream_belongs_to_its_context() -> None:
    # CP-06's rule for all calls.
    rt = Runtime(topology=peer_devices("a", "b"))
    rt.init()
    rt.set_device(0)
    stream = rt.create_stream()
    rt.set_device(1)
    with refused(rt, 107003, "belongs to context .* on device 0, the current context is"):
        rt.synchronize_stream(stream)


def test_a_failed_task_is_reported_by_synchronization() -> None:
    # ZC-06.
    rt = runtime()
    (_, a) = mapped(rt, ONE, 64)

    @kernel(updates("x", "u1"))
    def broken(block: int, x: object) -> None:
        raise ZeroDivisionError("by hand")

    rt.launch(broken, 1, None, a)
    with pytest.raises(HostError, match=r"kernel broken failed in block 0: ZeroDivisionError: by"):
        rt.synchronize_stream()
    # Its buffer is no longer in flight.
    rt.host_access.write(a.allocation, 0, a.allocation.access.read(a.allocation, 0, 2))
    assert not rt.host_access.hazards


def test_events_order_streams() -> None:
    # CP-11's rule: a wait keeps to the point that was recorded when it was issued.
    rt = runtime()
    first, second, event = rt.create_stream(), rt.create_stream(), rt.create_event()
    assert rt.query_event(event)
    rt.stream_wait_event(second, event)
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, first, a, b, c)
    rt.record_event(event, first)
    rt.stream_wait_event(second, event)
    rt.launch(add, 8, first, a, b, c)
    rt.record_event(event, first)
    rt.synchronize_stream(second)
    assert total(rt).dispatches == 1
    assert not rt.query_stream(first) or total(rt).dispatches == 2
    rt.synchronize_event(event)
    assert total(rt).dispatches == 2
    rt.destroy_event(event)
    with refused(rt, 107017, "invalid handle: event.* is destroyed"):
        rt.record_event(event, first)
    with refused(rt, 100000, "event is null"):
        rt.event_of(None)


def test_polling_ends() -> None:
    rt = runtime()
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    for _ in range(5):
        rt.launch(add, 8, None, a, b, c)
    polls = 1
    while not rt.query_stream():
        polls += 1
    assert polls == 5


def test_reset_ends_all_that_a_device_has() -> None:
    # ZC-39: one call undoes any number of set_device.
    rt = runtime()
    rt.set_device(0)
    stream, memory, event = rt.create_stream(), rt.malloc(64), rt.create_event()
    host, pointer = mapped(rt, ONE)
    rt.launch(add, 8, stream, pointer, pointer, pointer)
    rt.reset_device_force(0)
    assert total(rt).dispatches == 1
    assert not memory.allocation.alive
    assert host.allocation.alive
    with refused(rt, 107002, "the context is null"):
        rt.synchronize_stream(stream)
    rt.set_device(0)
    with refused(rt, 107017, "is destroyed"):
        rt.synchronize_stream(stream)
    with refused(rt, 107017, "is destroyed"):
        rt.record_event(event)
    rt.reset_device_force(0)
    with refused(rt, 107001, "device 0 is not set"):
        rt.reset_device_force(0)
    with refused(rt, 107001, "invalid device id 3"):
        rt.reset_device_force(3)


def test_soc_name_is_that_of_the_options() -> None:
    # ZC-41.
    assert runtime(soc=("Ascend950PR",)).get_soc_name() == "Ascend950PR"
