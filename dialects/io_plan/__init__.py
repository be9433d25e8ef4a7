"""The I/O plan of a model: which inputs and outputs are bound in place, where, and how."""

from .checks import check_plan
from .data import (
    DimOrigin,
    IoPlan,
    IoStep,
    MemoryBlock,
    MemoryUse,
    ModelInput,
    ModelIo,
    ModelOutput,
    ModelTask,
    StepKind,
    TaskArgument,
)
from .serialization import (
    IS_ZERO_COPY_BLOCK,
    MEMORY_SIZE,
    PLAN,
    ZERO_COPY_MEMORY_SIZE,
    attach_plan,
    plan_function,
    read_plan,
    verify_plan,
)
from .table import plan_table

__all__ = [
    "IS_ZERO_COPY_BLOCK",
    "MEMORY_SIZE",
    "PLAN",
    "ZERO_COPY_MEMORY_SIZE",
    "DimOrigin",
    "IoPlan",
    "IoStep",
    "MemoryBlock",
    "MemoryUse",
    "ModelInput",
    "ModelIo",
    "ModelOutput",
    "ModelTask",
    "StepKind",
    "TaskArgument",
    "attach_plan",
    "check_plan",
    "plan_function",
    "plan_table",
    "read_plan",
    "verify_plan",
]
