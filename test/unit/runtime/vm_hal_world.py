"""Hal-level host programs in a few lines, for the tests of the host VM."""

from pathlib import Path

from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.element_types import Value
from zcir.runtime.load import RunResult, load

HANDOFF = (Path(__file__).parents[2] / "data" / "hal" / "handoff.mlir").read_text()
"""A hand-over from device a to device b, with all the maintenance that it needs."""

UNIFIED = """stream.topology = #hal.device.topology<links = [
    (@a -> @b = {unified_memory = true, transparent_access = true}),
    (@b -> @a = {unified_memory = true, transparent_access = true})]>"""

_PROGRAM = """
module attributes {%TOPOLOGY%} {
  util.global private @a = #hal.device.target<"local", {ordinal = 0 : index}> : !hal.device
  util.global private @b = #hal.device.target<"local", {ordinal = 1 : index}> : !hal.device
  util.func public @f(%arg0: %TYPE%) -> %RESULT% {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %pool = arith.constant 0 : i64
    %queues = arith.constant -1 : i64
    %forever = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %a = util.global.load immutable @a : !hal.device
    %b = util.global.load immutable @b : !hal.device
    %i32 = hal.element_type<i32> : i32
    %dense = hal.encoding_type<dense_row_major> : i32
    %null = util.null : !hal.fence
    %types = hal.memory_type<"DeviceLocal|HostVisible"> : i32
    %usage = hal.buffer_usage<"Transfer|DispatchStorage|Mapping"> : i32
%BODY%
  }
}
"""

_PHRASES = {
    "FENCE": "hal.fence.create device(%a : !hal.device) flags(None) : !hal.fence",
    "ON_A": "<%a : !hal.device> affinity(%queues)",
    "MEMORY": "pool(%pool) type(%types) usage(%usage) flags(None) : !hal.buffer",
    "CREATE": "hal.command_buffer.create device(%a : !hal.device) mode(None) "
    'categories("Transfer|Dispatch") affinity(%queues)',
    "ON_CMD": "<%cmd : !hal.command_buffer>",
    "BARRIER": "hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> "
    'source("Dispatch|Transfer") target("Dispatch|Transfer") flags(None)',
    "FINALIZE": "hal.command_buffer.finalize<%cmd : !hal.command_buffer>",
    "UNTIL": "timeout_millis(%forever) flags(None) : i32",
}
"""Words of bodies that stand for recurring text."""


def program(body: str, *, type: str = "index", result: str = "i32", topology: str = UNIFIED) -> str:
    """A module whose function @f takes one argument, with `body` on devices a and b."""
    for word, text in _PHRASES.items():
        body = body.replace(word, text)
    text = _PROGRAM.replace("%TOPOLOGY%", topology).replace("%TYPE%", type)
    return text.replace("%RESULT%", result).replace("%BODY%", body)


def run(text: str, *inputs: Value, schedule: str = "fifo", check: bool = True) -> RunResult:
    """Run a module's only public function; locations are in `t.mlir`."""
    module = parse_text(make_context(), text, "t.mlir")
    return load(module).run(inputs=inputs, schedule=schedule, check=check)


def line_of(text: str, part: str) -> str:
    """The place of the first line of `text` that has `part`, as locations have it."""
    for number, line in enumerate(text.splitlines(), 1):
        if part in line:
            return f"t.mlir:{number}:"
    raise AssertionError(f"no line has {part}")
