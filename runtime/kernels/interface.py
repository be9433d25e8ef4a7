"""What a dispatch body sees of the outside: bindings, constants, loads of slices.

Loads and stores are closed over byte slices, which the plan (or a trace, inside of loops)
computes; a run only moves bytes. A load whose slice depends on loaded data counts as reading its
whole tensor. Stores: `stores`.

Workgroups: the body is executed once, as the only workgroup (id 0 of 1).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.diagnostics import fail
from .access import Access, ByteSlice, byte_slice
from .api import BindingView
from .liveness import needs_contents
from .program import (
    ACCESSES,
    BORROWED,
    CONSTANTS,
    VIEWS,
    Compiler,
    Env,
    Lowering,
    Subspan,
)
from .shapes import kept_dimensions, mixed, slice_reader, whole_reader
from .tensors import emit_checked, static_shape
from .types import (
    Array,
    UnsupportedTypeError,
    dtype_of,
    element_type,
    integer_width,
    is_byte_sized,
    scalar,
)


def lower_stream_subspan(compiler: Compiler, op: Any) -> None:
    """`stream.binding.subspan`."""
    base = compiler.subspans[op.binding]
    compiler.subspans[op.result] = Subspan(base.binding, compiler.slot(op.byte_offset))


def lower_hal_subspan(compiler: Compiler, op: Any) -> None:
    """`hal.interface.binding.subspan`."""
    offset = None if op.byte_offset is None else compiler.slot(op.byte_offset)
    compiler.subspans[op.result] = Subspan(op.binding.value.data, offset)


def lower_tie_shape(compiler: Compiler, op: Operation) -> None:
    """`flow.dispatch.tie_shape`: loads and stores name the dimensions themselves."""
    compiler.subspans[op.results[0]] = compiler.subspans[op.operands[0]]


def lower_same(compiler: Compiler, op: Operation) -> None:
    """An op whose results are its first operands: hints, assumptions, ordinals, barriers."""
    for result, operand in zip(op.results, op.operands, strict=False):
        compiler.alias(result, operand)


def lower_workgroup_id(compiler: Compiler, op: Operation) -> None:
    """The id of the only workgroup."""
    _lower_fixed(compiler, op, 0)


def lower_workgroup_extent(compiler: Compiler, op: Operation) -> None:
    """The count and size of workgroups."""
    _lower_fixed(compiler, op, 1)


def _lower_fixed(compiler: Compiler, op: Operation, number: int) -> None:
    slots, value = compiler.slots(op.results), np.int64(number)

    def step(env: Env) -> None:
        for slot in slots:
            env[slot] = value

    compiler.emit(step, (), slots)


def lower_constant_load(compiler: Compiler, op: Any) -> None:
    """`hal.interface.constant.load`."""
    load_constant(compiler, op, op.result, op.ordinal.value.data)


def words_of(type_: Attribute) -> int:
    """How many push constants a value of `type_` takes."""
    return 2 if isinstance(type_, IndexType) or dtype_of(type_).itemsize == 8 else 1


def load_constant(compiler: Compiler, op: Operation, value: SSAValue, first: int) -> None:
    """Fill `value` from the push constants from word `first` on, low word first."""
    kind, slot = value.type, compiler.slot(value)
    count = words_of(kind)

    def step(env: Env) -> None:
        words = env[CONSTANTS][first : first + count]
        if len(words) < count:
            fail(op, f"expected {first + count} push constants, got {len(env[CONSTANTS])}")
        env[slot] = _from_words(words, kind)

    compiler.emit(step, (), (slot,))


def _from_words(words: Sequence[int], kind: Attribute) -> Any:
    bits = sum((word & 0xFFFFFFFF) << (32 * at) for at, word in enumerate(words))
    if isinstance(kind, IndexType) or integer_width(kind) is not None:
        return scalar(bits, kind)
    dtype = dtype_of(kind)
    return np.frombuffer(bits.to_bytes(8, "little"), dtype, 1)[0]


class Slicer:
    """The byte slice of a load or store op, computed as early as it is known.

    With `whole` it is all of the tensor, wherever in it the op loads or stores.
    """

    def __init__(
        self,
        compiler: Compiler,
        op: Any,
        tensor: SSAValue,
        dims: Sequence[SSAValue],
        *,
        whole: bool = False,
    ) -> None:
        kind: Any = tensor.type
        element = element_type(kind.get_element_type())
        if not is_byte_sized(element):
            raise UnsupportedTypeError(f"elements of type {element} are packed in memory")
        self.subspan = compiler.subspans[tensor]
        self.dtype = dtype_of(element)
        shape = mixed(compiler, tuple(kind.get_shape()), dims)
        reader = whole_reader(shape) if whole else slice_reader(compiler, op)
        self.reader = reader
        self.slot = compiler.new_slot()
        offset = self.subspan.offset
        operands = (*reader.slots, *shape.slots, *(() if offset is None else (offset,)))
        self.is_traced = compiler.is_traceable(operands)
        read, item, result = shape.reader(), self.dtype.itemsize, self.slot

        def step(env: Env) -> None:
            base = 0 if offset is None else int(env[offset])
            sizes = reader.sizes(env)
            env[result] = byte_slice(
                base, read(env), item, reader.offsets(env), sizes, reader.strides(env)
            )

        emit_checked(compiler, op, step, operands, (self.slot,))

    def record(self, compiler: Compiler, writes: bool) -> None:
        """Let a trace of the block at hand note the access."""
        binding, slot = self.subspan.binding, self.slot
        if self.is_traced:

            def step(env: Env) -> None:
                env[ACCESSES].append(Access(binding, env[slot].runs, writes))
        else:

            def step(env: Env) -> None:
                env[ACCESSES].append(Access(binding, None, writes))

        compiler.accesses += 1
        compiler.code.trace.append(step)


def lower_load(compiler: Compiler, op: Any) -> None:
    """`iree_tensor_ext.dispatch.tensor.load`; one whose contents are not read is no access."""
    slicer = Slicer(compiler, op, op.source, op.source_dims)
    slot, dtype, result = slicer.slot, slicer.dtype, compiler.slot(op.result)
    kept = kept_dimensions(slicer.reader.static_sizes, static_shape(op.result.type))
    if not needs_contents(op.result):
        _lower_shape_only(compiler, slicer, result, kept)
        return
    slicer.record(compiler, writes=False)
    compiler.has_load_after_store |= compiler.stores > 0
    binding = slicer.subspan.binding

    def step(env: Env) -> None:
        source: ByteSlice = env[slot]
        data = load_slice(env[VIEWS][binding], source)
        array = data != 0 if dtype.kind == "b" else data.view(dtype)
        env[BORROWED].append(array)
        env[result] = array.reshape([source.sizes[axis] for axis in kept])

    compiler.emit_run(step)


def _lower_shape_only(
    compiler: Compiler, slicer: Slicer, result: int, kept: tuple[int, ...]
) -> None:
    zero, slot = np.zeros((), slicer.dtype), slicer.slot

    def step(env: Env) -> None:
        sizes = env[slot].sizes
        env[result] = np.broadcast_to(zero, [sizes[axis] for axis in kept])

    compiler.emit(step, (slot,), (result,))


def load_slice(view: BindingView, source: ByteSlice) -> Array:
    """The bytes of a slice, not to be changed."""
    if source.is_contiguous:
        return view.borrow(source.start, source.length)
    return view.load_runs(source.runs)


_BINDING_TYPES = ("stream.binding", "iree_tensor_ext.dispatch.tensor")


def bind_arguments(compiler: Compiler, function: FuncOp) -> None:
    """Bind a body's arguments: bindings by order, and the rest to push constants by order.

    Flow and stream bodies have their bindings and scalars as arguments; a scalar of 64 bits, or
    an index, takes two push constants, any other one.
    """
    bindings, words = 0, 0
    for argument in function.body.block.args:
        if argument.type.name in _BINDING_TYPES:
            compiler.subspans[argument] = Subspan(bindings, None)
            bindings += 1
        else:
            try:
                load_constant(compiler, function, argument, words)
            except UnsupportedTypeError as error:
                fail(function, str(error))
            words += words_of(argument.type)


INTERFACE_LOWERINGS: dict[str, Lowering] = {
    **dict.fromkeys(
        (
            "iree_tensor_ext.compute_barrier.end",
            "iree_tensor_ext.compute_barrier.start",
            "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier",
            "iree_tensor_ext.dispatch.workload.ordinal",
            "util.assume.int",
            "util.optimization_barrier",
        ),
        lower_same,
    ),
    **dict.fromkeys(
        (
            "flow.dispatch.workgroup.id",
            "hal.interface.workgroup.id",
            "stream.dispatch.workgroup.id",
        ),
        lower_workgroup_id,
    ),
    **dict.fromkeys(
        (
            "flow.dispatch.workgroup.count",
            "flow.dispatch.workgroup.size",
            "hal.interface.workgroup.count",
            "hal.interface.workgroup.size",
            "stream.dispatch.workgroup.count",
            "stream.dispatch.workgroup.size",
        ),
        lower_workgroup_extent,
    ),
    **dict.fromkeys(
        (
            "iree_tensor_ext.dispatch.workgroup_count_from_dag_root",
            "iree_tensor_ext.dispatch.workgroup_count_from_slice",
        ),
        lower_workgroup_extent,
    ),
    "flow.dispatch.tie_shape": lower_tie_shape,
    "hal.interface.binding.subspan": lower_hal_subspan,
    "hal.interface.constant.load": lower_constant_load,
    "iree_tensor_ext.dispatch.tensor.load": lower_load,
    "stream.binding.subspan": lower_stream_subspan,
}
"""By op name."""
