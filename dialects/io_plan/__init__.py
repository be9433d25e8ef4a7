"""The I/O plan of a model: which inputs and outputs are bound in place, where, and how."""

from .checks import check_plan
from .data import (
    IoPlan,
    IoStep,
    MemoryBlock,
    ModelInput,
    ModelIo,
    ModelOutput,
    StepKind,
)
from .serialization import PLAN, attach_plan, read_plan

__all__ = [
    "PLAN",
    "IoPlan",
    "IoStep",
    "MemoryBlock",
    "ModelInput",
    "ModelIo",
    "ModelOutput",
    "StepKind",
    "attach_plan",
    "check_plan",
    "read_plan",
]
