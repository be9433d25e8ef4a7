"""`zc-check --fix`: inserts what the checker finds missing, and no more.

What the reports miss is inserted at the places they name and the program is checked again, until
there is no report or nothing more can be inserted; then whatever can be taken out again without a
report is taken out. So the result is clean, and each operation added is needed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects.access import Access
from ..runtime.checker import Action, CheckResult, EventRef, Missing, Report
from ..runtime.events import HOST_ACTION, Event, EventGraph
from ..runtime.load import RunResult
from .fix_edits import (
    AnyEdit,
    Edit,
    Side,
    Step,
    WaitEdit,
    apply,
    can_wait,
    execute_of,
    is_command,
    ops_by_place,
    ranges_of,
)

_ROUNDS = 16
"""How often more is inserted before giving up."""

Check = Callable[[ModuleOp], RunResult]


@dataclass(slots=True)
class Fixed:
    """The outcome of a repair."""

    module: ModuleOp
    edits: tuple[AnyEdit, ...]
    """What was inserted, in order."""
    result: CheckResult
    """The checker's verdict on `module`."""
    refusals: dict[str, None] = field(default_factory=dict[str, None])
    """Why what is missing could not be inserted, `file:line:col: …`, where faults are left."""


def fix(module: ModuleOp, check: Check) -> Fixed:
    """Repair `module`, which is not changed.

    Args:
        module: a program whose ops have locations of their own, as read from a file.
        check: runs and checks a module.
    """
    ops = ops_by_place(module)
    edits: dict[AnyEdit, None] = {}
    refusals: dict[str, None] = {}
    outcome = check(module)
    for _ in range(_ROUNDS):
        verdict = _verdict(outcome)
        if not verdict.reports:
            break
        refusals = {}
        proposed = dict.fromkeys(
            edit
            for report in verdict.reports
            for edit in _edits_of(report, outcome.graph, ops, refusals)
        )
        if not proposed.keys() - edits.keys():
            break
        edits.update(proposed)
        outcome = check(apply(module, edits))
    faults = len(_verdict(outcome).reports)
    if not faults:
        refusals = {}
    edits = _minimal(module, edits, check, faults)
    final = apply(module, edits)
    return Fixed(final, tuple(edits), _verdict(check(final)), refusals)


def _verdict(outcome: RunResult) -> CheckResult:
    assert outcome.check is not None, "the run was checked"
    return outcome.check


def _minimal(
    module: ModuleOp, edits: dict[AnyEdit, None], check: Check, faults: int
) -> dict[AnyEdit, None]:
    """`edits` without those that can go, one after the other, without one more report.

    Maintenance goes before the barriers beside it.
    """
    kept = dict(edits)
    order = sorted(edits, key=lambda e: not (isinstance(e, Edit) and e.step is Step.MAINTENANCE))
    changed = True
    while changed:
        changed = False
        for edit in order:
            if edit not in kept:
                continue
            rest = {e: None for e in kept if e != edit}
            if len(_verdict(check(apply(module, rest))).reports) <= faults:
                kept, changed = rest, True
    return kept


def _edits_of(
    report: Report, graph: EventGraph, ops: dict[str, Operation], refusals: dict[str, None]
) -> Iterator[AnyEdit]:
    """What one report asks for; reasons why not go to `refusals`."""
    place = f"{report.at.location}: " if report.at.location else ""
    if not report.missing:
        refusals[f"{place}{report.rule}: no operation repairs it"] = None
    for missing in report.missing:
        found = (
            _order(missing, graph, ops)
            if missing.action is Action.ORDER
            else _maintenance(missing, ops)
        )
        if isinstance(found, str):
            refusals[f"{place}{report.rule}: {found}"] = None
        else:
            yield from found


def _command(ref: EventRef | None, agent: str, ops: dict[str, Operation]) -> Operation | None:
    """The command behind an event of `agent`, if maintenance can stand beside it."""
    if ref is None or ref.agent != agent:
        return None
    op = ops.get(ref.location)
    return op if op is not None and is_command(op) else None


def _maintenance(missing: Missing, ops: dict[str, Operation]) -> list[AnyEdit] | str:
    """Maintenance right after the event that it belongs after, or right before the other one.

    An invalidate goes late, the rest early.
    """
    sides = [(Side.AFTER, missing.after), (Side.BEFORE, missing.before)]
    if missing.action is Action.INVALIDATE:
        sides.reverse()
    for side, ref in sides:
        op = _command(ref, missing.agent, ops)
        if ref is None or op is None:
            continue
        mode = Access.READ if missing.action is Action.INVALIDATE else Access.WRITE
        edits: list[AnyEdit] = [
            Edit(ref.location, side, Step.MAINTENANCE, missing.action.value, index)
            for index in ranges_of(op, mode)
        ]
        if not edits:
            continue
        if execute_of(op) is None:
            edits.extend(
                Edit(ref.location, side, step) for step in (Step.BARRIER_FIRST, Step.BARRIER_LAST)
            )
        return edits
    who = "the host" if missing.agent == "host" else f"@{missing.agent}"
    return f"no command of {who} stands where a {missing.action.value} is missing"


def _order(missing: Missing, graph: EventGraph, ops: dict[str, Operation]) -> list[AnyEdit] | str:
    """A barrier within a command buffer, or a wait of one submission for another."""
    if missing.after is None or missing.before is None:
        return "one side of the missing order is unknown"
    first, second = graph.events[missing.after.id], graph.events[missing.before.id]
    if first.key is None or second.key is None or HOST_ACTION in (first.key[0], second.key[0]):
        return "order with the host has no op to stand in; it must await the fence"
    if first.key[0] == second.key[0]:
        op = ops.get(second.location)
        if op is None or not is_command(op) or execute_of(op) is not None:
            return "the commands of a concurrent region have no order; take one out of it"
        if second.key[1] < first.key[1]:
            return "the commands are recorded in the other order"
        return [Edit(second.location, Side.BEFORE, Step.BARRIER_FIRST)]
    places = [_submitted_at(event, graph) for event in (first, second)]
    submissions = [ops.get(place) for place in places]
    if submissions[0] is None or submissions[1] is None:
        return "the submissions are not found in the program"
    if not can_wait(submissions[1], submissions[0]):
        return "the submission that has to wait comes first, or in another block"
    return [WaitEdit(places[1], places[0])]


def _submitted_at(event: Event, graph: EventGraph) -> str:
    """The location of the op that submitted the command `event`, or ""."""
    assert event.key is not None, "a command"
    current = event
    while True:
        before = [graph.events[index] for index in current.after]
        own = next((e for e in before if e.key is not None and e.key[0] == event.key[0]), None)
        if own is None:
            waits = [e for e in before if e.key is None]
            near = [*before, *(graph.events[i] for e in waits for i in e.after)]
            hosts = [e for e in near if e.key is not None and e.key[0] == HOST_ACTION]
            return max(hosts, key=lambda e: e.id).location if hosts else ""
        current = own
