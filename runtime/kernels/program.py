"""The compiler's state: SSA values as slots of an environment, ops as steps on it.

A kernel's environment is a list with one slot for each SSA value of the body, nested regions
included. Each op becomes a *step*, a closure that reads and writes slots, and goes to one of
three lists, by what its operands depend on:

- *plan*: on push constants only. Run once for each set of constants; its values are the template
  that each later run starts from. Shapes, offsets and whole constant tensors are computed here,
  also those written inside loops and regions (all such ops are pure).
- *trace*: besides on induction variables of loops whose bounds are planned. Run when the kernel's
  accesses are computed and, as part of its block, at each run.
- *run*: on what is loaded.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

import numpy as np
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.diagnostics import fail, op_name
from .types import Array, UnsupportedTypeError, dtype_of, element_type

Env: TypeAlias = list[Any]
Step: TypeAlias = Callable[[Env], None]
Sink: TypeAlias = Callable[[Env, tuple[int, ...], np.dtype[Any]], Array | None]
"""The memory that a result of this shape and type is stored to at last; None if not contiguous."""

VIEWS, STORES, BORROWED, CLAIMED, ACCESSES, CONSTANTS = range(6)
"""Reserved slots: the dispatch's binding views, its deferred stores, the arrays that it borrowed
and the one it claimed, the accesses that a trace collects, and the push constants."""
RESERVED = 6


@dataclass(slots=True)
class Code:
    """The compiled ops of one block."""

    run: list[Step] = field(default_factory=list[Step])
    trace: list[Step] = field(default_factory=list[Step])

    def execute(self, env: Env) -> None:
        """Do all of its steps."""
        for step in self.run:
            step(env)


@dataclass(frozen=True, slots=True)
class Subspan:
    """A tensor in a binding."""

    binding: int
    """The binding's ordinal."""
    offset: int | None
    """The slot of the byte offset of its first element; None for 0."""


