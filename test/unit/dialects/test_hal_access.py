"""What hal commands read, write and maintain, as `zcir.dialects.access` tells it."""

# IR in one line for each op.
# ruff: noqa: E501

from collections.abc import Mapping

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, IndexType, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from zcir.dialects.access import (
    Access,
    Maintenance,
    maintained_range,
    maintenance_kind,
    range_accesses,
)
from zcir.dialects.hal import Hal
from zcir.dialects.util import Util
from zcir.dialects.verify import constant_index

PROGRAM = """
hal.executable private @ex {
  hal.executable.variant public @v target(<"vmvx", "fb">) {
    hal.executable.export public @k ordinal(0) layout(#hal.pipeline.layout<bindings = [
      #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>)
  }
}
util.func public @f(%device: !hal.device, %exe: !hal.executable, %unknown: i64,
    %cmd: !hal.command_buffer, %buffer: !hal.buffer, %bytes: !util.buffer, %v: i32,
    %channel: !hal.channel) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c8, %c64] pattern(%v : i32) flags("None")
  hal.command_buffer.update_buffer<%cmd : !hal.command_buffer> source(%bytes : !util.buffer{%c64})[%c1] target(%buffer : !hal.buffer)[%c8] length(%c8) flags("None")
  hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c1 : index)[%c1] target(%buffer : !hal.buffer)[%c8] length(%c64) flags("None")
  hal.command_buffer.collective<%cmd : !hal.command_buffer> channel(%channel : !hal.channel) op(<all_reduce with sum : f32>) send(%buffer : !hal.buffer)[%c1, %c8] recv(%buffer : !hal.buffer)[%c64, %c8] count(%c1)
  hal.command_buffer.collective<%cmd : !hal.command_buffer> channel(%channel : !hal.channel) op(<recv : f32>) param(%v : i32) recv(%buffer : !hal.buffer)[%c64, %c8] count(%c1)
  hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c8, %c64] flags("None")
  hal.command_buffer.invalidate_buffer<%cmd : !hal.command_buffer> target(%c1 : index)[%c8, %c64] flags("None")
  hal.command_buffer.discard_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c8, %c64] flags("None")
  %k = hal.executable.lookup.function target(%exe : !hal.executable) function(@ex::@v::@k) : i64
  hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%k] workgroups([%c1, %c1, %c1]) bindings([(%buffer : !hal.buffer)[%c1, %c8], (%c1 : index)[%c8, %c64]]) flags("None")
  hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%unknown] workgroups([%c1, %c1, %c1]) bindings([(%buffer : !hal.buffer)[%c1, %c8]]) flags("None")
  util.return
}
"""


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    ctx = Context()
    for dialect in (Arith, Builtin, Hal, Util):
        ctx.load_dialect(dialect)
    module = Parser(ctx, PROGRAM).parse_module()
    module.verify()
    return module


def ops_named(module: ModuleOp, name: str) -> list[Operation]:
    return [op for op in module.walk() if op.name == f"hal.command_buffer.{name}"]


def ranges(op: Operation) -> list[tuple[Access, bool, int | None, int | None]]:
    """Mode, whether it names a slot, offset and length."""
    return [
        (
            access.mode,
            isinstance(access.value.type, IndexType),
            None if access.offset is None else constant_index(access.offset),
            constant_index(access.length),
        )
        for access in range_accesses(op)
    ]


R, W, RW = Access.READ, Access.WRITE, Access.READ_WRITE
EXPECTED: Mapping[str, list[list[tuple[Access, bool, int, int]]]] = {
    "fill_buffer": [[(W, False, 8, 64)]],
    "update_buffer": [[(W, False, 8, 8)]],
    "copy_buffer": [[(R, True, 1, 64), (W, False, 8, 64)]],
    "collective": [[(R, False, 1, 8), (W, False, 64, 8)], [(W, False, 64, 8)]],
    # The layout says which bindings are only read; an unknown kernel may write all.
    "dispatch": [[(R, False, 1, 8), (RW, True, 8, 64)], [(RW, False, 1, 8)]],
    # Maintenance is no access to contents.
    "flush_buffer": [[]],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_commands_tell_what_they_access(module: ModuleOp, name: str) -> None:
    assert [ranges(op) for op in ops_named(module, name)] == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "kind", "slot"),
    [
        ("flush_buffer", Maintenance.FLUSH, False),
        ("invalidate_buffer", Maintenance.INVALIDATE, True),
        ("discard_buffer", Maintenance.DISCARD, False),
    ],
)
def test_maintenance_tells_its_range_ir_15(
    module: ModuleOp, name: str, kind: Maintenance, slot: bool
) -> None:
    [op] = ops_named(module, name)
    maintained = maintained_range(op)
    assert maintained is not None
    assert maintained.offset is not None
    assert maintenance_kind(op) is kind
    assert isinstance(maintained.value.type, IndexType) is slot
    assert constant_index(maintained.offset) == 8
    assert constant_index(maintained.length) == 64


def test_other_commands_maintain_nothing(module: ModuleOp) -> None:
    [op] = ops_named(module, "fill_buffer")
    assert maintained_range(op) is None
    assert maintenance_kind(op) is None
