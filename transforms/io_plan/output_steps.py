"""What the host does for an output, and the rewriting of these steps (GE-57 to GE-71).

    at first    AllocMemory(allocator, size); EnsureTensorAtOutMemory; FreeMemory
    default     AllocModelOutTensor(allocator, size, output); EnsureTensorAtOutMemory; FreeMemory
    strict      SplitTensorForOutputData(output, allocator, size); EnsureTensorAtOutMemory

In default mode FreeMemory only drops a reference that owns nothing. An output that nothing
allocates, such as a view of an input, is left to EnsureTensorAtOutMemory (GE-61, GE-71). Branches
allocate each for itself: the caller's memory is handed to them as one more operand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.io_plan import IoStep, StepKind

OUTPUT = "output"
"""The caller's tensor."""
ALLOCATOR = "allocator"
SIZE = "size"
DATA = "data"
"""What the producer made."""


@dataclass(frozen=True, slots=True)
class Producer:
    """What makes an output: an op with storage of its own, a view of something, or branches."""

    allocates: bool
    branches: tuple[tuple[str, "Producer"], ...] = ()
    """For a branch op: its regions by name, each with what makes the output there."""


def initial_steps(producer: Producer) -> tuple[IoStep, ...]:
    """The steps before any rewriting: allocate, compute, ensure, free."""
    allocations = tuple(_allocations(producer, ""))
    ensure = IoStep(StepKind.ENSURE_TENSOR_AT_OUT_MEMORY, (DATA, OUTPUT))
    free = (IoStep(StepKind.FREE_MEMORY, (DATA,)),) if allocations else ()
    return (*allocations, ensure, *free)


def _allocations(producer: Producer, region: str) -> list[IoStep]:
    if producer.branches:
        return [
            step
            for name, inner in producer.branches
            for step in _allocations(inner, f"{region}.{name}" if region else name)
        ]
    if not producer.allocates:
        return []
    return [IoStep(StepKind.ALLOC_MEMORY, (ALLOCATOR, SIZE), region)]


def branch_operands(steps: Sequence[IoStep]) -> int:
    """How many branch ops take the caller's memory as one more operand (GE-61)."""
    parents: set[str] = set()
    for step in steps:
        if step.kind is StepKind.ALLOC_MODEL_OUT_TENSOR and step.region:
            parts = step.region.split(".")
            # A region is named `if0.then`: the op, then its region.
            parents.update(".".join(parts[: end + 1]) for end in range(0, len(parts), 2))
    return len(parents)


def rewrite_for_model_outputs(steps: Sequence[IoStep]) -> tuple[IoStep, ...]:
    """ModelOutTensorZeroCopy: allocations become references to the caller's memory (GE-60)."""
    return tuple(
        IoStep(StepKind.ALLOC_MODEL_OUT_TENSOR, (*step.operands, OUTPUT), step.region)
        if step.kind is StepKind.ALLOC_MEMORY
        else step
        for step in steps
    )


def rewrite_for_strict_mode(steps: Sequence[IoStep]) -> tuple[IoStep, ...]:
    """Under `always_zero_copy` what is allocated beside EnsureTensorAtOutMemory is the caller's
    memory itself, and nothing is freed (GE-63). What branches allocate stays as it is.
    """
    split = [
        step for step in steps if step.kind is StepKind.ALLOC_MODEL_OUT_TENSOR and not step.region
    ]
    if not split:
        return tuple(steps)
    return tuple(
        IoStep(StepKind.SPLIT_TENSOR_FOR_OUTPUT_DATA, (OUTPUT, ALLOCATOR, SIZE))
        if step in split
        else step
        for step in steps
        if step.kind is not StepKind.FREE_MEMORY
    )


def output_steps(producer: Producer, *, always_zero_copy: bool) -> tuple[IoStep, ...]:
    """The steps after all rewriting."""
    steps = rewrite_for_model_outputs(initial_steps(producer))
    return rewrite_for_strict_mode(steps) if always_zero_copy else steps
