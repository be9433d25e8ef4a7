"""What stream ops say about the storage they touch: ranges, ties, places, timepoints."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from zcir.dialects import access, stream
from zcir.dialects.access import Access
from zcir.dialects.build import build_op, rebuild_op
from zcir.dialects.hal import Hal
from zcir.dialects.stream.base import Canonicalized
from zcir.dialects.stream.canonicalization import PATTERNS
from zcir.dialects.stream.sizes import find_size, same_number
from zcir.dialects.util import Util

HEADER = """
func.func @f(%r: !stream.resource<*>, %q: !stream.resource<*>, %st: !stream.resource<staging>,
    %n: index, %a: index, %b: index, %x: i32, %x8: i8, %at: i64, %k: !util.buffer,
    %ch: !stream.channel, %t: !stream.timepoint, %file: !stream.file) {
"""


def parse(body: str) -> list[Operation]:
    """The ops of a function's body; the last one is the return."""
    ctx = Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, arith.Arith, func.Func, stream.Stream, Hal, Util):
        ctx.load_dialect(dialect)
    module = Parser(ctx, f"{HEADER}{body}\nfunc.return }}").parse_module()
    module.verify()
    return list(next(iter(module.ops)).regions[0].block.ops)


def name(value: SSAValue | None) -> str:
    """The hint of a value; "-" for none."""
    return "-" if value is None else value.name_hint or "?"


def ranges(op: Operation) -> list[str]:
    """Accesses in short: `read r a..b for n`."""
    return [
        f"{access_.mode.name} {name(access_.value)} {name(access_.offset)}..{name(access_.end)}"
        f" for {name(access_.length)}"
        for access_ in access.range_accesses(op)
    ]


ONE_OP = {
    "%o = stream.async.alloca : !stream.resource<*>{%n}": [],
    "%o = stream.async.constant : !stream.resource<*>{%n} = 1 : i8": ["WRITE o -..- for n"],
    "%o = stream.async.splat %x : i32 -> !stream.resource<*>{%n}": ["WRITE o -..- for n"],
    "%o = stream.async.clone %r : !stream.resource<*>{%a} -> !stream.resource<*>{%n}": [
        "READ r -..- for a",
        "WRITE o -..- for n",
    ],
    "%o = stream.async.slice %r[%a to %b] : !stream.resource<*>{%a} -> !stream.resource<*>{%n}": [
        "READ r a..b for n",
        "WRITE o -..- for n",
    ],
    "%o = stream.async.fill %x, %r[%a to %b for %n] : i32 -> %r as !stream.resource<*>{%a}": [
        "WRITE r a..b for n",
        "WRITE o a..b for n",
    ],
    "%o = stream.async.update %q, %r[%a to %b] : !stream.resource<*>{%n} -> %r as"
    " !stream.resource<*>{%a}": [
        "READ q -..- for n",
        "WRITE r a..b for n",
        "WRITE o a..b for n",
    ],
    "%o = stream.async.copy %q[%n to %n], %r[%a to %b], %n : !stream.resource<*>{%n} -> %r as"
    " !stream.resource<*>{%a}": [
        "READ q n..n for n",
        "WRITE r a..b for n",
        "WRITE o a..b for n",
    ],
    "%o = stream.async.collective<all_gather : f32>[%n] channel(%ch) %q[%n to %n for %n],"
    " %r[%a to %b for %n] : !stream.resource<*>{%n} -> %r as !stream.resource<*>{%a}": [
        "READ q n..n for n",
        "WRITE r a..b for n",
        "WRITE o a..b for n",
    ],
    "%o = stream.async.transfer %r : !stream.resource<*>{%a} -> !stream.resource<*>{%n}": [
        "READ r -..- for a",
        "WRITE o -..- for n",
    ],
    # A tied operand is written as well as read, and its result names the same range.
    "%o, %p = stream.async.dispatch @e::@f(%x, %r[%a to %b for %n], %q[%n to %n for %n]) :"
    " (i32, !stream.resource<*>{%a}, !stream.resource<*>{%n})"
    " -> (!stream.resource<*>{%b}, %r{%a})": [
        "READ_WRITE r a..b for n",
        "READ q n..n for n",
        "WRITE o -..b for b",
        "READ_WRITE p a..b for n",
    ],
    "%o, %d = stream.async.execute with(%r as %i: !stream.resource<*>{%n}, %q as %j:"
    " !stream.resource<*>{%a}) -> %r{%n} {\n"
    "stream.yield %i : !stream.resource<*>{%n} } => !stream.timepoint": [
        "READ_WRITE r -..n for n",
        "READ q -..a for a",
        "READ_WRITE o -..n for n",
    ],
    "%o, %d = stream.async.parameter.load %k[%at] : !stream.resource<*>{%n} => !stream.timepoint": [
        "WRITE o -..- for n"
    ],
    "%o, %d = stream.async.parameter.read %k[%at] -> %r[%a to %b for %n] : !stream.resource<*>{%a}"
    " => !stream.timepoint": ["WRITE r a..b for n", "WRITE o a..b for n"],
    "%o, %d = stream.async.parameter.write %r[%a to %b for %n] -> %k[%at] :"
    " !stream.resource<*>{%a} => !stream.timepoint": ["READ r a..b for n"],
    "%o, %d = stream.async.parameter.gather { %k[%at] -> %r[%a to %b for %n] :"
    " !stream.resource<*>{%n} } : !stream.resource<*> => !stream.timepoint": ["WRITE r a..b for n"],
    "%o, %d = stream.async.parameter.scatter { %r[%a to %b for %n] : !stream.resource<*>{%n}"
    " -> %k[%at] } : !stream.resource<*> => !stream.timepoint": ["READ r a..b for n"],
    "%d = stream.cmd.parameter.read %k[%at] -> %r[%a for %n] : !stream.resource<*>{%a}"
    " => !stream.timepoint": ["WRITE r a..- for n"],
    "%d = stream.cmd.parameter.write %r[%a for %n] : !stream.resource<*>{%a} -> %k[%at]"
    " => !stream.timepoint": ["READ r a..- for n"],
    "%d = stream.cmd.parameter.gather { %k[%at] -> %r[%a for %n] : !stream.resource<*>{%n},"
    " %k[%at] -> %r[%b for %n] : !stream.resource<*>{%n} } => !stream.timepoint": [
        "WRITE r a..- for n",
        "WRITE r b..- for n",
    ],
    "%d = stream.cmd.parameter.scatter { %r[%a for %n] : !stream.resource<*>{%n} -> %k[%at] }"
    " => !stream.timepoint": ["READ r a..- for n"],
    "%d = stream.file.read : %file[%at], %r[%a], %n : !stream.file -> !stream.resource<*>{%a}"
    " => !stream.timepoint": ["WRITE r a..- for n"],
    "%d = stream.file.write : %r[%a], %file[%at], %n : !stream.resource<*>{%a} -> !stream.file"
    " => !stream.timepoint": ["READ r a..- for n"],
}

