"""Memory, queues, command buffers, kernels, host VM, checker; and the door to all of it, `load`.

```python
import numpy as np
import zcir.runtime

program = zcir.runtime.load("chain.flow.mlir", topology="noncoherent.mlir")
y = program.f(np.ones(16, np.float32))
program.statistics.total.copy_cmds     # counters of all calls, by agent and in total
program.check().reports                # what the checker finds wrong with what was called
program.write_trace("t.json")          # the calls in simulated time, for Perfetto
```
"""

from .checker import CheckResult
from .counters import Counters, Statistics
from .element_types import InputError, Value
from .errors import HalError
from .functions import Function
from .hal.semaphore import Fence
from .load import CallSpec, Program, RunResult, load
from .session import Call, Session

__all__ = [
    "Call",
    "CallSpec",
    "CheckResult",
    "Counters",
    "Fence",
    "Function",
    "HalError",
    "InputError",
    "Program",
    "RunResult",
    "Session",
    "Statistics",
    "Value",
    "load",
]
