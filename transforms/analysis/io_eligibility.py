"""Which inputs and outputs of a model can be bound in the caller's memory, and why (GE-14 to
GE-18).

An input is bound in place if every op that uses it can take a new address at each run. An output
is, if that holds of the op that makes it and of all others that use it, and if it is no other
output; one that is a mere input or constant is written by a copy. What asks for neighbours in
memory cannot be bound, since the caller's buffers need not be neighbours. Ops say so in
attributes:

    zc.refreshable = false             takes its addresses once, when it is recorded
    zc.continuous = "inputs"           its operands are one range of memory (also: a unit attribute)
    zc.continuous = "outputs"          its results are
    zc.input_zero_copy_flag = array<i32: …>, zc.output_zero_copy_flag = array<i32: …>
                                       of a collective: 1 for each operand or result that may be
                                       bound; without them none may (GE-58, GE-59)
    zc.multi_batch_shape_data          of an import: holds the shapes of a batched model (GE-17)

Only imports and exports of the model's function count: what carries a tensor into a branch, a
loop or a call is no input there (GE-17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import flow, util
from ...dialects.diagnostics import fail, op_name
from ...dialects.hal.tensor import TensorExportOp, TensorImportOp
from ...dialects.location import location_text
from .io_flow import Consumer, IoFlow, root_of

REFRESHABLE = "zc.refreshable"
CONTINUOUS = "zc.continuous"
INPUT_FLAG = "zc.input_zero_copy_flag"
OUTPUT_FLAG = "zc.output_zero_copy_flag"
MULTI_BATCH = "zc.multi_batch_shape_data"

_COLLECTIVES = (
    flow.CollectiveAllGatherOp,
    flow.CollectiveAllToAllOp,
    flow.CollectiveAllReduceOp,
    flow.CollectiveReduceScatterOp,
    flow.CollectiveSendRecvOp,
)


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Whether an input or output can be bound in the caller's memory."""

    zero_copy: bool
    reason: str
    """One clause, for remarks and plans."""


class ZeroCopyEligibility:
    """Decides for the imports and exports of a module."""

    def __init__(self, module: ModuleOp, *, offline: bool = False) -> None:
        """`offline`: batched shapes are fixed when the model is built (GE-17)."""
        self.flow = IoFlow(module)
        self.offline = offline

    def input(self, imports: Sequence[TensorImportOp]) -> Eligibility:
        """Of one argument, which `imports` see as tensors."""
        count = 0
        for op in imports:
            if MULTI_BATCH in op.attributes and not self.offline:
                return Eligibility(False, "it holds the shapes of a batched model")
            for consumer in self.flow.consumers(op.target):
                if (reason := consumer_obstacle(consumer)) is not None:
                    return Eligibility(False, reason)
                count += 1
        return Eligibility(True, f"{_count(count, 'use')} can take a new address at each run")

    def output(self, export: TensorExportOp, exports: Sequence[TensorExportOp]) -> Eligibility:
        """Of one export among all `exports` of the function."""
        root = root_of(export.source)
        same = [other for other in exports if root_of(other.source) is root]
        if len(same) > 1:
            return Eligibility(
                False, f"it goes to {len(same)} outputs and can be in one place only"
            )
        makers = self.flow.makers(export.source)
        for maker in makers:
            if (reason := maker_obstacle(maker)) is not None:
                return Eligibility(False, reason)
        for maker in makers:
            for consumer in self.flow.consumers(maker):
                if (reason := consumer_obstacle(consumer)) is not None:
                    return Eligibility(False, reason)
        if makers != [root]:
            return Eligibility(True, "it is made in branches, loops or calls; a copy writes it")
        return Eligibility(True, _writer(root))


