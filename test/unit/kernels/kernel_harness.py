"""Runs a dispatch body on numpy arrays, and holds kernels to the contract of `BindingView`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import LocatingParser, make_context
from zcir.runtime.kernels.api import Bytes, Kernel, Runs
from zcir.runtime.kernels.library import KernelLibrary

Array = np.ndarray[Any, Any]


def parse(text: str, name: str = "body.mlir") -> ModuleOp:
    """A module of our dialects."""
    return LocatingParser(make_context(), text, name).parse_module()


@dataclass
class Dispatch:
    """One dispatch: its first store ends what was borrowed before."""

    borrowed: list[Array] = field(default_factory=list[Array])
    stored: bool = False

    def store(self) -> None:
        for array in self.borrowed:
            array[...] = 0xAB
        self.borrowed.clear()
        self.stored = True


@dataclass
class CheckedView:
    """A binding whose loads must precede all stores and stay within `reads` and `writes`."""

    memory: Bytes
    dispatch: Dispatch
    reads: Array
    """Bytes that may be loaded."""
    writes: Array
    """Bytes still to be stored; a claimed range may be stored once more."""

    def __post_init__(self) -> None:
        self.claimed = np.zeros(len(self.memory), bool)

    @property
    def length(self) -> int:
        return len(self.memory)

    def _bytes(self, runs: Runs) -> Array:
        parts: list[Array] = [np.arange(start, end) for start, end in runs.tolist()]
        return np.concatenate([np.arange(0), *parts])

    def load_runs(self, runs: Runs) -> Bytes:
        assert not self.dispatch.stored, "a load after a store"
        at = self._bytes(runs)
        assert self.reads[at].all(), "a load of bytes that accesses do not tell of"
        return self.memory[at]

    def load(self, start: int, length: int) -> Bytes:
        assert start + length <= self.length
        return self.load_runs(np.array([[start, start + length]]))

    def borrow(self, start: int, length: int) -> Bytes:
        data = self.load(start, length)
        self.dispatch.borrowed.append(data)
        view = data.view()
        view.flags.writeable = False
        return view

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        at, data = self._bytes(runs), data.copy()
        assert data.dtype == np.uint8
        assert data.ndim == 1
        self.dispatch.store()
        assert (self.writes | self.claimed)[at].all(), "a store that accesses do not tell of"
        self.memory[at] = data
        self.writes[at] = False

    def store(self, start: int, data: Bytes) -> None:
        assert start + len(data) <= self.length
        self.store_runs(np.array([[start, start + len(data)]]), data)

    def claim(self, start: int, length: int) -> Bytes:
        """The memory itself; no load may follow, what was borrowed may still be read."""
        assert start + length <= self.length
        self.dispatch.stored = True
        assert self.writes[start : start + length].all()
        self.writes[start : start + length] = False
        self.claimed[start : start + length] = True
        return self.memory[start : start + length]


@dataclass
class SharedView:
    """A binding whose loads and claims are views of memory that other bindings may share."""

    memory: Bytes

    @property
    def length(self) -> int:
        return len(self.memory)

    def load(self, start: int, length: int) -> Bytes:
        return self.memory[start : start + length].copy()

    def borrow(self, start: int, length: int) -> Bytes:
        return self.memory[start : start + length]

    def claim(self, start: int, length: int) -> Bytes:
        return self.memory[start : start + length]

    def store(self, start: int, data: Bytes) -> None:
        self.memory[start : start + len(data)] = data

    def load_runs(self, runs: Runs) -> Bytes:
        return self.memory[np.flatnonzero(mask(runs, self.length))]

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        self.memory[np.flatnonzero(mask(runs, self.length))] = data


def mask(runs: Runs, length: int) -> Array:
    """The bytes of `runs` as a mask."""
    result = np.zeros(length, bool)
    for start, end in runs:
        assert 0 <= start < end <= length
        result[start:end] = True
    return result


def dispatch(kernel: Kernel, memories: Sequence[Bytes], constants: tuple[int, ...] = ()) -> None:
    """Run `kernel` on memories; its loads and stores must be what its accesses say, exactly."""
    lengths = tuple(len(memory) for memory in memories)
    accesses = {access.binding: access for access in kernel.accesses(constants, lengths)}
    running = Dispatch()
    views: list[CheckedView] = []
    for binding, memory in enumerate(memories):
        access = accesses.get(binding)
        empty = np.zeros(len(memory), bool)
        reads = empty if access is None else mask(access.reads, len(memory))
        writes = empty.copy() if access is None else mask(access.writes, len(memory))
        views.append(CheckedView(memory, running, reads, writes))
    kernel.run(views, constants)
    for view in views:
        assert not view.writes.any(), "bytes that accesses tell of and no store wrote"


MLIR_NAMES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
}


def tensor_type(array: Array) -> str:
    """The static tensor type of an array."""
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{MLIR_NAMES[array.dtype.name]}>"


def compile_body(
    body: str, inputs: Sequence[Array], outputs: Sequence[Array], prelude: str = ""
) -> Kernel:
    """The kernel that loads %in0 …, does `body` and stores %out0 …, all of them whole."""
    arguments: list[str] = []
    loads: list[str] = []
    stores: list[str] = []
    for kind, arrays in (("readonly", inputs), ("writeonly", outputs)):
        for at, array in enumerate(arrays):
            type_ = tensor_type(array)
            outer = f"!iree_tensor_ext.dispatch.tensor<{kind}:{type_}>"
            name = f"%{kind}{at}"
            arguments.append(f"{name}: {outer}")
            slice_ = (
                f"offsets = {[0] * array.ndim}, sizes = {list(array.shape)}, "
                f"strides = {[1] * array.ndim}"
            )
            op = "iree_tensor_ext.dispatch.tensor"
            if kind == "readonly":
                loads.append(f"%in{at} = {op}.load {name}, {slice_} : {outer} -> {type_}")
            else:
                stores.append(f"{op}.store %out{at}, {name}, {slice_} : {type_} -> {outer}")
    text = "\n".join(
        [
            prelude,
            "flow.executable private @ex {",
            "flow.executable.export public @k",
            "builtin.module {",
            f"func.func @k({', '.join(arguments)}) {{",
            *loads,
            body,
            *stores,
            "return",
            "}",
            "}",
            "}",
        ]
    )
    return KernelLibrary(parse(text)).lookup("ex", "k")


def as_bytes(array: Array) -> Bytes:
    """A copy of an array's bytes, row-major."""
    return np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy()


