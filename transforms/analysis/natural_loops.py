"""The natural loops of a graph: what comes back to a node by which it is entered."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def natural_loops(
    entries: Iterable[_Node], following: Callable[[_Node], Iterable[_Node]]
) -> dict[_Node, set[_Node]]:
    """The nodes of each loop, its header too, by header, in the order in which they are found.

    Args:
        entries: where control may start.
        following: where it may go from a node.
    """
    bodies: dict[_Node, set[_Node]] = {}
    for entry in entries:
        predecessors: dict[_Node, list[_Node]] = {}
        for source, header in list(_back_edges(entry, following, predecessors)):
            body = bodies.setdefault(header, {header})
            work = [source]
            while work:
                node = work.pop()
                if node not in body:
                    body.add(node)
                    work.extend(predecessors.get(node, ()))
    return bodies


def _back_edges(
    entry: _Node,
    following: Callable[[_Node], Iterable[_Node]],
    predecessors: dict[_Node, list[_Node]],
) -> Iterator[tuple[_Node, _Node]]:
    """The edges to a node on the path to their start; all edges go into `predecessors`."""
    path: dict[_Node, Iterator[_Node]] = {entry: iter(following(entry))}
    done: set[_Node] = set()
    while path:
        node, rest = next(reversed(path.items()))
        target = next(rest, None)
        if target is None:
            done.add(node)
            del path[node]
            continue
        predecessors.setdefault(target, []).append(node)
        if target in path:
            yield node, target
        elif target not in done:
            path[target] = iter(following(target))
