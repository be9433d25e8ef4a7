"""Evaluating a piece of IR with the reference."""

from collections.abc import Sequence
from functools import cache
from io import BytesIO

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from zcir.runtime.element_types import Array, Value
from zcir.runtime.reference import run_reference
from zcir.tools.frontend import ZcFrontend
from zcir.tools.zc_opt import ZcOptMain

MLIR_TYPES = {
    np.dtype(np.bool_): "i1",
    np.dtype(np.int8): "i8",
    np.dtype(np.int16): "i16",
    np.dtype(np.int32): "i32",
    np.dtype(np.int64): "i64",
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.float16): "f16",
    np.dtype(np.complex64): "complex<f32>",
    np.dtype(np.complex128): "complex<f64>",
}


@cache
def context() -> Context:
    return ZcOptMain([]).ctx


def parse(text: str) -> ModuleOp:
    module = ZcFrontend().parse(context(), BytesIO(text.encode()), "snippet.mlir")
    module.verify()
    return module


def mlir_type(array: Array) -> str:
    element = MLIR_TYPES.get(array.dtype) or str(array.dtype).replace("bfloat16", "bf16")
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{element}>"


def evaluate(body: str, arguments: Sequence[Value], results: str) -> list[Value]:
    """Run `body`, which sees %0, %1, … and ends in `return`, on `arguments`."""
    signature = ", ".join(
        f"%{number}: {mlir_type(np.asarray(value))}" for number, value in enumerate(arguments)
    )
    text = f"func.func @f({signature}) -> ({results}) {{\n{body}\n}}"
    return run_reference(parse(text), "f", arguments)


def in_body(code: str, arguments: Sequence[Array], *results: str) -> list[Array]:
    """Scalar `code` on %a, %b, %c, … at every element; it yields %r, or %r0, %r1, …

    The arguments have one shape; `results` are element types, by default the first argument's.
    """
    sizes = "".join(f"{size}x" for size in arguments[0].shape)
    kinds = [mlir_type(argument).removeprefix(f"tensor<{sizes}")[:-1] for argument in arguments]
    outs = list(results) or kinds[:1]
    rank = arguments[0].ndim
    loops = ", ".join(f"d{loop}" for loop in range(rank))
    maps = ", ".join([f"affine_map<({loops}) -> ({loops})>"] * (len(kinds) + len(outs)))
    parallel = ", ".join(["#linalg.iterator_type<parallel>"] * rank)
    empties = "\n".join(
        f"%e{k} = tensor.empty() : tensor<{sizes}{out}>" for k, out in enumerate(outs)
    )
    operands = [f"%{k}" for k in range(len(kinds))] + [f"%e{k}" for k in range(len(outs))]
    types = ", ".join(f"tensor<{sizes}{kind}>" for kind in [*kinds, *outs])
    out_types = ", ".join(f"tensor<{sizes}{out}>" for out in outs)
    block = [f"%{'abcdefgh'[k]}: {kind}" for k, kind in enumerate(kinds)]
    block += [f"%o{k}: {out}" for k, out in enumerate(outs)]
    numbers = [""] if len(outs) == 1 else [str(k) for k in range(len(outs))]
    yielded = ", ".join(f"%r{number}" for number in numbers)
    given = ", ".join(f"%x{number}" for number in numbers)
    body = f"""
    {empties}
    {given} = "linalg.generic"({", ".join(operands)}) <{{
      indexing_maps = [{maps}], iterator_types = [{parallel}],
      operandSegmentSizes = array<i32: {len(kinds)}, {len(outs)}>}}> ({{
    ^bb0({", ".join(block)}):
      {code}
      linalg.yield {yielded} : {", ".join(outs)}
    }}) : ({types}) -> ({out_types})
    return {given} : {out_types}"""
    return [np.asarray(value) for value in evaluate(body, arguments, out_types)]


def elementwise(op: str, arguments: Sequence[Array], result_type: str = "") -> Array:
    """An op written as `op %a, %b : type`, or `: type to result_type`, at every element."""
    sizes = "".join(f"{size}x" for size in arguments[0].shape)
    kind = mlir_type(arguments[0]).removeprefix(f"tensor<{sizes}")[:-1]
    operands = ", ".join(f"%{name}" for name in "abcdefgh"[: len(arguments)])
    shown = f"{kind} to {result_type}" if result_type else kind
    (value,) = in_body(f"%r = {op} {operands} : {shown}", arguments, result_type or kind)
    return value
