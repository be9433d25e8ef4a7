"""What ops with regions do, seen from around them, against all that the ops in them do."""

from random import Random

import pytest
from flow_model import FlowWriter
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from zcir.dialects.parsing import make_context, parse_text
from zcir.dialects.walk import walk
from zcir.transforms.analysis.nested_ops import NestedOps
from zcir.transforms.analysis.storage import StorageSets, is_resource
from zcir.transforms.functions import functions_of


def parse(text: str) -> ModuleOp:
    return parse_text(make_context(), text, "program.mlir")


KIND = "!stream.resource<transient>"


def nest(depth: int) -> str:
    """Loops in one another, each of which makes what the next starts with."""
    lines = [
        f"%m{level} = stream.async.clone %v{level} : {KIND}{{%c64}} -> {KIND}{{%c64}}\n"
        f"%r{level} = scf.for %i{level} = %c0 to %c64 step %c64 "
        f"iter_args(%v{level + 1} = %m{level}) -> ({KIND}) {{"
        for level in range(depth)
    ]
    lines.append(f"%d{depth} = stream.async.clone %v{depth} : {KIND}{{%c64}} -> {KIND}{{%c64}}")
    last = f"d{depth}"
    for level in reversed(range(depth)):
        lines.append(
            f"scf.yield %{last} : {KIND}\n}}\n"
            f"%d{level} = stream.async.clone %r{level} : {KIND}{{%c64}} -> {KIND}{{%c64}}"
        )
        last = f"d{level}"
    body = "\n".join(lines)
    return f"""util.func public @f(%v0: {KIND}) -> {KIND} {{
%c0 = arith.constant 0 : index
%c64 = arith.constant 64 : index
{body}
util.return %{last} : {KIND}
}}"""


def named(op: Operation) -> list[SSAValue]:
    arguments = (v for region in op.regions for block in region.blocks for v in block.args)
    return [value for value in (*op.operands, *op.results, *arguments) if is_resource(value)]


def is_outside(value: SSAValue, inside: set[Operation]) -> bool:
    owner = value.owner
    return (owner.parent_op() if isinstance(owner, Block) else owner) not in inside


@pytest.mark.parametrize("seed", range(12))
def test_an_op_has_what_the_ops_in_it_have(seed: int) -> None:
    module = parse(FlowWriter(Random(seed), 12).text())
    for function in functions_of(module):
        storage = StorageSets(function)
        nested = NestedOps(function, storage)
        ops = list(walk(function))
        for op in (op for op in ops if op.regions and op is not function):
            within = [inner for inner in walk(op) if inner is not op]
            inside = set(within)
            outside = {
                storage.find(value)
                for other in ops
                if other not in inside
                for value in (named(other) if other is not op else (*op.operands, *op.results))
                if is_resource(value)
            }
            told = {a[:3] for inner in within for a in storage.accesses(inner)}
            kept = {nested_access.access[:3] for nested_access in nested.accesses_within(op)}
            assert kept <= told
            assert {access for access in told if access[0] in outside} <= kept
            used = [v for inner in within for v in inner.operands if is_outside(v, {op, *inside})]
            assert list(nested.uses_within(op)) == list(dict.fromkeys(used))


def test_what_there_is_to_tell_does_not_grow_with_the_depth() -> None:
    def most(depth: int) -> int:
        (function,) = functions_of(parse(nest(depth)))
        nested = NestedOps(function, StorageSets(function))
        return max(
            len(nested.accesses(op)) + len(nested.uses(op)) for op in walk(function) if op.regions
        )

    assert most(12) == most(6)
