"""Two writers in one cache line: stock IREE packs them there, the lowering from flow never does.

IR-54. `packed`: a makes two values, b updates the one in place and a the other, in no order. IREE
puts both values into one slab, 64 bytes apart. With lines of 128 bytes that are written back whole
no maintenance makes that right.
"""

from pathlib import Path

import numpy as np
import pytest
from test_maintenance_programs import CACHES, DATA, MAINTAIN, judge, noncoherent
from zcir.dialects.diagnostics import OpError
from zcir.runtime.events import Event
from zcir.runtime.load import Program, load

PACKED = DATA / "maintenance" / "packed"
ROW = 16
"""Bytes that each of the two updates copies."""
X = (np.arange(16, dtype=np.float32) - 5).reshape(4, 4)


def wanted() -> list[np.ndarray]:
    right = X @ X
    left = right @ X
    row = (left * left)[0].copy()
    left[1], right[2] = row, row
    return [left - right, right + (left - right)]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packed_topologies")


def from_iree(line: int, write_back: str, folder: Path) -> Program:
    topology = noncoherent(line, write_back, folder)
    return load(f"{PACKED}.stream.mlir", topology=topology, passes=MAINTAIN)


def neighbours(program: Program, line: int) -> set[int]:
    """Lines that the in-place updates of both devices touch."""
    graph = program.run(inputs=[X], record=True).graph

    def lines(event: Event) -> set[int]:
        return {
            number
            for span in event.writes
            for number in range(span.start // line, -(-span.end // line))
        }

    touched: dict[str, set[int]] = {"device_a": set(), "device_b": set()}
    for event in graph.events:
        if [write.end - write.start for _, write in event.copies] == [ROW]:
            touched[event.agent] |= lines(event)
    assert all(touched.values())
    return touched["device_a"] & touched["device_b"]


def _all_but(left_out: tuple[int, str], quick: tuple[int, str]) -> list[object]:
    return [
        c if c == quick else pytest.param(*c, marks=pytest.mark.deep)
        for c in CACHES
        if c != left_out
    ]


@pytest.mark.parametrize(
    ("line", "write_back"), _all_but(left_out=(128, "line"), quick=(128, "bytes"))
)
def test_iree_s_packing_is_right_in_its_own_lines_or_by_bytes(
    line: int, write_back: str, folder: Path
) -> None:
    program = from_iree(line, write_back, folder)
    judge(program, [X], wanted())
    assert bool(neighbours(program, line)) is (line == 128)


def test_where_no_maintenance_is_right_the_ranges_are_named(folder: Path) -> None:
    message = (
        r"no cache maintenance makes bytes \[32,48\) right \(false sharing\): @device_b and "
        r"@device_a use lines of 128 bytes together without an order"
    )
    with pytest.raises(OpError, match=message) as error:
        from_iree(128, "line", folder)
    assert error.value.location.endswith("packed.stream.mlir:152:7")
    assert [note.message for note in error.value.notes] == ["the access that it must not reach"]


@pytest.mark.parametrize(("line", "write_back"), _all_but(left_out=(0, ""), quick=(128, "line")))
def test_the_lowering_from_flow_gives_each_writer_lines_of_its_own(
    line: int, write_back: str, folder: Path
) -> None:
    program = load(f"{PACKED}.flow.mlir", topology=noncoherent(line, write_back, folder))
    judge(program, [X], wanted())
    assert not neighbours(program, line)
