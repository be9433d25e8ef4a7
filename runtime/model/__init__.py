"""Models whose inputs and outputs are the caller's memory: `load`, then `plan`, `bind`, `run`."""

from .loader import Model, load
from .options import LoweringOptions

__all__ = ["LoweringOptions", "Model", "load"]
