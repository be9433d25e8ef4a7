"""The HAL on the simulated machine: buffers, fences, command buffers, devices, the scheduler.

It depends on the machine, memory and event graph of `zcir.runtime` and on numpy, not on the
dialects: the host VM, a test or the host API calls it.
"""
