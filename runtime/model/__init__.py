"""Models whose inputs and outputs are the caller's memory: `load`, then `plan`, `bind`, `run`.

```python
model = load("model.mlir", options=LoweringOptions(always_zero_copy=True))
x, y = model.runtime.malloc_host(4096), model.runtime.malloc(4096)
x.view(np.float32)[:] = 1
model.runtime.host_register(x)
model.run([x], [y])
```
"""

from .levels import OptionLevels, effective_reuse, set_config
from .loader import load
from .model import Model
from .options import LoweringOptions
from .planning import PlannedModel, PlanOptions, plan_model
from .single_op import run_single_op
from .tensor import Tensor

__all__ = [
    "LoweringOptions",
    "Model",
    "OptionLevels",
    "PlanOptions",
    "PlannedModel",
    "Tensor",
    "effective_reuse",
    "load",
    "plan_model",
    "run_single_op",
    "set_config",
]
