"""The implementations of host programs at hal level, as one list."""

from xdsl.interpreter import InterpreterFunctions

from .collectives import ChannelFunctions
from .hal_buffer_ops import HalBufferFunctions
from .hal_command_ops import HalCommandFunctions
from .hal_device_ops import HalAllocatorFunctions, HalDeviceFunctions
from .hal_executable_ops import HalExecutableFunctions
from .hal_fence_ops import HalFenceFunctions
from .hal_queue_ops import HalQueueFunctions
from .hal_scalar_ops import HalScalarFunctions
from .hal_values import HalState
from .hal_view_ops import HalViewFunctions
from .parameter_ops import HalParameterFunctions
from .state import VmState


def hal_functions(vm: VmState) -> list[InterpreterFunctions]:
    """Implementations for a run; the globals that are devices get their values."""
    state = HalState.create(vm)
    return [
        ChannelFunctions(),
        HalAllocatorFunctions(state),
        HalBufferFunctions(state),
        HalCommandFunctions(state),
        HalDeviceFunctions(state),
        HalExecutableFunctions(state),
        HalFenceFunctions(state),
        HalParameterFunctions(state),
        HalQueueFunctions(state),
        HalScalarFunctions(),
        HalViewFunctions(state),
    ]
