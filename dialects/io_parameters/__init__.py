"""The io_parameters dialect: bytes between archives of parameters and buffers, on a device's queue.

What the cmd phase of stream says of parameters (`stream.cmd.parameter.*`) becomes these next to
the hal ops. A scope names an archive, a key a parameter in it; both are bytes of the host program.

```mlir
io_parameters.gather<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) {
  %scope::%key[%offset] -> %buffer[%start for %length] : !hal.buffer
}
```
"""

from xdsl.ir import Dialect

from .transfers import ParametersGatherOp, ParametersLoadOp, ParametersScatterOp

__all__ = ["IOParameters", "ParametersGatherOp", "ParametersLoadOp", "ParametersScatterOp"]

IOParameters = Dialect("io_parameters", [ParametersLoadOp, ParametersGatherOp, ParametersScatterOp])
"""The dialect."""
