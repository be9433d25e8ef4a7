"""Generic ops in text, and arrays for them."""

from typing import Any

import numpy as np
from kernel_harness import MLIR_NAMES, run_body, tensor_type

Array = np.ndarray[Any, Any]


def generic(
    maps: list[str],
    iterators: str,
    inputs: list[Array],
    inits: list[Array],
    region: str,
    yields: str,
) -> list[Array]:
    """A generic op on %in0 … with initial outputs also loaded; maps as `(d0) -> (d0)`."""
    count, arrays = len(inputs), [*inputs, *inits]
    kinds = {"p": "#linalg.iterator_type<parallel>", "r": "#linalg.iterator_type<reduction>"}
    types = [tensor_type(array) for array in arrays]
    scalars = [MLIR_NAMES[array.dtype.name] for array in arrays]
    names = [*"abcdef"[:count], *(f"o{at}" for at in range(len(inits)))]
    arguments = ", ".join(f"%{n}: {s}" for n, s in zip(names, scalars, strict=True))
    name = "%out0" if len(inits) == 1 else f"%g:{len(inits)}"
    text = f"""
    {name} = "linalg.generic"({", ".join(f"%in{at}" for at in range(len(arrays)))}) <{{
        indexing_maps = [{", ".join(f"affine_map<{text}>" for text in maps)}],
        iterator_types = [{", ".join(kinds[letter] for letter in iterators)}],
        operandSegmentSizes = array<i32: {count}, {len(inits)}>}}> ({{
    ^bb0({arguments}):
      {region}
      linalg.yield {yields} : {", ".join(scalars[count:])}
    }}) : ({", ".join(types)}) -> ({", ".join(types[count:])})"""
    if len(inits) > 1:
        for at, type_ in enumerate(types[count:]):
            text += f"\n%out{at} = tensor.cast %g#{at} : {type_} to {type_}"
    return run_body(text, arrays, inits)


def random(shape: tuple[int, ...], dtype: Any = np.float32, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(-100, 100, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)
