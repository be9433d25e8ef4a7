"""`Runtime`: all topics of the host API in one class."""

from __future__ import annotations

from types import TracebackType

from .capture_calls import CaptureCalls
from .copy_2d_calls import Copy2dCalls
from .copy_batch_calls import CopyBatchCalls
from .copy_calls import CopyCalls
from .descriptor_calls import DescriptorCalls
from .launch import LaunchCalls
from .lifecycle import LifecycleCalls
from .memset_calls import MemsetCalls
from .peer_calls import PeerCalls
from .sharing import SharingCalls
from .stream_calls import StreamCalls


class Runtime(
    LifecycleCalls,
    StreamCalls,
    SharingCalls,
    CopyCalls,
    Copy2dCalls,
    CopyBatchCalls,
    DescriptorCalls,
    MemsetCalls,
    PeerCalls,
    CaptureCalls,
    LaunchCalls,
):
    """A simulated machine as a host program uses it.

    Each method is a call that CANN documents, whose name its docstring gives. As a context manager
    it is initialized with device 0 set, and at the end all that is left is released:

        with Runtime(topology=one_device(host_coherent=True)) as rt:
            x = rt.malloc_host(1024)
            x.view(np.float32)[:] = 1
            rt.host_register(x)
            rt.launch(double, 8, None, rt.host_get_device_pointer(x))
            rt.synchronize_stream()
            print(x.view(np.float32)[:4])

    What it did is in `statistics`, `calls`, `host_access.hazards` and `check()`.
    """

    def __enter__(self) -> Runtime:
        self.init()
        self.set_device(0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self.initialized:
            return
        try:
            self.finalize()
        finally:
            for registration in self.registry.registrations:
                self.release_registration(registration)
            for allocation in list(self.allocations):
                self.release_memory(allocation)
