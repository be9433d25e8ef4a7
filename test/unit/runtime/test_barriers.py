"""What execution barriers order: the dependences of a decoded command buffer."""

from dataclasses import dataclass

from hal_world import ALL, Add, D, T, at, dispatch, named, record, system
from hypothesis import given, settings
from hypothesis import strategies as st
from zcir.runtime.hal.command_buffer import CommandBuffer
from zcir.runtime.hal.commands import FillBuffer
from zcir.runtime.hal.dispatch import Dispatch, Workload
from zcir.runtime.hal.flags import ExecutionStage
from zcir.runtime.hal.program import Barrier, decode
from zcir.runtime.hal.recorder import UNNAMED
from zcir.runtime.hal.refs import BufferRef, SlotRef
from zcir.runtime.hal.semaphore import NULL_FENCE
from zcir.runtime.hal.system import System


def events_of(commands: CommandBuffer, run: System) -> dict[str, tuple[str, ...]]:
    """By label, the labels of the commands and barriers that an event directly follows."""
    run.device("a").queue_execute(NULL_FENCE, NULL_FENCE, commands, source=at("submit", 1))
    by_id = {event.id: event.label for event in run.graph.events}
    return {e.label: tuple(by_id[pred] for pred in e.after) for e in run.graph.events}


def test_barriers_chain_where_their_stages_meet() -> None:
    # Happens-before.
    run = system("a", coherent=True)
    buffer = run.host.allocate("shared", 64, named("%m"))
    commands = record(run.device("a"))
    dispatch(commands, 1, buffer, source=at("d0", 1))
    commands.fill_buffer(BufferRef(buffer, 0, 8), b"\0", at("t0", 2))
    commands.execution_barrier(D, T, at("D-T", 3))
    commands.flush_buffer(BufferRef(buffer), at("t1", 4))
    dispatch(commands, 1, buffer, source=at("d1", 5))
    commands.execution_barrier(T, D, at("T-D", 6))
    dispatch(commands, 1, buffer, source=at("d2", 7))
    commands.fill_buffer(BufferRef(buffer, 0, 8), b"\0", at("t2", 8))
    commands.execution_barrier(ALL, ALL, at("all", 9))
    commands.execution_barrier(D, D, at("D-D", 10))
    dispatch(commands, 1, buffer, source=at("d3", 11))
    commands.finalize()
    after = events_of(commands, run)
    start = ("submit submit",)
    assert after["d0"] == after["t0"] == after["d1"] == start
    assert after["D-T"] == ("d0",)
    assert after["t1"] == ("D-T",)
    # The first barrier's target stages meet the second's source stages.
    assert after["T-D"] == ("t0", "D-T", "t1")
    assert after["d2"] == ("T-D",)
    # Dispatches do not order later transfers: only the first barrier does.
    assert after["t2"] == ("D-T",)
    assert after["all"] == ("D-T", "d1", "T-D", "d2", "t2")
    assert after["d3"] == ("all", "D-D")


@dataclass(frozen=True)
class Node:
    """A command in a stage, or a barrier between stages."""

    before: ExecutionStage
    """As the later of two nodes, what it follows in; a command's stage."""
    after: ExecutionStage
    """As the earlier of two nodes, what it precedes in; a command's stage."""
    barrier: bool


masks = st.sampled_from([D, T, ALL, ExecutionStage.NONE, ExecutionStage.COMMAND_RETIRE | D])
recorded = st.lists(
    st.one_of(
        st.sampled_from([D, T]).map(lambda stage: Node(stage, stage, barrier=False)),
        st.tuples(masks, masks).map(lambda pair: Node(*pair, barrier=True)),
    ),
    max_size=14,
)


@settings(max_examples=300, deadline=None)
@given(recorded)
def test_decoded_dependences_are_what_barriers_mean(nodes: list[Node]) -> None:
    # Against the definition, all pairs at a time.
    fill = FillBuffer(UNNAMED, SlotRef(BufferRef(0), 0), b"0")
    add = Dispatch(UNNAMED, Add(), Workload(), [])
    program = decode(
        [
            Barrier(UNNAMED, node.before, node.after)
            if node.barrier
            else add
            if node.before is D
            else fill
            for node in nodes
        ]
    )
    found = [{index} for index in range(len(nodes))]
    meant = [{index} for index in range(len(nodes))]
    for later, node in enumerate(nodes):
        for pred in program.preds[later]:
            found[later] |= found[pred]
        for earlier, first in enumerate(nodes[:later]):
            if (first.barrier or node.barrier) and first.after & node.before:
                meant[later] |= meant[earlier]
    commands = {index for index, node in enumerate(nodes) if not node.barrier}
    for index in commands:
        assert found[index] & commands == meant[index] & commands


def test_alternating_barriers_keep_the_edges_linear() -> None:
    run = system("a", coherent=True, record=False)
    buffer = run.host.allocate("shared", 64, named("%m"))
    commands = record(run.device("a"))
    count = 400
    for index in range(count):
        commands.fill_buffer(BufferRef(buffer, 0, 8), b"\0")
        dispatch(commands, 1, buffer)
        before, after = ((D, D), (T, T), (D, T), (T, D), (ALL, ALL))[index % 5]
        commands.execution_barrier(before, after)
    commands.finalize()
    program = commands.program_for((), at("", 0))
    assert sum(map(len, program.preds)) < 12 * count
    run.device("a").queue_execute(NULL_FENCE, NULL_FENCE, commands)