class Compiler:
    """Compiles ops to steps; see the module's text."""

    def __init__(self, lowerings: Mapping[str, "Lowering"], otherwise: "Lowering") -> None:
        self.lowerings = lowerings
        """By op name."""
        self.otherwise = otherwise
        """Compiles, or refuses, ops that `lowerings` does not name."""
        self.plan: list[Step] = []
        self.code = Code()
        self.depth = 0
        """How many blocks the code at hand is nested in."""
        self.vectorised = False
        """Whether the code at hand works on arrays that stand for all points of a region."""
        self.predicated = False
        """Whether lanes of the code at hand may be computed only to be thrown away."""
        self.conditional = False
        """Whether the code at hand runs or not as loaded data tells."""
        self.accesses = 0
        """How many loads and stores are compiled so far."""
        self.stores = 0
        """How many stores are compiled so far."""
        self.has_load_after_store = False
        self.sinks: dict[tuple[int, ...], Sink] = {}
        """How to reach the memory that the one result of a structured op is stored to at last."""
        self.last_structured: tuple[Step | None, tuple[int, ...]] = (None, ())
        """The step of the structured op compiled last, and its results."""
        self.subspans: dict[SSAValue, Subspan] = {}
        """Tensors in bindings."""
        self.loops: dict[int, int] = {}
        """Slots of the loop indices that the region at hand uses."""
        self.size = RESERVED
        self._slots: dict[SSAValue, int] = {}
        self._planned: set[int] = set()
        self._traceable: set[int] = set()

    # Slots.

    def new_slot(self) -> int:
        """A slot that belongs to no SSA value."""
        self.size += 1
        return self.size - 1

    def slot(self, value: SSAValue) -> int:
        """The slot of `value`."""
        slot = self._slots.get(value)
        if slot is None:
            slot = self._slots[value] = self.new_slot()
        return slot

    def slots(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        """The slots of `values`, in order."""
        return tuple(self.slot(value) for value in values)

    def alias(self, result: SSAValue, source: SSAValue) -> None:
        """Let `result` be another name of `source`."""
        self._slots[result] = self.slot(source)

    def bind(self, value: SSAValue, slot: int) -> None:
        """Let `value` live in `slot`."""
        self._slots[value] = slot

    # Stages.

    def is_planned(self, slots: Sequence[int]) -> bool:
        """Whether all of `slots` are known from the push constants alone."""
        return all(slot in self._planned for slot in slots)

    def is_traceable(self, slots: Sequence[int]) -> bool:
        """Whether all of `slots` are known without loading anything."""
        return all(slot in self._planned or slot in self._traceable for slot in slots)

    def mark_planned(self, *slots: int) -> None:
        """Declare that `slots` are filled in before the plan runs."""
        self._planned.update(slots)

    def mark_traceable(self, *slots: int) -> None:
        """Declare that `slots` are known whenever a trace of the block at hand runs."""
        self._traceable.update(slots)

    def emit(self, step: Step, operands: Sequence[int], results: Sequence[int]) -> None:
        """Add a pure step to the earliest stage at which all of `operands` are known."""
        if self.is_planned(operands):
            self.plan.append(step)
            self._planned.update(results)
            return
        if self.is_traceable(operands):
            self.code.trace.append(step)
            self._traceable.update(results)
        self.code.run.append(step)

    def emit_run(self, step: Step) -> None:
        """Add a step that depends on what is loaded."""
        self.code.run.append(step)

    # Blocks.

    @contextmanager
    def nested(self) -> Generator[Code]:
        """Compile into the code of a nested block while the context is open."""
        outer, self.code = self.code, Code()
        self.depth += 1
        try:
            yield self.code
        finally:
            self.code = outer
            self.depth -= 1

    def lower_block(self, block: Block, skip: frozenset[Operation] = frozenset()) -> None:
        """Compile the ops of `block` but its terminator and those in `skip`."""
        last = block.last_op
        for op in block.ops:
            if op is not last and op not in skip:
                self.lower(op)

    def lower(self, op: Operation) -> None:
        """Compile one op.

        Raises:
            OpError: if the op, or the type of one of its values, is not supported.
        """
        lowering = self.lowerings.get(op_name(op), self.otherwise)
        try:
            lowering(self, op)
        except UnsupportedTypeError as error:
            fail(op, str(error))


Lowering: TypeAlias = Callable[[Compiler, Any], None]
"""Compiles one op by emitting steps."""


def refuse(op: Operation) -> NoReturn:
    """Raise the error for an op that no kernel knows."""
    fail(op, "is not supported in a dispatch body")


def check_type(op: Operation, type_: Attribute) -> None:
    """Refuse `op` unless `type_`'s elements have a dtype."""
    try:
        dtype_of(element_type(type_))
    except UnsupportedTypeError as error:
        fail(op, str(error))


def emit_function(
    compiler: Compiler, op: Operation, function: Callable[..., Any], *extra: int
) -> None:
    """Emit `op` as `function` of its operands; a function of several results gives a tuple."""
    operands = (*compiler.slots(op.operands), *extra)
    results = compiler.slots(op.results)
    step = _call(function, operands, results[0]) if len(results) == 1 else None
    compiler.emit(step or _call_tuple(function, operands, results), operands, results)


def _call(function: Callable[..., Any], operands: tuple[int, ...], result: int) -> Step:
    """A step that calls `function`; the usual arities are spelled out to be quick."""
    match operands:
        case (a,):

            def unary(env: Env) -> None:
                env[result] = function(env[a])

            return unary
        case (a, b):

            def binary(env: Env) -> None:
                env[result] = function(env[a], env[b])

            return binary
        case _:

            def call(env: Env) -> None:
                env[result] = function(*[env[slot] for slot in operands])

            return call


def _call_tuple(
    function: Callable[..., Any], operands: tuple[int, ...], results: tuple[int, ...]
) -> Step:
    def call(env: Env) -> None:
        values = function(*[env[slot] for slot in operands])
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return call
