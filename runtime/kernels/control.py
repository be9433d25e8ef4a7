"""Structured control flow: `scf.for` and `scf.if`, on tensors and in regions of scalar ops.

A branch whose condition is an array (in a region evaluated on whole arrays) takes both sides and
selects; gathers in it are clipped, since a lane may be computed only to be thrown away.

Does not handle: loops in regions whose bounds differ from lane to lane, `scf.while`.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.diagnostics import fail
from .program import Code, Compiler, Env, Step
from .regions import captured_values
from .types import dtype_of


def lower_for(compiler: Compiler, op: scf.ForOp) -> None:
    """`scf.for`: a loop in Python; its body is compiled once."""
    bounds = compiler.slots((op.lb, op.ub, op.step))
    start = compiler.slots(op.iter_args)
    block = op.body.block
    variable, *arguments = compiler.slots(block.args)
    if compiler.is_traceable(bounds):
        compiler.mark_traceable(variable)
    before = compiler.accesses
    with _conditional(compiler, not compiler.is_traceable(bounds)), compiler.nested() as code:
        compiler.lower_block(block)
        yielded = _yielded(compiler, block)
    results = compiler.slots(op.results)
    kind = dtype_of(block.args[0].type).type

    def step(env: Env) -> None:
        values = [env[slot] for slot in start]
        for at in _range(op, env, bounds):
            env[variable] = kind(at)
            _assign(env, arguments, values)
            code.execute(env)
            values = [env[slot] for slot in yielded]
        _assign(env, results, values)

    if compiler.accesses == before:
        captured = compiler.slots(captured_values(block))
        compiler.emit(step, (*bounds, *start, *captured), results)
        return
    compiler.has_load_after_store |= compiler.stores > 0
    compiler.emit_run(step)
    if not compiler.is_traceable(bounds):
        compiler.code.trace.extend(code.trace)
        return

    def trace(env: Env) -> None:
        for at in _range(op, env, bounds):
            env[variable] = kind(at)
            for inner in code.trace:
                inner(env)

    compiler.code.trace.append(trace)


def _range(op: Operation, env: Env, bounds: tuple[int, ...]) -> range:
    low, high, stride = (env[slot] for slot in bounds)
    if np.ndim(low) or np.ndim(high) or np.ndim(stride):
        fail(op, "has bounds that differ from point to point of a region; not supported")
    if stride <= 0:
        fail(op, f"expected a positive step, got {stride}")
    return range(int(low), int(high), int(stride))


def _assign(env: Env, slots: Sequence[int], values: Sequence[Any]) -> None:
    for slot, value in zip(slots, values, strict=True):
        env[slot] = value


def _yielded(compiler: Compiler, block: Block) -> tuple[int, ...]:
    last = block.last_op
    return () if last is None else compiler.slots(last.operands)


@contextmanager
def _conditional(compiler: Compiler, unknown: bool) -> Generator[None]:
    """Compile code that runs or not as loaded data tells, if `unknown`."""
    before = compiler.conditional, compiler.predicated
    compiler.conditional |= unknown
    compiler.predicated |= unknown and compiler.vectorised
    try:
        yield
    finally:
        compiler.conditional, compiler.predicated = before


def lower_if(compiler: Compiler, op: scf.IfOp) -> None:
    """`scf.if`."""
    condition = compiler.slot(op.cond)
    known = compiler.is_traceable((condition,))
    before = compiler.accesses
    blocks = [region.block for region in op.regions if region.blocks]
    sides: list[tuple[Code, tuple[int, ...]]] = []
    for block in blocks:
        with _conditional(compiler, not known), compiler.nested() as code:
            compiler.lower_block(block)
            sides.append((code, _yielded(compiler, block)))
    results = compiler.slots(op.results)
    step = _branch(condition, sides, results)
    if compiler.accesses == before:
        captured: list[SSAValue] = captured_values(*blocks)
        compiler.emit(step, (condition, *compiler.slots(captured)), results)
        return
    compiler.emit_run(step)
    if not known:
        for code, _ in sides:
            compiler.code.trace.extend(code.trace)
        return

    def trace(env: Env) -> None:
        side = 0 if env[condition] else 1
        for inner in sides[side][0].trace if side < len(sides) else ():
            inner(env)

    compiler.code.trace.append(trace)


def _branch(
    condition: int, sides: Sequence[tuple[Code, tuple[int, ...]]], results: tuple[int, ...]
) -> Step:
    def take(env: Env, side: int) -> list[Any]:
        if side >= len(sides):
            return []
        code, yielded = sides[side]
        code.execute(env)
        return [env[slot] for slot in yielded]

    def step(env: Env) -> None:
        chosen = env[condition]
        if np.size(chosen) == 1:
            _assign(env, results, take(env, 0 if np.all(chosen) else 1))
            return
        for slot, yes, no in zip(results, take(env, 0), take(env, 1), strict=True):
            env[slot] = np.where(chosen, yes, no)

    return step
