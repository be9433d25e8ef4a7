"""A corpus of valid modules, and small damage to their text: by character, token, line and shape.

A mutant is named by a file of the corpus and a number, and depends on that file alone: other tests
may come and change without another mutant for it.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import make_context, parse_text

ROOT = Path(__file__).resolve().parents[3]
FILES = (
    *("test/lit/dialects/flow/tensors.mlir", "test/lit/dialects/flow/executables.mlir"),
    *("test/lit/dialects/flow/regions.mlir", "test/lit/dialects/flow/canonicalize.mlir"),
    *("test/lit/dialects/flow/invalid.mlir", "test/lit/dialects/foreign/arith.mlir"),
    *("test/lit/dialects/foreign/linalg.mlir", "test/lit/dialects/foreign/vector.mlir"),
    *("test/lit/dialects/hal/attributes.mlir", "test/lit/dialects/hal/buffers.mlir"),
    *("test/lit/dialects/hal/executable.mlir", "test/lit/dialects/hal/tensor.mlir"),
    *("test/lit/dialects/hal/topology.mlir", "test/lit/dialects/iree_tensor_ext/dispatch.mlir"),
    *("test/lit/dialects/iree_tensor_ext/tensors.mlir", "test/lit/dialects/stream/async.mlir"),
    *("test/lit/dialects/stream/async_control.mlir", "test/lit/dialects/stream/attributes.mlir"),
    *("test/lit/dialects/stream/canonicalize.mlir", "test/lit/dialects/stream/cmd.mlir"),
    *("test/lit/dialects/stream/executable.mlir", "test/lit/dialects/stream/invalid.mlir"),
    *("test/lit/dialects/stream/parameter.mlir", "test/lit/dialects/stream/resource.mlir"),
    *("test/lit/dialects/stream/tensor.mlir", "test/lit/dialects/stream/timepoint.mlir"),
    *("test/lit/dialects/util/arithmetic.mlir", "test/lit/dialects/util/attributes.mlir"),
    *("test/lit/dialects/util/buffers.mlir", "test/lit/dialects/util/globals.mlir"),
    *("test/lit/dialects/util/lists.mlir", "test/lit/dialects/util/structural.mlir"),
    *("test/lit/transforms/flow_to_stream.mlir", "test/lit/transforms/flow_to_stream_control.mlir"),
    *(
        "test/lit/transforms/host_scf_to_cf.mlir",
        "test/lit/transforms/stream_elide_timepoints.mlir",
    ),
    "test/lit/transforms/stream_elide_async_copies.mlir",
    "test/lit/transforms/stream_emplace_allocations.mlir",
    "test/lit/transforms/stream_materialize_copy_on_write.mlir",
    "test/lit/transforms/stream_place_cache_maintenance.mlir",
    "test/lit/transforms/stream_schedule_allocation.mlir",
    "test/lit/transforms/stream_schedule_concurrency.mlir",
    "test/lit/transforms/stream_schedule_execution.mlir",
    "test/lit/transforms/stream_to_hal.mlir",
    "test/lit/dialects/hal/command_buffer.mlir",
)
"""Every dialect and level."""
SEPARATOR = "// -----"

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%@#!^]?[A-Za-z_$][\w$.]*|[%#^@!]\w+|-?\d[\w.]*|->|::|\s+|.')
VALUE = re.compile(r"%[\w$.-]+")
NUMBER = re.compile(r"(?<![\w%@#!.])-?\d+(?:\.\d+(?:e[+-]?\d+)?)?\b")
TYPE = re.compile(
    r"![\w.]+(?:<[^<>]*>)?|\b(?:tensor|vector|memref)<[^<>]*>|\b(?:index|i1|i8|i32|i64|f16|f32|f64)\b"
)
ATTRIBUTE = re.compile(r'#[\w.]+(?:<[^<>]*>)?|"[^"\n]*"|\b(?:unit|true|false)\b|\[[^\[\]\n]*\]')
ENTRY = re.compile(r"\b[\w.]+ = [^,{}<>\[\]\n]+(?=[,}])")
SYMBOL = re.compile(r"@\w+")
NUMBERS = (
    *("0", "-1", "1", "2", "3", "7", "255", "65536", "2147483648", "-2147483649"),
    *("9223372036854775807", "-9223372036854775808", "18446744073709551616", "9" * 40),
    *("-" + "9" * 30, "1.5", "-0.0", "1e400", "0x7FC00000", "0xFFFFFFFFFFFFFFFFFF", "?", "*"),
)
TYPES = (
    *("i0", "i1", "i32", "si8", "i99999999", "index", "f32", "bf16", "none", "()", "tuple<>"),
    *("tensor<*xf32>", "tensor<?x?xf32>", "tensor<4xf32>", "tensor<-1xf32>", "tensor<0xi8>"),
    *("vector<[4]xi8>", "memref<?xi8>", "!stream.resource<*>", "!stream.resource<external>"),
    *("!stream.timepoint", "!stream.channel", "!hal.buffer", "!hal.device", "!hal.fence"),
    *("!util.list<?>", "!util.ptr<!hal.buffer>", "!util.buffer", "!flow.channel", "!a.b<c>"),
    *("!stream.binding", "!stream.test.fence", "!iree_tensor_ext.dispatch.tensor<readonly:f32>"),
    *("(i32) -> i32", "complex<f32>", "tensor<2xf32, #a.b<[>", "tensor<2x!stream.timepoint>"),
)
ATTRIBUTES = (
    *("unit", "true", "0", "-1 : index", "7 : i8", '"text"', "@sym", "@a::@b", "[]", "{}", "i32"),
    *(
        "[1, @a, unit]",
        "{a = 1}",
        "dense<0> : tensor<2xi8>",
        "dense<> : tensor<0xi8>",
        "affine_map<() -> ()>",
    ),
    *("array<i64: 1, -1>", "array<i32>", "array<i32: 9, 9, 9, 9, 9, 9>", "#a.b<c>", "#a<b>"),
    *(
        "#hal.device.affinity<@nowhere>",
        "#hal.device.promise<@x, [0]>",
        "#stream.timepoint<immediate>",
    ),
    *("#hal.device.topology<links = []>", "#stream.partitioning_config<1>", "loc(unknown)"),
    *("#stream.parameter.named<>", "dense_resource<x> : tensor<4xi8>", "1.0 : f32", "-1 : i1"),
)


@cache
def context() -> Context:
    """The context in which all mutants are read."""
    return make_context()


def printed(module: ModuleOp, generic: bool = False) -> str:
    """A module as text."""
    text = StringIO()
    Printer(text, print_generic_format=generic).print_op(module)
    return text.getvalue()


def chunks(path: Path) -> list[str]:
    """The modules in a file, without comments."""
    lines = path.read_text(encoding="utf-8").split("\n")
    text = "\n".join(
        line for line in lines if line.startswith(SEPARATOR) or line.strip()[:2] != "//"
    )
    return [chunk.strip("\n") + "\n" for chunk in text.split(SEPARATOR) if chunk.strip()]


@cache
def corpus(file: str) -> tuple[str, ...]:
    """The modules in a file of FILES, in custom and in generic form.

    A module that does not verify, as in tests of verifiers, stands for itself: its neighbours of
    one change are as good as any.
    """
    texts = chunks(ROOT / file)
    return (*texts, *filter(None, map(generic_form, texts)))


def generic_form(text: str) -> str:
    """The generic form of a module; "" where it does not verify."""
    try:
        module = parse_text(context(), text, "corpus")
        verify_module(module)
    except (ParseError, OpError):
        return ""
    return printed(module, generic=True)


def replace_one(pattern: re.Pattern[str], text: str, random: Random, new: str) -> str:
    """`text` with one match of `pattern` replaced; unchanged where there is none."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def borrow(
    pattern: re.Pattern[str],
    text: str,
    random: Random,
    pool: Sequence[str],
    others: Sequence[str],
) -> str:
    """A match of `pattern` out of `text` or out of another module, or one of `others`."""
    source = text if random.random() < 0.5 else random.choice(pool)
    found: Sequence[str] = pattern.findall(source)
    return random.choice(found if found and random.random() < 0.5 else others or found or ("",))