COMMANDS = {
    "stream.cmd.fill %x8, %i[%a for %n] : i8 -> !stream.resource<*>{%n}": ["WRITE i a..- for n"],
    "stream.cmd.copy %i[%a], %j[%b], %n : !stream.resource<*>{%n} -> !stream.resource<*>{%n}": [
        "READ i a..- for n",
        "WRITE j b..- for n",
    ],
    "stream.cmd.dispatch @e::@f { ro %i[%a for %n] : !stream.resource<*>{%n},"
    " rw %j[%b for %n] : !stream.resource<*>{%n} }": [
        "READ i a..- for n",
        "READ_WRITE j b..- for n",
    ],
    "stream.cmd.collective<recv : f32>[%n] channel(%ch) {"
    " wo %i[%a for %n] : !stream.resource<*>{%n} }": ["WRITE i a..- for n"],
    # Maintenance is no access.
    "stream.cmd.flush %i[%a for %n] : !stream.resource<*>{%n}": [],
}


@pytest.mark.parametrize(("text", "expected"), ONE_OP.items())
def test_ranges_of_ops(text: str, expected: list[str]) -> None:
    assert ranges(parse(text)[0]) == expected


@pytest.mark.parametrize(("text", "expected"), COMMANDS.items())
def test_ranges_of_commands(text: str, expected: list[str]) -> None:
    execute = parse(
        "%d = stream.cmd.execute with(%r as %i: !stream.resource<*>{%n},"
        f" %q as %j: !stream.resource<*>{{%n}}) {{ {text} }} => !stream.timepoint"
    )[0]
    command = execute.regions[0].block.first_op
    assert command is not None
    assert ranges(command) == expected


def test_every_data_op_tells_its_ranges() -> None:
    """An op of the async or cmd phase that names a range has the trait that tells it."""
    for op in stream.Stream.operations:
        assert issubclass(op, IRDLOperation)
        names = {field for field, _ in op.get_irdl_definition().operands}
        ranged = any(
            field.endswith(("_offset", "_offsets")) and field.removesuffix("s") != "packed_offset"
            for field in names
        )
        phase = op.name.startswith(("stream.async.", "stream.cmd.", "stream.file."))
        host = op.name in ("stream.async.load", "stream.async.store", "stream.file.constant")
        # The parameter's offset of a load is not a resource's.
        loads = op.name == "stream.cmd.parameter.load"
        if ranged and phase and not host and not loads:
            told = op.get_trait(access.AccessesRanges) or op.get_trait(access.Maintains)
            assert told is not None, op.name


def test_maintained_range() -> None:
    execute = parse(
        "%d = stream.cmd.execute with(%r as %i: !stream.resource<*>{%n}) {"
        " stream.cmd.discard %i[%a for %n] : !stream.resource<*>{%n} } => !stream.timepoint"
    )[0]
    discard = execute.regions[0].block.first_op
    assert discard is not None
    maintained = access.maintained_range(discard)
    assert maintained is not None
    assert maintained.mode is Access.NONE
    assert [name(v) for v in (maintained.value, maintained.offset, maintained.length)] == [
        "i",
        "a",
        "n",
    ]
    assert access.maintained_range(execute) is None


