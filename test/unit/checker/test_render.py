"""Diagnostics in MLIR's form, and JSON rows."""

import json
import re

from graph_reports import BYTES, only, start
from zcir.runtime.checker import check, render, render_redundant
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.machine import WriteBack


def hand_over(*, flush: bool = True, invalidate: bool = True, ordered: bool = True) -> GraphBuilder:
    """A hand-over from a to b with locations."""
    graph = start()
    graph.access("a", writes=[(0, 64)], location="t.mlir:3:5", label="stream.cmd.dispatch @f")
    if flush:
        graph.flush("a", (0, 64), location="t.mlir:4:5")
    if invalidate:
        graph.invalidate("b", (0, 64), location="t.mlir:7:5")
    after = None if ordered else [0]
    graph.access("b", reads=[(0, 48)], location="t.mlir:8:5", label="@g", after=after)
    return graph


def test_a_stale_read_names_write_place_and_read() -> None:
    assert render(only(hand_over(flush=False))) == [
        "t.mlir:8:5: error: stale read of bytes [0,48) of %x by @b: it may not see the write by "
        "@a, for want of a flush by @a",
        "t.mlir:3:5: note: written here by @a (stream.cmd.dispatch @f)",
        "t.mlir:3:5: note: insert a flush of bytes [0,48) of %x by @a after this "
        "(stream.cmd.dispatch @f)",
        "t.mlir:7:5: note: and before this",
        "t.mlir:8:5: note: read here by @b (@g)",
    ]
    assert render(only(hand_over(invalidate=False)))[2:] == [
        "t.mlir:4:5: note: insert an invalidate of bytes [0,48) of %x by @b after this",
        "t.mlir:8:5: note: read here by @b (@g)",
    ]


def test_a_race_says_how_the_accesses_are_not_ordered() -> None:
    assert render(only(hand_over(ordered=False))) == [
        "t.mlir:8:5: error: race on bytes [0,48) of %x: the read by @b and the write by @a are "
        "not ordered",
        "t.mlir:3:5: note: written here by @a (stream.cmd.dispatch @f)",
        "t.mlir:3:5: note: insert an execution barrier, fence wait or await after this "
        "(stream.cmd.dispatch @f)",
        "t.mlir:8:5: note: read here by @b (@g)",
        "note: both are after this, unordered",
    ]


def test_other_rules_note_the_operation_that_does_the_harm() -> None:
    graph = start()
    graph.access("a", writes=[(0, 8)], location="t.mlir:1:1")
    graph.invalidate("a", (0, 8), location="t.mlir:2:1")
    graph.access("a", reads=[(0, 8)], location="t.mlir:3:1")
    lines = render(only(graph))
    assert lines[0] == (
        "t.mlir:2:1: error: invalidate by @a may drop bytes [0,8) of %x, written by @a and not "
        "yet flushed, that @a reads"
    )
    assert "t.mlir:2:1: note: invalidate here by @a" in lines
    assert "t.mlir:3:1: note: read here by @a" in lines


def test_uninitialized_bytes_are_traced_to_their_alloca() -> None:
    graph = GraphBuilder()
    graph.alloca("host", "%x", 0, 64, location="t.mlir:1:1")
    graph.alloca("host", "%y", 64, 128)
    graph.copy("a", (0, 64), (64, 128), location="t.mlir:2:1")
    graph.access("a", reads=[(64, 128)], location="t.mlir:3:1")
    assert render(only(graph))[1:3] == [
        "t.mlir:1:1: note: undefined since this alloca by host",
        "t.mlir:2:1: note: copied uninitialized here by @a",
    ]


def every_kind() -> list[GraphBuilder]:
    """Graphs that together break every rule."""
    bounds = start(32)
    bounds.access("a", writes=[(0, 64)])
    bounds.dealloca("a", 0)
    bounds.access("a", writes=[(0, 16)])
    early = start()
    early.access("a", writes=[(0, 64)], after=[])
    early.access("a", reads=[(0, 64)], after=[0])
    twice = start()
    twice.dealloca("a", 0)
    twice.dealloca("a", 0)
    sharing = start()
    one = sharing.access("a", writes=[(0, 8)], after=[0])
    sharing.access("b", writes=[(8, 16)], after=[0])
    sharing.access("a", reads=[(0, 8)], after=[one])
    clobber = start()
    clobber.access("a", writes=[(0, 8)])
    clobber.access("b", writes=[(0, 8)])
    clobber.access("b", reads=[(0, 8)])
    lent = GraphBuilder()
    lent.alloca("host", "%lent", 0, 64, borrowed=True)
    lent.access("a", writes=[(0, 64)])
    stale_carry = start()
    stale_carry.access("a", writes=[(0, 8)])
    stale_carry.flush("a", (0, 8))
    stale_carry.access("b", writes=[(8, 16)])
    stale_carry.access("a", reads=[(0, 8)])
    return [bounds, early, twice, sharing, clobber, lent, stale_carry]


def test_every_message_is_one_lower_case_line() -> None:
    machine = shared_memory(("host",), ("a",), ("b",), write_back=WriteBack.LINE)
    rules: set[str] = set()
    for graph in (*every_kind(), hand_over(flush=False)):
        for report in check(graph.graph, machine).reports:
            rules.add(report.rule)
            for line in render(report):
                assert "\n" not in line
                assert not line.endswith(".")
                assert re.match(r"(t\.mlir:\d+:\d+: )?(error|note): [a-z@%]", line), line
            assert render(report)[0].endswith(report.message)
    assert rules >= {"clobber", "false-sharing", "lifetime", "out-of-bounds", "borrowed", "race"}


def test_many_ranges_are_counted() -> None:
    graph = start(4096)
    graph.access("a", reads=[(start_, start_ + 8) for start_ in range(0, 4096, 512)])
    assert "[1536,1544) of %x and 4 more ranges by @a" in only(graph).message


def test_reports_are_json_rows() -> None:
    row = json.loads(json.dumps(only(hand_over(flush=False)).to_json()))
    assert row["rule"] == "stale"
    assert row["agents"] == ["b", "a"]
    assert row["bytes"] == [{"name": "%x", "start": 0, "end": 48}]
    assert row["write"]["location"] == "t.mlir:3:5"
    assert row["missing"][0]["action"] == "flush"
    assert row["missing"][0]["after"]["id"] == 1
    assert row["missing"][0]["spans"] == [{"start": 0, "end": 48}]


def test_redundant_maintenance_is_a_remark() -> None:
    graph = hand_over()
    graph.flush("a", (0, 64), location="t.mlir:9:5")
    graph.flush("b", (0, 64))
    graph.invalidate("b", (0, 64))
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    result = check(graph.graph, BYTES)
    assert [render_redundant(op) for op in result.redundant] == [
        "t.mlir:9:5: remark: redundant flush of bytes [0,64) of %x by @a: earlier maintenance "
        "has already done this",
        "remark: redundant flush of bytes [0,64) of %x by @b: no write by its agent is before it",
        "remark: redundant invalidate of bytes [0,64) of %x by @b: earlier maintenance has "
        "already done this",
        "remark: redundant flush of bytes [0,64) of %x by @a: nothing later relies on it",
    ]
    assert json.loads(json.dumps(result.redundant[0].to_json()))["reason"] == "already-clean"