def change_number(text: str, random: Random, pool: Sequence[str]) -> str:
    """A number becomes huge, negative, zero, a fraction, or no number."""
    return replace_one(NUMBER, text, random, random.choice(NUMBERS))


def change_type(text: str, random: Random, pool: Sequence[str]) -> str:
    """A type becomes another."""
    return replace_one(TYPE, text, random, borrow(TYPE, text, random, pool, TYPES))


def change_attribute(text: str, random: Random, pool: Sequence[str]) -> str:
    """An attribute becomes another."""
    return replace_one(ATTRIBUTE, text, random, borrow(ATTRIBUTE, text, random, pool, ATTRIBUTES))


def change_entry(text: str, random: Random, pool: Sequence[str]) -> str:
    """An entry of a dictionary gets another value, another name, a twin, or goes."""
    found = list(ENTRY.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    name, _, value = match.group().partition(" = ")
    other = random.choice(found).group()
    new = random.choice(
        (
            f"{name} = {borrow(ATTRIBUTE, text, random, pool, ATTRIBUTES)}",
            f"{name} = {random.choice(ATTRIBUTES)}",
            f"{random.choice(other.split(' = '))} = {value}",
            f"{match.group()}, {match.group()}",
            f"{other}, {match.group()}",
            name,
            "",
        )
    )
    return text[: match.start()] + new + text[match.end() :]


def rename_value(text: str, random: Random, pool: Sequence[str]) -> str:
    """One use or definition of a value takes the name of another, or of none."""
    new = borrow(VALUE, text, random, pool, ("%nothing", "%0", "%0#1", "%c0", "%arg0"))
    return replace_one(VALUE, text, random, new)


def rename_symbol(text: str, random: Random, pool: Sequence[str]) -> str:
    """One symbol takes the name of another, or of none."""
    new = borrow(SYMBOL, text, random, pool, ("@nothing", '@"odd name"', "@a::@b"))
    return replace_one(SYMBOL, text, random, new)


def bracketed(text: str, random: Random, pair: str) -> tuple[int, int] | None:
    """The span of a balanced pair of brackets, brackets included; None where there is none."""
    starts = [index for index, char in enumerate(text) if char == pair[0]]
    if not starts:
        return None
    start = random.choice(starts)
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == pair[0]) - (text[index] == pair[1])
        if depth == 0:
            return start, index + 1
    return start, len(text)