def consumer_obstacle(consumer: Consumer) -> str | None:
    """Why a use keeps a tensor from being bound; None where it does not.

    Raises OpError for flags of a collective that are not one per operand (GE-58).
    """
    op = consumer.op
    if isinstance(op, TensorExportOp):
        return None
    named = f"'{op_name(op)}'{_place(op)}"
    if not is_refreshable(op):
        return f"{named} takes its addresses once"
    if _is_continuous(op, "inputs"):
        return f"{named} asks for its operands in one range, and callers' buffers are apart"
    if is_collective(op):
        inputs, _ = collective_operands(op)
        flags = zero_copy_flags(op, INPUT_FLAG, "input", len(inputs))
        if consumer.operand in inputs and not flags[inputs.index(consumer.operand)]:
            return f"{named} does not support zero copy of this operand"
    return None


def maker_obstacle(value: SSAValue) -> str | None:
    """Why what makes a tensor keeps it from being bound as an output; None where it does not."""
    op = value.owner
    if not isinstance(op, Operation):
        return "it is an argument that nothing in the model makes"
    named = f"'{op_name(op)}'{_place(op)}"
    if isinstance(op, TensorImportOp) or is_constant(op):
        return None
    if not is_refreshable(op):
        return f"{named} takes its addresses once"
    if _is_continuous(op, "outputs"):
        return f"{named} asks for its results in one range, and callers' buffers are apart"
    if is_collective(op) and isinstance(value, OpResult):
        flags = zero_copy_flags(op, OUTPUT_FLAG, "output", len(op.results))
        if not flags[value.index]:
            return f"{named} does not support zero copy of this result"
    return None


def is_constant(op: Operation) -> bool:
    """Whether `op` gives a constant, or the value of a variable."""
    return isinstance(
        op,
        arith.ConstantOp | flow.TensorConstantOp | util.GlobalLoadOp | util.GlobalLoadIndirectOp,
    )


def is_refreshable(op: Operation) -> bool:
    """Whether `op` takes new addresses at each run."""
    stated = op.attributes.get(REFRESHABLE)
    return not (isinstance(stated, IntegerAttr) and stated.value.data == 0)


def is_collective(op: Operation) -> bool:
    """Whether `op` communicates: a collective, or a kernel with a collective's flags."""
    return isinstance(op, _COLLECTIVES) or not op.attributes.keys().isdisjoint(
        (INPUT_FLAG, OUTPUT_FLAG)
    )


def collective_operands(op: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which operands of a collective it reads, and which storage it writes."""
    if isinstance(op, _COLLECTIVES):
        target, source = list(op.operands).index(op.target), list(op.operands).index(op.source)
        return (source,), (target,)
    tensors = [i for i, operand in enumerate(op.operands) if hasattr(operand.type, "shape")]
    return tuple(tensors), ()


def zero_copy_flags(op: Operation, name: str, role: str, count: int) -> tuple[bool, ...]:
    """A flag for each of `count` operands or results; all false where `op` has none (GE-59).

    Raises OpError for another number of flags, or for what is no array (GE-58).
    """
    stated = op.attributes.get(name)
    if stated is None:
        return (False,) * count
    if not isinstance(stated, DenseArrayBase):
        fail(op, f"expected an array of 0 and 1 for {name}, got {stated}")
    flags = stated.get_values()
    if flags and len(flags) != count:
        fail(
            op,
            f"{role}_zero_copy_flag_size {len(flags)} is not equal with op {role} size {count}",
        )
    return tuple(flag == 1 for flag in flags) or (False,) * count


def _is_continuous(op: Operation, side: str) -> bool:
    stated = op.attributes.get(CONTINUOUS)
    if isinstance(stated, UnitAttr):
        return side == "inputs"
    return isinstance(stated, StringAttr) and stated.data == side


def _place(op: Operation) -> str:
    place = location_text(op)
    return f" at {place}" if place else ""


def _writer(value: SSAValue) -> str:
    """Who writes an output that is bound in place."""
    op = value.owner
    assert isinstance(op, Operation)
    if isinstance(op, TensorImportOp):
        return "a copy writes the input to it"
    if is_constant(op):
        return "a copy writes the constant to it"
    return f"'{op_name(op)}' can write to a new address at each run"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
