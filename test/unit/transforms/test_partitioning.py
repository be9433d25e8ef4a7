from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis.partitioning import HOST, Step, partition, waves


@st.composite
def graphs(draw: st.DrawFn, palette: str, nodes: int) -> tuple[list[str], list[list[int]]]:
    colours = draw(st.lists(st.sampled_from(palette), max_size=nodes))
    preds = [
        sorted(draw(st.sets(st.integers(0, node - 1), max_size=3))) if node else []
        for node in range(len(colours))
    ]
    return [HOST if colour == "h" else colour for colour in colours], preds


def fewest_steps(colours: Sequence[str], preds: Sequence[Sequence[int]]) -> int:
    """By search over all orders of maximal one-colour steps."""
    best = len(colours)
    todo: list[tuple[frozenset[int], int]] = [(frozenset(), 0)]
    while todo:
        done, count = todo.pop()
        if len(done) == len(colours):
            best = min(best, count)
            continue
        for colour in set(colours):
            step = set(done)
            for node in range(len(colours)):
                if colours[node] == colour and all(pred in step for pred in preds[node]):
                    step.add(node)
            if len(step) > len(done) and count + 1 < best + 1:
                todo.append((frozenset(step), count + 1))
    return best


def check_legal(colours: Sequence[str], preds: Sequence[Sequence[int]], steps: list[Step]) -> None:
    order = [node for step in steps for node in step.nodes]
    assert sorted(order) == list(range(len(colours)))
    step_of = {node: index for index, step in enumerate(steps) for node in step.nodes}
    for node, node_preds in enumerate(preds):
        assert steps[step_of[node]].colour == colours[node]
        assert all(step_of[pred] <= step_of[node] for pred in node_preds)
    assert all(list(step.nodes) == sorted(step.nodes) for step in steps)


@given(graphs("abch", 12))
def test_steps_honour_every_edge(graph: tuple[list[str], list[list[int]]]) -> None:
    colours, preds = graph
    check_legal(colours, preds, partition(colours, preds))


@given(graphs("ab", 9))
def test_two_devices_take_the_fewest_steps(graph: tuple[list[str], list[list[int]]]) -> None:
    colours, preds = graph
    assert len(partition(colours, preds)) == fewest_steps(colours, preds)


def test_a_chain_over_two_devices_alternates() -> None:
    assert partition("aba", [[], [0], [0, 1]]) == [
        Step("a", (0,)),
        Step("b", (1,)),
        Step("a", (2,)),
    ]


def test_the_device_with_more_changes_ahead_goes_first() -> None:
    # b0 is ready at once, but waiting for a spares b a second step.
    assert partition("bab", [[], [], [1]]) == [Step("a", (1,)), Step("b", (0, 2))]


def test_blocking_host_nodes_wait_for_every_launch() -> None:
    steps = partition(["a", HOST, "b", HOST], [[], [0], [], [2]])
    assert steps == [Step("a", (0,)), Step("b", (2,)), Step(HOST, (1, 3), awaits_devices=True)]


@given(graphs("a", 12))
def test_waves_are_independent_and_fewest(graph: tuple[list[str], list[list[int]]]) -> None:
    _, preds = graph
    found = waves(preds)
    wave_of = {node: index for index, wave in enumerate(found) for node in wave}
    assert sorted(wave_of) == list(range(len(preds)))
    assert all(wave_of[p] < wave_of[node] for node, ps in enumerate(preds) for p in ps)
    assert all(any(p in found[w - 1] for p in preds[n]) for n, w in wave_of.items() if w)
