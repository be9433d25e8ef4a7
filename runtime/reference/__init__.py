"""The tensor-level reference: what a flow-level module means, computed on numpy values.

Tensors are values: no memory, no devices, no order but that of the data. It is the first of the
three judges (the simulator and the checker are the others) and shares nothing with the lowering
and the kernels but numpy, so that it is simple rather than fast: each op does what its
description says, on whole arrays.

    >>> program = Reference(module)
    >>> program.call("f", [np.ones(16, np.float32)])

One file per dialect holds what its ops mean; `structured` evaluates bodies over iteration spaces.
"""

from .run import Reference, run_reference

__all__ = ["Reference", "run_reference"]
