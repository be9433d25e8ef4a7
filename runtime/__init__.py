"""Memory, queues, command buffers, kernels, host VM, checker. Imports dialects."""