def test_ties() -> None:
    dispatch, awaited, clone = parse(
        "%o, %p = stream.async.dispatch @e::@f(%x, %r[%a to %b for %n]) : (i32,"
        " !stream.resource<*>{%a}) -> (!stream.resource<*>{%b}, %r{%a})\n"
        "%s, %u = stream.timepoint.await %t => %o, %p : !stream.resource<*>{%b},"
        " !stream.resource<*>{%a}\n"
        "%c = stream.async.clone %s : !stream.resource<*>{%a} -> !stream.resource<*>{%n}"
    )[:3]
    assert access.tied_operand(dispatch.results[0]) is None
    assert name(access.tied_operand(dispatch.results[1])) == "r"
    assert access.tied_operand_index(dispatch.results[1]) == 1
    assert [(name(r), name(o)) for r, o in access.tied_results(awaited)] == [
        ("s", "o"),
        ("u", "p"),
    ]
    assert access.tied_results(clone) == ()
    assert access.tied_operand(clone.operands[1]) is None


def test_places_and_timepoints() -> None:
    alloca, transfer, join = parse(
        "%o, %d = stream.resource.alloca uninitialized on(#hal.device.affinity<@p>) await(%t) =>"
        " !stream.resource<*>{%n} => !stream.timepoint\n"
        "%c = stream.async.transfer %r : !stream.resource<*>{%n} -> to(#hal.device.affinity<@p>)"
        " !stream.resource<*>{%n}\n"
        "%j = stream.timepoint.join max(%d, %t) => !stream.timepoint"
    )[:3]
    affinity = access.op_affinity(alloca)
    assert str(affinity) == "#hal.device.affinity<@p>"
    assert access.result_affinity(alloca) == affinity
    assert access.op_affinity(transfer) is None
    assert access.result_affinity(transfer) == affinity
    assert access.inherited_affinity(transfer) is None
    parent = transfer.parent_op()
    assert parent is not None
    assert affinity is not None
    parent.attributes["stream.affinity.default"] = affinity
    assert access.inherited_affinity(transfer) == affinity
    assert [name(v) for v in access.await_timepoints(alloca)] == ["t"]
    assert [name(v) for v in access.await_timepoints(join)] == ["d", "t"]
    assert name(access.result_timepoint(alloca)) == "d"
    assert access.result_timepoint(transfer) is None


def test_sizes() -> None:
    execute = parse(
        "%o, %p, %d = stream.async.execute with(%r as %i: !stream.resource<*>{%n}) ->"
        " (%r{%n}, !stream.resource<*>{%a}) {\n"
        "%c = stream.async.clone %i : !stream.resource<*>{%n} -> !stream.resource<*>{%a}\n"
        "%s = stream.async.update %c, %i[%a to %b] : !stream.resource<*>{%a} -> %i as"
        " !stream.resource<*>{%n}\n"
        "stream.yield %s, %c : !stream.resource<*>{%n}, !stream.resource<*>{%a}\n"
        "} => !stream.timepoint"
    )[0]
    block = execute.regions[0].block
    clone, update, _ = block.ops
    assert [name(find_size(v)) for v in execute.results] == ["n", "a", "-"]
    assert name(find_size(block.args[0])) == "n"
    assert name(find_size(clone.results[0])) == "a"
    assert name(find_size(update.results[0])) == "n"
    assert find_size(execute.operands[0]) is None


def test_same_number() -> None:
    one, other, two = parse(
        "%c1 = arith.constant 1 : index %d1 = arith.constant 1 : index"
        " %c2 = arith.constant 2 : index"
    )[:3]
    assert same_number(one.results[0], other.results[0])
    assert not same_number(one.results[0], two.results[0])


def test_ops_are_built_and_rebuilt_by_field_names() -> None:
    execute = parse(
        "%d = stream.cmd.execute once await(%t) => with(%r as %i: !stream.resource<*>{%n}) {"
        " stream.cmd.flush %i[%a for %n] : !stream.resource<*>{%n} } => !stream.timepoint"
        " attributes {tag}"
    )[0]
    assert isinstance(execute, stream.CmdExecuteOp)
    rebuilt = rebuild_op(execute, await_timepoint=None)
    rebuilt.verify()
    assert rebuilt.await_timepoint is None
    assert rebuilt.once is not None
    assert "tag" in rebuilt.attributes
    assert len(list(rebuilt.body.ops)) == 2
    now = build_op(stream.TimepointImmediateOp, result_timepoint=stream.TimepointType())
    now.verify()
    with pytest.raises(ValueError, match="got wait"):
        build_op(stream.TimepointImmediateOp, wait=None)


def test_canonicalized_ops_have_patterns() -> None:
    """The trait and the table name the same ops."""
    marked = {op for op in stream.Stream.operations if op.get_trait(Canonicalized) is not None}
    assert marked == set(PATTERNS)
