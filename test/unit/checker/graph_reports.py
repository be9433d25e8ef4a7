"""Short forms for tests of the checker: start a graph, expect one report or none."""

from zcir.runtime.checker import Action, Report, check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.machine import Machine, WriteBack

BYTES = shared_memory(("host",), ("a",), ("b",))
LINE = shared_memory(("host",), ("a",), ("b",), write_back=WriteBack.LINE)


def start(size: int = 64) -> GraphBuilder:
    """A graph with one buffer `%x` at address 0, its alloca event 0."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", 0, size)
    return graph


def only(graph: GraphBuilder, machine: Machine = BYTES) -> Report:
    """The one report that is expected."""
    reports = check(graph.graph, machine).reports
    assert [r.rule for r in reports] == [reports[0].rule] if reports else False, reports
    assert len(reports) == 1, reports
    return reports[0]


def silent(graph: GraphBuilder, machine: Machine = BYTES) -> None:
    """No report."""
    assert check(graph.graph, machine).reports == ()


def ids(report: Report) -> dict[str, int]:
    """The events of a report by role."""
    roles = {"at": report.at, "write": report.write, "read": report.read, "other": report.other}
    return {role: event.id for role, event in roles.items() if event is not None}


def gaps(report: Report) -> list[tuple[Action, str, int, int]]:
    """What is missing: action, agent, after, before."""
    return [
        (m.action, m.agent, m.after.id if m.after else -1, m.before.id if m.before else -1)
        for m in report.missing
    ]
