"""Stores of slices of a dispatch's tensors.

A store's bytes must be known, since accesses say what is written "wholly, never maybe": a store at
a place that depends on data writes its whole tensor anew, which it must therefore read too, and
one under a condition that depends on data is refused.

Stores are kept back until all else is computed, as `BindingView` asks. A body that loads what it
stored before is refused.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.diagnostics import fail
from .access import ByteSlice
from .api import BindingView
from .interface import Slicer, load_slice
from .program import BORROWED, CLAIMED, STORES, VIEWS, Compiler, Env, Lowering
from .types import Array


@dataclass(slots=True)
class PendingStore:
    """A store that waits for the end of the run."""

    binding: int
    target: ByteSlice
    value: Array


def lower_store(compiler: Compiler, op: Any) -> None:
    """`iree_tensor_ext.dispatch.tensor.store`."""
    slicer = Slicer(compiler, op, op.target, op.target_dims)
    if compiler.conditional:
        fail(op, "stores under a condition that depends on data; not supported")
    if not slicer.is_traced:
        _lower_store_anywhere(compiler, op, slicer)
        return
    slicer.record(compiler, writes=True)
    binding, slot, value = slicer.subspan.binding, slicer.slot, compiler.slot(op.value)
    compiler.stores += 1
    _offer_sink(compiler, op.value, slicer)

    def step(env: Env) -> None:
        target: ByteSlice = env[slot]
        array = env[value]
        if array is env[CLAIMED]:
            return
        if array.nbytes != target.length:
            fail(op, f"expected {target.length} bytes for the slice, got {array.nbytes}")
        env[STORES].append(PendingStore(binding, target, array))

    compiler.emit_run(step)


def _lower_store_anywhere(compiler: Compiler, op: Any, part: Slicer) -> None:
    """A store at a place that data tells: the whole tensor, with that part of it replaced."""
    whole = Slicer(compiler, op, op.target, op.target_dims, whole=True)
    alone = whole.is_traced and not compiler.depth and not compiler.stores
    if not op.target.type.access.data.reads or not alone:
        fail(
            op,
            "stores at a place that depends on data, and not as the only store, outside of "
            "loops, to a tensor that is read too; not supported",
        )
    whole.record(compiler, writes=False)
    whole.record(compiler, writes=True)
    binding, slot, part_slot = whole.subspan.binding, whole.slot, part.slot
    value = compiler.slot(op.value)
    compiler.stores += 1

    def step(env: Env) -> None:
        target: ByteSlice = env[slot]
        data = np.array(load_slice(env[VIEWS][binding], target))
        places = env[part_slot].runs - target.start
        array = np.ascontiguousarray(env[value]).reshape(-1).view(np.uint8)
        lengths = places[:, 1] - places[:, 0]
        if array.nbytes != lengths.sum():
            fail(op, f"expected {lengths.sum()} bytes for the slice, got {array.nbytes}")
        steps = np.arange(array.nbytes) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        data[np.repeat(places[:, 0], lengths) + steps] = array
        env[STORES].append(PendingStore(binding, target, data))

    compiler.emit_run(step)


def _offer_sink(compiler: Compiler, value: SSAValue, slicer: Slicer) -> None:
    """Let the structured op compiled just before compute its result where it is stored.

    Only the last store of a body may be done before all else: kernels with more than one drop
    the offer.
    """
    step, results = compiler.last_structured
    run = compiler.code.run
    if compiler.depth or not run or run[-1] is not step or not value.has_one_use():
        return
    if results != (compiler.slot(value),):
        return
    binding, slot = slicer.subspan.binding, slicer.slot

    def sink(env: Env, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array | None:
        target: ByteSlice = env[slot]
        if not target.is_contiguous or target.length != prod(shape) * dtype.itemsize:
            return None
        memory = env[VIEWS][binding].claim(target.start, target.length)
        env[CLAIMED] = memory.view(dtype).reshape(shape)
        return env[CLAIMED]

    compiler.sinks[results] = sink


def commit(env: Env) -> None:
    """Do the stores of a run.

    What is stored second or later may still be a view of borrowed memory, which the first store
    ends: such values are copied before.
    """
    stores: list[PendingStore] = env[STORES]
    for store in stores[1:]:
        if store.value.base is not None and any(
            np.may_share_memory(store.value, borrowed) for borrowed in env[BORROWED]
        ):
            store.value = store.value.copy()
    for store in stores:
        data = np.ascontiguousarray(store.value).reshape(-1).view(np.uint8)
        view: BindingView = env[VIEWS][store.binding]
        if store.target.is_contiguous:
            view.store(store.target.start, data)
        else:
            view.store_runs(store.target.runs, data)


STORE_LOWERINGS: dict[str, Lowering] = {"iree_tensor_ext.dispatch.tensor.store": lower_store}
"""By op name."""
