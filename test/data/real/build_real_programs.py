"""Makes the files of this folder: see README.md. Needs onnx only for `--onnx`.

python build_real_programs.py            inputs and numpy's results (.npy)
python build_real_programs.py --onnx     ONNX models as torch IR (NAME.mlir), by iree-import-onnx
"""
# onnx has no types and need not be installed; numpy's of array expressions are partly unknown:
# pyright: basic, reportMissingImports=false

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
Array = np.ndarray[Any, Any]


class Program(NamedTuple):
    """A program's inputs, a list for each call, and what numpy computes from them all."""

    calls: Sequence[Sequence[Array]]
    compute: Callable[..., Sequence[Array]]
    """The results of one call, from its inputs as f64 where they are floats."""


def noise(*shape: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Numbers that look random, by a formula: fractional parts of multiples of the golden ratio."""
    count = int(np.prod(shape))
    turns = (np.arange(1, count + 1) * 0.6180339887498949 + 0.37 * seed) % 1.0
    return ((turns - 0.5) * 4 * scale).astype(np.float32).reshape(shape)


def whole(*shape: int, seed: int = 0, low: int = -100, high: int = 100) -> Array:
    """Integers from `low` up to `high`, by the same formula."""
    numbers = noise(*shape, seed=seed).astype(np.float64) / 4 + 0.5
    return (low + np.floor(numbers * (high - low))).astype(np.int64)


def softmax(x: Array, axis: int = -1) -> Array:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def windows(x: Array, size: int) -> Array:
    """Of N H W C: N H' W' C size size."""
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (1, 2))


def mlp(x: Array) -> Sequence[Array]:
    w1, b1, w2, b2 = (a.astype(float) for a in MLP_WEIGHTS)
    return [softmax(relu(x @ w1 + b1) @ w2 + b2)]


MLP_WEIGHTS = (noise(16, 8, seed=1), noise(8, seed=2), noise(8, 5, seed=3), noise(5, seed=4))


def attention(x: Array, w: Array, v: Array) -> Sequence[Array]:
    """Two heads of 4, each position seeing those before it."""
    parts = (x @ w).reshape(5, 3, 2, 4).transpose(1, 2, 0, 3)
    query, key, value = parts
    scores = query @ key.transpose(0, 2, 1) / 2
    scores = np.where(np.tri(5, dtype=bool), scores, -np.inf)
    mixed = (softmax(scores) @ value).transpose(1, 0, 2).reshape(5, 8)
    return [mixed @ v]


def convnet(x: Array, w: Array, b: Array, m: Array, c: Array) -> Sequence[Array]:
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    maps = relu(np.einsum("nhwcpq,fpqc->nhwf", windows(padded, 3), w) + b)
    pooled = maps.reshape(2, 4, 2, 4, 2, 4).max((2, 4))
    return [pooled.reshape(2, 64) @ m + c]


def layernorm(x: Array, g: Array, b: Array) -> Sequence[Array]:
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return [(x - mean) / np.sqrt(var + 1e-5) * g + b]


def twice_softmax(x: Array) -> Sequence[Array]:
    return [softmax(x, 1), softmax(softmax(x, 1), 0)]


def embedding(ids: Array, table: Array, positions: Array) -> Sequence[Array]:
    return [(table[ids] + positions).mean(1)]


def quantized(x: Array) -> Sequence[Array]:
    """u8 with a zero point: each step rounds half to even and saturates."""
    w = QUANTIZED_WEIGHTS.astype(int)
    q = np.clip(np.rint(x.astype(np.float32) / np.float32(0.02)) + 120, 0, 255).astype(int)
    total = (q - 120) @ (w - 131)
    scale = np.float32(0.02) * np.float32(0.01) / np.float32(0.05)
    y = np.clip(np.rint(total.astype(np.float32) * scale) + 110, 0, 255).astype(int)
    return [((y - 110) * np.float32(0.05)).astype(np.float32)]


QUANTIZED_WEIGHTS = whole(16, 6, seed=5, low=0, high=255).astype(np.uint8)


def rescale(x: Array, w: Array) -> Sequence[Array]:
    total = (x.astype(np.int64) - 3) @ (w.astype(np.int64) + 5)
    scaled = (total * 1342177280 + (1 << 38)) >> 39
    return [np.clip(scaled - 7, -128, 127).astype(np.int8)]


def router(x: Array, w: Array) -> Sequence[Array]:
    """The three best experts of eight, and how they are weighed."""
    logits = x @ w
    chosen = np.argsort(-logits, axis=1, kind="stable")[:, :3]
    return [softmax(np.take_along_axis(logits, chosen, 1)), chosen]


class Rnn:
    """A recurrent network with its state."""

    def __init__(self) -> None:
        self.state = np.zeros((2, 6))

    def step(self, x: Array, wx: Array, wh: Array, b: Array) -> Sequence[Array]:
        self.state = np.tanh(x @ wx + self.state @ wh + b)
        return [self.state]


def cumsum(x: Array, n: Array) -> Sequence[Array]:
    backwards = np.flip(np.cumsum(np.flip(n, 0), 0), 0) - n
    return [np.cumsum(x, 1), backwards.astype(np.int32)]  # wraps


def dynamic(x: Array, w: Array, b: Array) -> Sequence[Array]:
    y = x @ w + b
    gelu = 0.5 * y * (1 + np.vectorize(math.erf)(y / np.sqrt(2)))
    return [gelu]


def pipeline(x: Array, w1: Array, b1: Array, w2: Array, b2: Array) -> Sequence[Array]:
    return [relu(part @ w1 + b1) @ w2 + b2 for part in x]


def parallel(
    x: Array, wa: Array, wb: Array, va: Array, vb: Array, b: Array, c: Array
) -> Sequence[Array]:
    return [relu(x @ wa + b) @ va + relu(x @ wb + b) @ vb + c]


def scatter(x: Array, places: Array, updates: Array) -> Sequence[Array]:
    table = x * x
    for rows, at, new in zip(table, places, updates, strict=True):
        rows[at] = new
    return [table]


def sort(x: Array) -> Sequence[Array]:
    order = np.argsort(-x, axis=1, kind="stable")
    return [np.take_along_axis(x, order, 1), order.astype(np.int32)]


def lstm(x: Array, w: Array, r: Array, b: Array) -> Sequence[Array]:
    """Gates in ONNX's order: input, output, forget, cell."""
    hidden, cell = np.zeros((2, 4)), np.zeros((2, 4))
    outputs = []
    for at in x:
        gates = at @ w[0].T + hidden @ r[0].T + b[0, :16] + b[0, 16:]
        i, o, f, g = np.split(gates, 4, axis=1)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        hidden = sigmoid(o) * np.tanh(cell)
        outputs.append(hidden)
    return [np.stack(outputs)[:, None], hidden[None], cell[None]]


def generate(first: Array, n: Array, table: Array, mix: Array) -> Sequence[Array]:
    tokens, state, token = np.full(16, -1, np.int32), np.zeros(8), int(first)
    for at in range(int(n)):
        state = np.tanh(mix @ state + table[token])
        token = int(np.argmax(table @ state))
        tokens[at] = token
    return [tokens, state]


def mobile(x: Array, d: Array, s: Array, p: Array) -> Sequence[Array]:
    """A depthwise convolution, batch norm, hard swish, a pointwise one, the mean of each map."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    maps = np.einsum("nchwpq,cpq->nchw", view, d[:, 0])
    scale, shift, mean, var = s[:, :, None, None]
    maps = (maps - mean) / np.sqrt(np.abs(var) + 1e-5) * scale + shift
    maps = maps * np.clip(maps / 6 + 0.5, 0, 1)
    return [np.einsum("nchw,fc->nf", maps, p[:, :, 0, 0]) / 36]


def half(x: Array, w: Array) -> Sequence[Array]:
    """A product of f16, and its sum by rows."""
    product = (x @ w).astype(np.float16)
    return [product, product.astype(float).sum(1)]


RNN = Rnn()
PROGRAMS: dict[str, Program] = {
    "attention": Program([[noise(5, 8), noise(8, 24, seed=1), noise(8, 8, seed=2)]], attention),
    "convnet": Program(
        [
            [
                noise(2, 8, 8, 3),
                noise(4, 3, 3, 3, seed=1),
                noise(4, seed=2),
                noise(64, 5, seed=3, scale=0.25),
                noise(1, 5, seed=4),
            ]
        ],
        convnet,
    ),
    "cumsum": Program(
        [[noise(3, 8), whole(5, 2, low=-2_000_000_000, high=2_000_000_000).astype(np.int32)]],
        cumsum,
    ),
    "dynamic_batch": Program(
        [[noise(n, 8, seed=n), noise(8, 4, seed=1), noise(4, seed=2)] for n in (1, 3, 7)], dynamic
    ),
    "embedding": Program(
        [[whole(2, 4, low=0, high=10), noise(10, 6, seed=1), noise(4, 6, seed=2)]], embedding
    ),
    "generate": Program(
        [
            [
                np.array(5, np.int32),
                np.array(n, np.int64),
                noise(12, 8, seed=1),
                noise(8, 8, seed=2, scale=0.3),
            ]
            for n in (0, 9)
        ],
        generate,
    ),
    "half": Program(
        [[noise(6, 16).astype(np.float16), noise(16, 5, seed=1).astype(np.float16)]], half
    ),
    "layernorm": Program([[noise(3, 16), noise(16, seed=1), noise(16, seed=2)]], layernorm),
    "lstm": Program(
        [[noise(3, 2, 3), noise(1, 16, 3, seed=1), noise(1, 16, 4, seed=2), noise(1, 32, seed=3)]],
        lstm,
    ),
    "mlp": Program([[noise(4, 16)]], mlp),
    "mobile": Program(
        [
            [
                noise(1, 4, 6, 6),
                noise(4, 1, 3, 3, seed=1),
                noise(4, 4, seed=2),
                noise(3, 4, 1, 1, seed=3),
            ]
        ],
        mobile,
    ),
    "pipeline": Program(
        [
            [
                noise(2, 4, 8),
                noise(8, 16, seed=1),
                noise(16, seed=2),
                noise(16, 3, seed=3),
                noise(3, seed=4),
            ]
        ],
        pipeline,
    ),
    "quantized": Program([[noise(4, 16)]], quantized),
    "rescale": Program(
        [
            [
                whole(1, 4, 16, low=-128, high=128).astype(np.int8),
                whole(1, 16, 6, seed=1, low=-128, high=128).astype(np.int8),
            ]
        ],
        rescale,
    ),
    "rnn": Program(
        [
            [
                noise(2, 4, seed=at),
                noise(4, 6, seed=8),
                noise(6, 6, seed=9, scale=0.5),
                noise(6, seed=7),
            ]
            for at in range(3)
        ],
        RNN.step,
    ),
    "router": Program([[noise(5, 6), noise(6, 8, seed=1)]], router),
    "scatter": Program(
        [
            [
                noise(2, 5, 3),
                np.array([[0, 3, 1, 4], [2, 1, 4, 3]], np.int32),
                noise(2, 4, 3, seed=1),
            ]
        ],
        scatter,
    ),
    "softmax": Program([[noise(5, 9, scale=3.0)]], twice_softmax),
    "sort": Program([[noise(3, 10)]], sort),
    "tensor_parallel": Program(
        [
            [
                noise(4, 8),
                noise(8, 6, seed=1),
                noise(8, 6, seed=2),
                noise(6, 3, seed=3),
                noise(6, 3, seed=4),
                noise(6, seed=5),
                noise(3, seed=6),
            ]
        ],
        parallel,
    ),
}
"""By name; `rnn` keeps its state from call to call."""


def results_of(program: Program) -> list[list[Array]]:
    """What numpy computes for each call, in the types of the program's results."""
    found: list[list[Array]] = []
    for inputs in program.calls:
        wide = [array.astype(np.float64) if array.dtype.kind == "f" else array for array in inputs]
        results = [np.asarray(result) for result in program.compute(*wide)]
        found.append(
            [
                result.astype(np.float32) if result.dtype == np.float64 else result
                for result in results
            ]
        )
    return found


def write_arrays() -> None:
    """NAME.C.in.npy and NAME.C.want.npy for call C: its arrays one after the other."""
    for name, program in PROGRAMS.items():
        wanted = results_of(program)
        for call, (inputs, results) in enumerate(zip(program.calls, wanted, strict=True)):
            for kind, arrays in (("in", inputs), ("want", results)):
                with (HERE / f"{name}.{call}.{kind}.npy").open("wb") as file:
                    for array in arrays:
                        np.save(file, array)


def write_models() -> None:
    """NAME.mlir of the ONNX models."""
    import tempfile

    import iree.compiler.tools.import_onnx.__main__ as importer
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    of = {
        np.dtype(np.float32): TensorProto.FLOAT,
        np.dtype(np.int64): TensorProto.INT64,
        np.dtype(np.int32): TensorProto.INT32,
        np.dtype(np.float16): TensorProto.FLOAT16,
    }
    node = helper.make_node
    i64 = lambda *values: np.array(values, np.int64)  # noqa: E731
    f32 = np.float32
    models: dict[str, tuple[list[Any], dict[str, Array], int]] = {
        "mlp": (
            [
                node("Gemm", ["x0", "w1", "b1"], ["h"]),
                node("Relu", ["h"], ["r"]),
                node("Gemm", ["r", "w2", "b2"], ["l"]),
                node("Softmax", ["l"], ["y0"], axis=-1),
            ],
            dict(zip(("w1", "b1", "w2", "b2"), MLP_WEIGHTS, strict=True)),
            17,
        ),
        "attention": (
            [
                node("MatMul", ["x0", "x1"], ["p"]),
                node("Reshape", ["p", "s"], ["p4"]),
                node("Transpose", ["p4"], ["t"], perm=[1, 2, 0, 3]),
                node("Split", ["t", "ones"], ["q1", "k1", "v1"], axis=0),
                *(node("Squeeze", [f"{a}1", "axis0"], [a]) for a in "qkv"),
                node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
                node("MatMul", ["q", "kt"], ["qk"]),
                node("Mul", ["qk", "scale"], ["scaled"]),
                node("Where", ["tri", "scaled", "low"], ["m"]),
                node("Softmax", ["m"], ["a"], axis=-1),
                node("MatMul", ["a", "v"], ["o"]),
                node("Transpose", ["o"], ["o1"], perm=[1, 0, 2]),
                node("Reshape", ["o1", "s1"], ["o2"]),
                node("MatMul", ["o2", "x2"], ["y0"]),
            ],
            {
                "s": i64(5, 3, 2, 4),
                "ones": i64(1, 1, 1),
                "axis0": i64(0),
                "scale": np.array(0.5, f32),
                "tri": np.tri(5, dtype=np.bool_),
                "low": np.array(-np.inf, f32),
                "s1": i64(5, 8),
            },
            17,
        ),
        "layernorm": ([node("LayerNormalization", ["x0", "x1", "x2"], ["y0"], axis=-1)], {}, 17),
        "embedding": (
            [
                node("Gather", ["x1", "x0"], ["e"]),
                node("Add", ["e", "x2"], ["s"]),
                node("ReduceMean", ["s"], ["y0"], axes=[1], keepdims=0),
            ],
            {},
            17,
        ),
        "quantized": (
            [
                node("QuantizeLinear", ["x0", "s0", "z0"], ["q"]),
                node("QLinearMatMul", ["q", "s0", "z0", "w", "s1", "z1", "s2", "z2"], ["y"]),
                node("DequantizeLinear", ["y", "s2", "z2"], ["y0"]),
            ],
            {
                "s0": np.array(0.02, f32),
                "z0": np.array(120, np.uint8),
                "w": QUANTIZED_WEIGHTS,
                "s1": np.array(0.01, f32),
                "z1": np.array(131, np.uint8),
                "s2": np.array(0.05, f32),
                "z2": np.array(110, np.uint8),
            },
            17,
        ),
        "router": (
            [
                node("MatMul", ["x0", "x1"], ["l"]),
                node("TopK", ["l", "k"], ["v", "y1"], axis=1),
                node("Softmax", ["v"], ["y0"], axis=-1),
            ],
            {"k": i64(3)},
            17,
        ),
        "cumsum": (
            [
                node("CumSum", ["x0", "one"], ["y0"]),
                node("CumSum", ["x1", "zero"], ["y1"], exclusive=1, reverse=1),
            ],
            {"one": np.array(1, np.int64), "zero": np.array(0, np.int64)},
            17,
        ),
        "dynamic_batch": (
            [node("Gemm", ["x0", "x1", "x2"], ["h"]), node("Gelu", ["h"], ["y0"])],
            {},
            20,
        ),
        "lstm": (
            [node("LSTM", ["x0", "x1", "x2", "x3"], ["y0", "y1", "y2"], hidden_size=4)],
            {},
            17,
        ),
        "mobile": (
            [
                node("Conv", ["x0", "x1"], ["c"], group=4, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
                node("Split", ["x2", "ones"], ["g1", "b1", "m1", "v1"], axis=0),
                *(node("Squeeze", [f"{a}1", "axis0"], [a]) for a in "gbmv"),
                node("Abs", ["v"], ["va"]),
                node("BatchNormalization", ["c", "g", "b", "m", "va"], ["n"]),
                node("HardSwish", ["n"], ["h"]),
                node("Conv", ["h", "x3"], ["p"], kernel_shape=[1, 1]),
                node("GlobalAveragePool", ["p"], ["a"]),
                node("Flatten", ["a"], ["y0"]),
            ],
            {"ones": i64(1, 1, 1, 1), "axis0": i64(0)},
            17,
        ),
        "half": (
            [
                node("MatMul", ["x0", "x1"], ["y0"]),
                node("Cast", ["y0"], ["w"], to=TensorProto.FLOAT),
                node("ReduceSum", ["w", "one"], ["y1"], keepdims=0),
            ],
            {"one": i64(1)},
            17,
        ),
    }
    for name, (nodes, constants, opset) in models.items():
        program = PROGRAMS[name]
        wanted = results_of(program)[0]

        def value(prefix: str, at: int, array: Array, name: str = name) -> Any:
            shape: list[Any] = list(array.shape)
            if name == "dynamic_batch" and (prefix, at) in (("x", 0), ("y", 0)):
                shape[0] = "N"
            return helper.make_tensor_value_info(f"{prefix}{at}", of[array.dtype], shape)

        graph = helper.make_graph(
            nodes,
            "f",
            [value("x", at, array) for at, array in enumerate(program.calls[0])],
            [value("y", at, array) for at, array in enumerate(wanted)],
            [numpy_helper.from_array(array, key) for key, array in constants.items()],
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9
        )
        onnx.checker.check_model(model)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.onnx"
            onnx.save(model, path)
            flags = [str(path), "-o", str(HERE / f"{name}.mlir")]
            importer.main(importer.parse_arguments(flags))


if __name__ == "__main__":
    write_models() if "--onnx" in sys.argv else write_arrays()
