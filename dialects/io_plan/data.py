"""The I/O plan of a model as plain data.

A model's memory is one range of logical addresses:

    0                                F                                  F + Z
    | feature map: temporaries,      | zero-copy blocks: outputs, then  |
    | I/O that is copied             | inputs by size                   |

An I/O with a block of its own at or after F is bound to the caller's memory; the loader need not
allocate [F, F + Z) (GE-14, GE-20, GE-26). Other I/O has its place in the feature map and is copied
on each run. Addresses are logical: offsets in bytes from the base of the model's memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class StepKind(StrEnum):
    """What the host does for an output, by GE's names (GE-60 to GE-71)."""

    ALLOC_MEMORY = "AllocMemory"
    """(allocator, size): memory for the producer's result."""
    ALLOC_MODEL_OUT_TENSOR = "AllocModelOutTensor"
    """(allocator, size, output): the caller's memory, or an allocation where there is none."""
    SPLIT_TENSOR_FOR_OUTPUT_DATA = "SplitTensorForOutputData"
    """(output, allocator, size): the caller's memory and nothing else."""
    ENSURE_TENSOR_AT_OUT_MEMORY = "EnsureTensorAtOutMemory"
    """(data, output): hands over, or copies, what is not in the caller's memory yet."""
    FREE_MEMORY = "FreeMemory"
    """(data): drops the reference to what was allocated."""


@dataclass(frozen=True, slots=True)
class IoStep:
    """One step of the host for one output."""

    kind: StepKind
    operands: tuple[str, ...]
    region: str = ""
    """Where it is executed: "" for the function's body, else the branch, as `if0.then`."""

    def __str__(self) -> str:
        where = f"{self.region}: " if self.region else ""
        return f"{where}{self.kind}({', '.join(self.operands)})"


@dataclass(frozen=True, slots=True)
class DimOrigin:
    """Where a dimension of an output comes from; nowhere if the program computes it."""

    size: int | None = None
    """Elements, where it is static."""
    input: int | None = None
    """The ordinal of an input that it is a dimension of."""
    axis: int = 0
    """Which dimension of that input."""


@dataclass(frozen=True, slots=True)
class ModelIo:
    """What inputs and outputs of a model have in common."""

    ordinal: int
    """From 0, in the order of the function's arguments or results."""
    name: str
    size: int | None
    """Bytes; None where the shape is only known at run time."""
    device: str | None
    """The device whose memory holds it; None for the default."""
    zero_copy: bool
    """Whether the caller's memory is bound in its place."""
    reason: str
    """Why, or why not."""
    offset: int | None = None
    """Logical address in bytes; None before memory is assigned, and for a size of None."""
    argument: int = 0
    """The argument of the lowered function that takes its memory."""
    basic_offsets: tuple[int, ...] = ()
    """For each consumer of a part: the logical address of the whole (GE-28, GE-29)."""
    relative_offsets: tuple[int, ...] = ()
    """For each consumer of a part: where the part starts in the whole, in bytes."""
    reference: bool = False
    """Whether one argument is both an input and the storage of an output (RefData)."""
    shape: tuple[int, ...] = ()
    """Dimensions in elements; -1 for one that is only known at run time."""
    element: str = ""
    """The element type, as in `4xf32`; "" where there is no such name."""


@dataclass(frozen=True, slots=True)
class ModelInput(ModelIo):
    """An input of the model."""


@dataclass(frozen=True, slots=True)
class ModelOutput(ModelIo):
    """An output of the model."""

    steps: tuple[IoStep, ...] = ()
    """What the host does for it, in order."""
    view_of: int | None = None
    """The input that it is a mere view of, or None."""
    copy_of: int | None = None
    """The input whose bytes it has, as a view or as an isolating copy (GE-35), or None."""
    branch_operands: int = 0
    """Operands that branch ops take more since they hand the caller's memory on (GE-61)."""
    variable: bool = False
    """Whether it is a variable of the model as it is (GE-50)."""
    dims: tuple[DimOrigin, ...] = ()
    """For a shape that is not static: where each dimension comes from (GE-08)."""
    inner_siblings: bool = False
    """Whether what makes it also makes a tensor that stays in the model: its shape is inferred
    then, whoever is to be trusted (GE-08)."""
    may_bind_first: bool = False
    """Of several outputs that are one tensor: whether that tensor could be bound, were it one
    output. A loader that falls back may bind the first of them and copy the others (GE-69)."""


class MemoryUse(StrEnum):
    """What the memory of a task's argument is used for (GE-51)."""

    FIX = "weight"
    FEATURE_MAP = "feature map"
    MODEL_IO = "model io"


@dataclass(frozen=True, slots=True)
class TaskArgument:
    """An address among the arguments of a task."""

    use: MemoryUse
    writes: bool = False
    peers: tuple[int, ...] = ()
    """The tasks that make what is read, or read what is written, by number."""


@dataclass(frozen=True, slots=True)
class ModelTask:
    """An op that executes on the device, with its addresses."""

    kind: str
    """The name of the op."""
    name: str
    """What it runs, as messages name it."""
    refreshable: bool
    """Whether it takes new addresses at each run."""
    copies: bool
    """Whether all it does is copy its operand (GE-55)."""
    arguments: tuple[TaskArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A range of logical addresses of one zero-copy input or output."""

    name: str
    offset: int
    """Logical address of its first byte."""
    size: int
    """Bytes of the tensor."""
    aligned_size: int
    """Bytes that it takes."""
    is_input: bool
    ordinal: int
    is_zero_copy: bool = True

    @property
    def end(self) -> int:
        """One past its last byte, alignment included."""
        return self.offset + self.aligned_size

    @property
    def tail(self) -> int:
        """The last byte of the tensor (GE-21); before `offset` for one of no bytes."""
        return self.offset + self.size - 1


@dataclass(frozen=True)
class IoPlan:
    """How the memory of a model's inputs and outputs is handled."""

    function: str
    inputs: tuple[ModelInput, ...]
    outputs: tuple[ModelOutput, ...]
    feature_map_size: int | None = None
    """Bytes of the feature map, aligned; None before memory is assigned."""
    transient_size: int = 0
    """Bytes of the temporaries, which come first in the feature map."""
    blocks: tuple[MemoryBlock, ...] = ()
    """The zero-copy blocks by offset."""
    weight_size: int = 0
    """Bytes of the constants, each aligned as the feature map is; they are not part of the model's
    memory (GE-03)."""
    zero_copy_align: int = 32
    """Bytes; a power of two."""
    feature_map_align: int = 512
    """Bytes; a power of two."""
    always_zero_copy: bool = False
    """Whether the steps of the outputs are those of strict mode (GE-09)."""
    offset_ids: dict[int, int] = field(default_factory=dict[int, int])
    """Logical address to the id of the argument that holds it (GE-32)."""
    tasks: tuple[ModelTask, ...] = ()
    """In the order of the program (GE-54, GE-55)."""

    @property
    def assigned(self) -> bool:
        """Whether memory is assigned."""
        return self.feature_map_size is not None

    @cached_property
    def zero_copy_size(self) -> int:
        """Bytes of all zero-copy blocks, alignment included (GE-25)."""
        return sum(block.aligned_size for block in self.blocks)

    @property
    def memory_size(self) -> int:
        """Bytes of the model's memory, zero-copy blocks included; `assigned` must hold."""
        assert self.feature_map_size is not None
        return self.feature_map_size + self.zero_copy_size

    @property
    def ios(self) -> tuple[ModelIo, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)