def run_body(
    body: str, inputs: Sequence[Array], outputs: Sequence[Array], prelude: str = ""
) -> list[Array]:
    """What `body` stores as outputs of the shapes and types of `outputs`."""
    kernel = compile_body(body, inputs, outputs, prelude)
    memories = [as_bytes(array) for array in (*inputs, *outputs)]
    dispatch(kernel, memories)
    return [
        memory.view(output.dtype).reshape(output.shape)
        for memory, output in zip(memories[len(inputs) :], outputs, strict=True)
    ]


def elementwise(ops: str, inputs: Sequence[Array], output: Array, result: str = "%r") -> Array:
    """What a generic op of the scalar `ops` on %a, %b, … makes of equally shaped arrays."""
    names = "abcdefg"
    rank = output.ndim
    dims = ", ".join(f"d{at}" for at in range(rank))
    maps = ", ".join([f"affine_map<({dims}) -> ({dims})>"] * (len(inputs) + 1))
    types = [tensor_type(array) for array in inputs]
    scalars = [MLIR_NAMES[array.dtype.name] for array in (*inputs, output)]
    arguments = ", ".join(
        f"%{name}: {scalar}"
        for name, scalar in zip([*names[: len(inputs)], "o"], scalars, strict=True)
    )
    iterators = ", ".join(['"parallel"'] * rank)
    ins = ", ".join(f"%in{at}" for at in range(len(inputs)))
    body = f"""
    %e = tensor.empty() : {tensor_type(output)}
    %out0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
        ins({ins} : {", ".join(types)}) outs(%e : {tensor_type(output)}) {{
    ^bb0({arguments}):
      {ops}
      linalg.yield {result} : {scalars[-1]}
    }} -> {tensor_type(output)}"""
    return run_body(body, inputs, [output])[0]
