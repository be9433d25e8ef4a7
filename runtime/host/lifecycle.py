"""Initialization and devices: `aclInit`, `aclFinalize`, `aclrtSetDevice` and what belongs to it."""

import threading

from .calls import Needs, api
from .core import RuntimeCore
from .errors import ErrorCode
from .memory import AllocationKind
from .stream import Context, DeviceState


class LifecycleCalls(RuntimeCore):
    """Calls that begin and end the use of the runtime and of devices."""

    @api("aclInit", Needs.NOTHING)
    def init(self, config: str | None = None) -> None:
        """Initialize the runtime, before anything else (`aclInit`, ZC-03).

        Raises HostError REPEAT_INITIALIZE while it is initialized; a configuration is not read
        and must be None or exist as a path that is (`aclInit(nullptr)` is the documented use).
        """
        if self.initialized:
            self.refuse(ErrorCode.REPEAT_INITIALIZE, "repeat initialize: finalize it first")
        if config is not None:
            self.refuse(
                ErrorCode.INVALID_FILE,
                f"configuration {config} cannot be read; give None for the defaults",
                "configPath",
                config,
            )
        self.initialized = True

    @api("aclFinalize", Needs.NOTHING)
    def finalize(self) -> None:
        """End the use of the runtime (`aclFinalize`); devices still set are reset.

        Raises HostError NOT_INITIALIZED, or REPEAT_FINALIZE after a finalize.
        """
        if not self.initialized:
            if self.was_finalized:
                self.refuse(ErrorCode.REPEAT_FINALIZE, "repeat finalize: it is finalized already")
            self.refuse(ErrorCode.NOT_INITIALIZED, "the runtime is not initialized; init it first")
        for context in list(self.contexts.values()):
            self._release_context(context)
        self.initialized, self.was_finalized = False, True

    @api("aclrtSetDevice", Needs.INIT)
    def set_device(self, device: int) -> None:
        """Make a device the calling thread's, with its default context and stream
        (`aclrtSetDevice`, ZC-04).

        Raises HostError INVALID_DEVICE_ID for an id that is not below the number of devices.
        """
        state = self.device_of(device)
        context = self.contexts.get(device)
        if context is None:
            context = Context(next(self.numbers), state)
            self.new_stream(context)
            self.contexts[device] = context
        self.current[threading.get_ident()] = context

    @api("aclrtGetDevice")
    def get_device(self) -> int:
        """The id of the calling thread's device (`aclrtGetDevice`)."""
        return self.context().device.index

    @api("aclrtGetDeviceCount", Needs.INIT)
    def get_device_count(self) -> int:
        """How many devices there are (`aclrtGetDeviceCount`)."""
        return len(self.devices)

    @api("aclrtGetSocName")
    def get_soc_name(self) -> str:
        """The product name of the calling thread's device (`aclrtGetSocName`, ZC-41)."""
        return self.context().device.soc

    @api("aclrtResetDeviceForce", Needs.INIT)
    def reset_device_force(self, device: int) -> None:
        """Wait for a device's work and release all it has: streams, memory, kernels
        (`aclrtResetDeviceForce`, ZC-39). One call undoes any number of `set_device`.

        Raises HostError INVALID_DEVICE_ID for a device that is not set, STREAM_CAPTURING where a
        stream of it captures, and the error of a task that failed.
        """
        self.device_of(device)
        context = self.contexts.get(device)
        if context is None:
            self.refuse(
                ErrorCode.INVALID_DEVICE_ID, f"device {device} is not set", "deviceId", device
            )
        self._release_context(context)

    @api("aclrtSynchronizeDevice")
    def synchronize_device(self) -> None:
        """Block until all tasks of the current device are complete (`aclrtSynchronizeDevice`).

        Raises HostError STREAM_CAPTURING where a stream of it captures, and the error of a task
        that failed.
        """
        context = self.context()
        self.check_not_capturing(context)
        for stream in list(context.streams):
            self.wait_for(stream.position, stream.name)

    def check_not_capturing(self, context: Context) -> None:
        """Refuse where a stream of the context captures."""
        for stream in context.streams:
            if stream.capture is not None:
                self.refuse(ErrorCode.STREAM_CAPTURING, f"{stream.name} is capturing", "stream")

    def device_memory_of(self, device: DeviceState) -> int:
        """How many allocations a device has."""
        return sum(allocation.device == device.index for allocation in self.allocations)

    def _release_context(self, context: Context) -> None:
        self.check_not_capturing(context)
        try:
            for stream in list(context.streams):
                self.wait_for(stream.position, stream.name)
        finally:
            context.alive = False
            for stream in context.streams:
                stream.alive = False
            context.streams.clear()
            del self.contexts[context.device.index]
            context.device.peers.clear()
            self._free_device_memory(context.device)

    def _free_device_memory(self, device: DeviceState) -> None:
        for allocation in list(self.allocations):
            owned = allocation.kind is AllocationKind.DEVICE and allocation.device == device.index
            if owned and not self.host_access.in_flight(allocation, 0, allocation.size):
                self.host_access.release(allocation)
                del self.allocations[allocation]
