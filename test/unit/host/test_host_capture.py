"""Capture and replay."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host_world import (
    device_bytes,
    labels,
    on_device,
    pinned,
    refused,
    runtime,
    total,
    two_devices,
)
from zcir.runtime.host import (
    CaptureMode,
    CaptureStatus,
    HostError,
    MemcpyKind,
    RegisterFlag,
    Runtime,
    kernel,
    page_aligned,
    updates,
)

H2D = MemcpyKind.HOST_TO_DEVICE


@kernel(updates("z", "u1"))
def increment(block: int, z: np.ndarray) -> None:
    z[:] = z + 1


def elsewhere(rt: Runtime, call: Callable[[], object]) -> HostError | None:
    """Make a call on another thread, where device 0 is set; its error."""
    errors: list[HostError] = []

    def body() -> None:
        rt.set_device(0)
        try:
            call()
        except HostError as error:
            errors.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return errors[0] if errors else None


def test_copies_are_stored_and_pageable_ones_refused() -> None:
    # CP-19, CP-21: the capture goes on after a refused copy.
    rt = runtime()
    stream, host, device = rt.create_stream(), pinned(rt, 4, 16), on_device(rt, 0, 16)
    copies = total(rt).copy_cmds
    rt.capture_begin(stream)
    text = "asynchronous memory copy task: src is pageable memory, which does not support graph"
    with refused(rt, 107000, text):
        rt.memcpy_async(device, 16, np.ones(16, np.uint8), 16, H2D, stream)
    with refused(rt, 107000, text):
        rt.memcpy_async(
            device, 16, np.ones(16, np.uint8), 16, MemcpyKind.HOST_TO_BUF_TO_DEVICE, stream
        )
    rt.memcpy_async(device, 16, host, 16, H2D, stream)
    graph = rt.capture_end(stream)
    assert graph.tasks == 1
    assert total(rt).copy_cmds == copies
    assert device_bytes(rt, device) == [0] * 16
    rt.execute_async(graph, stream)
    rt.synchronize_stream(stream)
    assert device_bytes(rt, device) == [4] * 16


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("flag", [RegisterFlag.PINNED, RegisterFlag.MAPPED])
def test_registered_memory_is_captured_if_page_locked(strict: bool, flag: RegisterFlag) -> None:
    # CP-20.
    rt = runtime(strict_capture=strict)
    stream, array, device = rt.create_stream(), page_aligned(4096), on_device(rt, 0, 16)
    array[:] = 7
    rt.host_register(array, flag)
    rt.capture_begin(stream)
    if flag is RegisterFlag.MAPPED or strict:
        text = "registered, not allocated by a" if flag is RegisterFlag.PINNED else "pageable"
        with refused(rt, 107000, text):
            rt.memcpy_async(device, 16, array, 16, H2D, stream)
        assert rt.capture_end(stream).tasks == 0
        return
    rt.memcpy_async(device, 16, array, 16, H2D, stream)
    graph = rt.capture_end(stream)
    for value in (7, 9):
        array[:] = value
        rt.execute_async(graph, stream)
        rt.synchronize_stream(stream)
        assert device_bytes(rt, device) == [value] * 16
    with refused(rt, 107000, "registration is referenced by captured graph"):
        rt.host_unregister(array)


def test_errors_that_invalidate_a_capture() -> None:
    # CP-21, CP-25: a wait whose order a replay would lose.
    rt = runtime()
    stream, device, event = rt.create_stream(), on_device(rt, 0, 16), rt.create_event()
    rt.capture_begin(stream)
    rt.memset_async(device, 16, 1, 16, stream)
    assert rt.capture_get_info(stream)[0] is CaptureStatus.ACTIVE
    with pytest.raises(HostError, match="was not recorded in the capture") as caught:
        rt.stream_wait_event(stream, event)
    assert caught.value.code == 107024
    assert rt.capture_get_info(stream)[0] is CaptureStatus.INVALIDATED
    with refused(rt, 507903, "the capture is invalidated"):
        rt.memset_async(device, 16, 1, 16, stream)
    with pytest.raises(HostError, match="the capture is invalidated") as caught:
        rt.capture_end(stream)
    assert caught.value.code == 507903
    assert rt.capture_get_info(stream) == (CaptureStatus.NONE, None)
    rt.memset_async(device, 16, 2, 16, stream)
    rt.synchronize_stream(stream)
    rt.free(device)


@pytest.mark.parametrize("mode", CaptureMode)
@pytest.mark.parametrize("other_thread", [False, True])
def test_what_modes_forbid(mode: CaptureMode, other_thread: bool) -> None:
    # CP-22.
    rt = runtime()
    stream, other = rt.create_stream(), rt.create_stream()
    host, array, device = pinned(rt, 1, 16), np.ones(16, np.uint8), on_device(rt, 0, 16)
    calls: list[tuple[int, str, Callable[[], object]]] = [
        (107030, "not allowed while", lambda: rt.memcpy(device, 16, host, 16)),
        (107030, "not allowed while", lambda: rt.memset(device, 16, 1, 16)),
        (107030, "not allowed while", lambda: rt.memcpy_2d(device, 4, host, 4, 4, 4)),
        (
            107041,
            "has been converted to a synchronous operation, and the capture mode is not relaxed",
            lambda: rt.memcpy_async(device, 16, array, 16, H2D, other),
        ),
        (
            107041,
            "has been converted",
            lambda: rt.memcpy_2d_async(device, 4, array, 4, 4, 4, H2D, other),
        ),
    ]
    rt.capture_begin(stream, mode)
    forbidden = mode is CaptureMode.GLOBAL or (
        mode is CaptureMode.THREAD_LOCAL and not other_thread
    )
    copies = total(rt).copy_cmds
    for code, text, call in calls:
        if other_thread:
            error = elsewhere(rt, call)
            assert (error is None) is not forbidden
            assert error is None or (error.code == code and text in error.message)
        elif forbidden:
            with refused(rt, code, text):
                call()
        else:
            call()
    assert (total(rt).copy_cmds > copies) is not forbidden
    assert rt.capture_end(stream).tasks == 0


def test_threads_exchange_modes() -> None:
    # CP-22.
    rt = runtime()
    stream, host, device = rt.create_stream(), pinned(rt, 1, 16), on_device(rt, 0, 16)
    rt.capture_begin(stream)
    with refused(rt, 107030, "not allowed while"):
        rt.memcpy(device, 16, host, 16)
    assert rt.capture_thread_exchange_mode(CaptureMode.RELAXED) is CaptureMode.GLOBAL
    rt.memcpy(device, 16, host, 16)
    assert rt.capture_thread_exchange_mode(CaptureMode.GLOBAL) is CaptureMode.RELAXED
    with refused(rt, 107030, "not allowed while"):
        rt.memcpy(device, 16, host, 16)
    with refused(rt, 100000, "invalid capture mode 3"):
        rt.capture_thread_exchange_mode(3)  # pyright: ignore[reportArgumentType]
    with refused(rt, 100000, "invalid capture mode 3"):
        rt.capture_begin(rt.context().streams[1], 3)  # pyright: ignore[reportArgumentType]
    assert rt.capture_end(stream).tasks == 0


ILLEGAL: dict[int, tuple[str, Callable[[Any], object]]] = {
    107026: ("captured graph .* is capturing", lambda w: w.rt.execute_async(w.graph, w.other)),
    107027: ("is capturing", lambda w: w.rt.synchronize_stream(w.stream)),
    107028: ("event.* is capturing", lambda w: w.rt.synchronize_event(w.event)),
    107029: ("no capture began on", lambda w: w.rt.capture_end(w.other)),
    107030: ("not allowed while", lambda w: w.rt.memset(w.device, 16, 1, 16)),
    107031: ("default stream", lambda w: w.rt.memset_async(w.device, 16, 1, 16, None)),
    107038: ("on which it began", lambda w: w.end_elsewhere()),
    107041: (
        "converted to a synchronous",
        lambda w: w.rt.memcpy_async(w.device, 16, np.ones(16, np.uint8), 16, H2D, w.other),
    ),
}
"""By code a call that a capture forbids."""

MORE: list[tuple[int, Callable[[Any], object]]] = [
    (107026, lambda w: w.rt.destroy_graph(w.graph)),
    (107027, lambda w: w.rt.query_stream(w.stream)),
    (107027, lambda w: w.rt.synchronize_device()),
    (107027, lambda w: w.rt.reset_device_force(0)),
    (107027, lambda w: w.rt.destroy_stream(w.stream)),
    (107027, lambda w: w.rt.capture_begin(w.stream)),
    (107028, lambda w: w.rt.query_event(w.event)),
    (107028, lambda w: w.rt.destroy_event(w.event)),
    (107031, lambda w: w.rt.capture_begin(None)),
    (107031, lambda w: w.rt.launch(increment, 1, None, w.device)),
    (107000, lambda w: w.rt.free(w.device)),
]


class World:
    """A capture of one valid task."""

    def __init__(self) -> None:
        self.rt = runtime()
        self.stream, self.other = self.rt.create_stream(), self.rt.create_stream()
        self.device, self.event = on_device(self.rt, 0, 16), self.rt.create_event()
        self.rt.capture_begin(self.stream)
        self.rt.memset_async(self.device, 16, 5, 16, self.stream)
        self.rt.record_event(self.event, self.stream)
        self.graph = self.rt.capture_get_info(self.stream)[1]

    def end_elsewhere(self) -> None:
        """End it on another thread."""
        error = elsewhere(self.rt, lambda: self.rt.capture_end(self.stream))
        if error is not None:
            # The thread has a context now, which is no effect of the call.
            for thread in set(self.rt.current) - {threading.get_ident()}:
                del self.rt.current[thread]
            raise error


@pytest.mark.parametrize(
    ("code", "text", "call"),
    [
        *((code, text, call) for code, (text, call) in ILLEGAL.items()),
        *((code, "captur", call) for code, call in MORE),
    ],
)
def test_illegal_calls_leave_the_capture_alone(
    code: int, text: str, call: Callable[[World], object]
) -> None:
    # CP-23, CP-11: one call for each code, and others.
    world = World()
    with refused(world.rt, code, text):
        call(world)
    graph = world.rt.capture_end(world.stream)
    assert graph.tasks == 1
    world.rt.execute_async(graph, world.stream)
    world.rt.synchronize_stream(world.stream)
    assert device_bytes(world.rt, world.device) == [5] * 16
    # The event of the capture counts as never recorded after it.
    assert world.rt.query_event(world.event)


@pytest.mark.parametrize("coherent", [True, False])
@pytest.mark.parametrize("schedule", ["deferred", "random:3", "adversarial:4"])
def test_replays_read_memory_as_it_is(coherent: bool, schedule: str) -> None:
    # CP-24, case B58.
    rt = runtime(coherent=coherent, schedule=schedule)
    stream, host, device, back = (
        rt.create_stream(),
        pinned(rt, 0, 16),
        rt.malloc(16),
        pinned(rt, 0, 16),
    )
    rt.capture_begin(stream)
    rt.memcpy_async(device, 16, host, 16, H2D, stream)
    rt.launch(increment, 1, stream, device)
    rt.memcpy_async(back, 16, device, 16, MemcpyKind.DEVICE_TO_HOST, stream)
    recordings = total(rt).recordings
    graph = rt.capture_end(stream)
    for value in range(8):
        host.view()[:] = value
        rt.execute_async(graph, stream)
        rt.synchronize_stream(stream)
        assert back.read().tolist() == [value + 1] * 16
    assert total(rt).recordings == recordings + 1
    assert labels(rt)[-3:] == ["copy host to device", "kernel increment", "copy device to host"]
    assert not rt.check().reports
    rt.execute_async(graph, stream)
    with refused(rt, 107037, "is running on stream"):
        rt.destroy_graph(graph)
    rt.synchronize_stream(stream)
    for free, memory in ((rt.free_host, host), (rt.free, device)):
        with refused(rt, 107000, "buffer is referenced by captured graph"):
            free(memory)  # pyright: ignore[reportArgumentType]
    rt.destroy_graph(graph)
    with refused(rt, 107017, "is destroyed"):
        rt.execute_async(graph, stream)
    with refused(rt, 100000, "modelRI is null"):
        rt.execute_async(None, stream)
    rt.free_host(host)
    rt.free(device)


def test_graphs_stay_on_their_device_and_out_of_captures() -> None:
    # CP-24.
    rt = two_devices()
    stream = rt.create_stream()
    rt.capture_begin(stream)
    graph = rt.capture_end(stream)
    rt.capture_begin(stream)
    with refused(rt, 207000, "a graph cannot be captured in another"):
        rt.execute_async(graph, stream)
    rt.capture_end(stream)
    rt.set_device(1)
    with refused(rt, 107000, "is for device 0, the stream is on device 1"):
        rt.execute_async(graph)


@pytest.mark.parametrize("seed", range(20))
def test_streams_fork_and_join(seed: int) -> None:
    # CP-25.
    rt = runtime(schedule=f"random:{seed}")
    origin, sub = rt.create_stream(), rt.create_stream()
    fork, join = rt.create_event(), rt.create_event()
    a, b = on_device(rt, 0, 16), on_device(rt, 0, 16)
    rt.capture_begin(origin)
    rt.memset_async(a, 16, 1, 16, origin)
    rt.record_event(fork, origin)
    rt.stream_wait_event(sub, fork)
    rt.memcpy_async(b, 16, a, 16, MemcpyKind.DEVICE_TO_DEVICE, sub)
    rt.launch(increment, 1, sub, b)
    with refused(rt, 107025, "has not joined"):
        rt.capture_end(origin)
    with refused(rt, 107029, "no capture began on"):
        rt.capture_end(sub)
    rt.record_event(join, sub)
    rt.stream_wait_event(origin, join)
    rt.launch(increment, 1, origin, a)
    graph = rt.capture_end(origin)
    assert graph.tasks == 4
    for _ in range(2):
        rt.execute_async(graph, origin)
    # The stream that had joined is an ordinary one again.
    rt.synchronize_stream(sub)
    rt.synchronize_stream(origin)
    assert device_bytes(rt, a) == device_bytes(rt, b) == [2] * 16
    assert not rt.check().reports


def test_who_may_join() -> None:
    # CP-25.
    rt = two_devices()
    origin, sub, event = rt.create_stream(), rt.create_stream(), rt.create_event()
    rt.capture_begin(origin)
    rt.capture_begin(sub)
    rt.record_event(event, origin)
    with refused(rt, 107027, "captures something else"):
        rt.stream_wait_event(sub, event)
    rt.capture_end(sub)
    rt.set_device(1)
    far = rt.create_stream()
    with refused(rt, 207000, "of another device cannot join"):
        rt.stream_wait_event(far, event)


def test_streams_that_do_not_capture() -> None:
    # CP-23.
    rt = runtime()
    stream = rt.create_stream()
    assert rt.capture_get_info(stream) == (CaptureStatus.NONE, None)
    with refused(rt, 107029, "no capture began on"):
        rt.capture_end(stream)