def cut_brackets(text: str, random: Random, pool: Sequence[str]) -> str:
    """What a pair of brackets holds goes, with or without them, or comes twice."""
    pair = random.choice(("{}", "{}", "()", "[]", "<>"))
    span = bracketed(text, random, pair)
    if span is None:
        return text
    start, end = span
    inside = text[start + 1 : end - 1]
    new = random.choice(("", pair, text[start:end] * 2, f"{pair[0]}{inside}, {inside}{pair[1]}"))
    return text[:start] + new + text[end:]


def nest(text: str, random: Random, pool: Sequence[str]) -> str:
    """A pair of brackets, or a type, is nested in itself many times."""
    depth = random.choice((2, 30, 200))
    span = bracketed(text, random, random.choice(("{}", "[]", "<>")))
    if span is None or random.random() < 0.3:
        kind = random.choice(("tuple", "tensor", "!util.list", "!util.ptr", "!stream.resource"))
        return replace_one(TYPE, text, random, f"{kind}<" * depth + "i32" + ">" * depth)
    start, end = span
    opening, closing = text[start], text[end - 1]
    return text[:start] + opening * depth + text[start:end] + closing * depth + text[end:]


def change_tokens(text: str, random: Random, pool: Sequence[str]) -> str:
    """A token goes, comes twice, swaps with another, or is replaced by one of another module."""
    tokens: list[str] = TOKEN.findall(text)
    words = [index for index, token in enumerate(tokens) if not token.isspace()]
    if not words:
        return text
    first, second = random.choice(words), random.choice(words)
    match random.randrange(4):
        case 0:
            tokens[first] = ""
        case 1:
            tokens[first] += " " + tokens[first]
        case 2:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        case _:
            others: list[str] = TOKEN.findall(random.choice(pool))
            tokens[first] = random.choice(others)
    return "".join(tokens)


def change_lines(text: str, random: Random, pool: Sequence[str]) -> str:
    """A line goes, comes twice, moves, or one of another module is put in."""
    lines = text.split("\n")
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[first]
        case 1:
            lines.insert(second, lines[first])
        case 2:
            lines[first], lines[second] = lines[second], lines[first]
        case _:
            lines.insert(first, random.choice(random.choice(pool).split("\n")))
    return "\n".join(lines)


def change_characters(text: str, random: Random, pool: Sequence[str]) -> str:
    """A character goes, comes in, changes, or the text ends there."""
    at = random.randrange(len(text) + 1)
    new = random.choice("\0\t\r\n\"\\'`{}()[]<>%@#!^:,=-?*0ax\x7f\xe9\u2028\U0001f600")
    match random.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + new + text[at:]
        case 2:
            return text[:at] + new + text[at + 1 :]
        case _:
            return text[:at]


MUTATIONS: tuple[Callable[[str, Random, Sequence[str]], str], ...] = (
    change_number,
    change_type,
    change_attribute,
    change_entry,
    rename_value,
    rename_symbol,
    cut_brackets,
    nest,
    change_tokens,
    change_tokens,
    change_lines,
    change_characters,
)


def mutant(number: int) -> tuple[str, str]:
    """The name and the text of a mutant: a module of the corpus, changed once to three times.

    Numbers go round the files of the corpus, so that a few take all levels in.
    """
    turn, place = divmod(number, len(FILES))
    name = f"{FILES[place]}:{turn}"
    random, pool = Random(name), corpus(FILES[place])
    # Short ones mostly: a long one costs more and tells no more.
    (text,) = random.choices(pool, [1 / len(text) for text in pool])
    for _ in range(random.choice((1, 1, 2, 3))):
        text = random.choice(MUTATIONS)(text, random, pool)
    return name, text
