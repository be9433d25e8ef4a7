"""The host API: what a host program calls, as it would the real runtime's functions.

Streams and events, device and host memory (pageable, page-locked, mapped), kernels by name, copies,
capture and replay. All of it runs on the queues and command buffers that compiled programs use,
so that counters, event graph and checker see it. `Runtime` is where to begin.
"""

from .block_kernel import BlockKernel, kernel, reads, updates, writes
from .capture import CaptureStatus, Graph
from .capture_rules import CaptureMode
from .copy_batch_calls import Batch, BatchAttribute, ExperimentalWarning
from .copy_kinds import Direction, MemcpyKind
from .errors import NO_FAIL_INDEX, ErrorCode, HostError
from .images import ImageError, build_image
from .memory import DevicePointer, HostPointer, HostView, MappedPointer, MemoryClass
from .memory_calls import MallocPolicy
from .options import HostOptions, one_device, peer_devices
from .registry import RegisterFlag, page_aligned
from .runtime import Runtime

__all__ = [
    "NO_FAIL_INDEX",
    "Batch",
    "BatchAttribute",
    "BlockKernel",
    "CaptureMode",
    "CaptureStatus",
    "DevicePointer",
    "Direction",
    "ErrorCode",
    "ExperimentalWarning",
    "Graph",
    "HostError",
    "HostOptions",
    "HostPointer",
    "HostView",
    "ImageError",
    "MallocPolicy",
    "MappedPointer",
    "MemcpyKind",
    "MemoryClass",
    "RegisterFlag",
    "Runtime",
    "build_image",
    "kernel",
    "one_device",
    "page_aligned",
    "peer_devices",
    "reads",
    "updates",
    "writes",
]
