"""Event graphs as Promela models, for Spin: the machine of `docs/memory-model.md`, byte by byte.

Written from the page and from nothing in the explorer: each byte is a location, each access to a
byte and each maintained line a step, and any line is evicted or prefetched at any moment. Left out
are bytes that no step accesses, and lines of a cache whose domain accesses no byte of them: these
are never dirty and nobody reads them.
"""

from dataclasses import dataclass

from zcir.runtime.events import EventGraph, EventKind
from zcir.runtime.machine import Machine, WriteBack

MAINTENANCE = (EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD)


@dataclass(frozen=True)
class Step:
    """An atomic step: an access to a byte (`at`), or maintenance of the line that starts there."""

    event: int
    kind: str
    at: int


@dataclass(frozen=True)
class Model:
    """A model, and the (event, byte) of each value on a line `OUT v v ...` that it prints."""

    text: str
    reads: tuple[tuple[int, int], ...]
    steps: int


def _past(graph: EventGraph) -> list[set[int]]:
    past: list[set[int]] = []
    for event in graph.events:
        before: set[int] = set(event.after)
        before.update(*(past[index] for index in event.after))
        past.append(before)
    return past


def _steps(graph: EventGraph, machine: Machine) -> list[Step]:
    steps: list[Step] = []
    for event in graph.events:
        line = machine.domains[machine.domain_of(event.agent)].cache_line
        if event.kind is EventKind.ACCESS:
            assert not event.flushed, "fillings are not modelled"
            for kind, spans in (("read", event.reads), ("write", event.writes)):
                steps.extend(
                    Step(event.id, kind, at) for s in spans for at in range(s.start, s.end)
                )
        elif event.kind in MAINTENANCE:
            kind = "flush" if event.kind is EventKind.FLUSH else "drop"
            touched = {at // line * line for s in event.target for at in range(s.start, s.end)}
            steps.extend(Step(event.id, kind, at) for at in sorted(touched))
    return steps


class _Writer:
    """Pieces of Promela for one machine."""

    def __init__(self, machine: Machine, accessed: set[int]) -> None:
        self.machine = machine
        self.accessed = accessed

    def bytes(self, domain: int, line: int) -> list[int]:
        """The bytes of a line that starts at `line`, as far as any step accesses them."""
        whole = range(line, line + self.machine.domains[domain].cache_line)
        return [at for at in whole if at in self.accessed]

    def fetch(self, domain: int, line: int) -> str:
        """Fetch a line that is not there."""
        moves = " ".join(f"v{domain}[{b}] = m[{b}];" for b in self.bytes(domain, line))
        return f"p{domain}[{line}] = 1; {moves}"

    def write_back(self, domain: int, line: int) -> str:
        """Store what is dirty, or the whole line if any of it is; nothing is dirty then."""
        bytes_ = self.bytes(domain, line)
        clean = " ".join(f"d{domain}[{b}] = 0;" for b in bytes_)
        if self.machine.domains[domain].write_back is WriteBack.LINE:
            dirty = " || ".join(f"d{domain}[{b}]" for b in bytes_)
            store = " ".join(f"m[{b}] = v{domain}[{b}];" for b in bytes_)
            return f"if :: ({dirty}) -> {store} :: else fi; {clean}"
        store = " ".join(
            f"if :: d{domain}[{b}] -> m[{b}] = v{domain}[{b}] :: else fi;" for b in bytes_
        )
        return f"{store} {clean}"

    def forget(self, domain: int, line: int) -> str:
        """Drop a line; its values become 0 so that equal states meet."""
        zero = " ".join(
            f"v{domain}[{b}] = 0; d{domain}[{b}] = 0;" for b in self.bytes(domain, line)
        )
        return f"p{domain}[{line}] = 0; {zero}"

    def act(self, step: Step, domain: int, result: int) -> str:
        """What a step does."""
        line = step.at - step.at % self.machine.domains[domain].cache_line
        if step.kind == "flush":
            return self.write_back(domain, line)
        if step.kind == "drop":
            return self.forget(domain, line)
        load = f"if :: !p{domain}[{line}] -> {self.fetch(domain, line)} :: else fi;"
        if step.kind == "read":
            return f"{load} r[{result}] = v{domain}[{step.at}];"
        return f"{load} v{domain}[{step.at}] = {step.event + 1}; d{domain}[{step.at}] = 1;"


def promela(graph: EventGraph, machine: Machine, size: int) -> Model:
    """The model of a graph on bytes [0, size). Values are event ids plus 1; 0 is the start.

    At most 4 reads, and event ids below 15: each outcome is printed once.
    """
    domains = range(len(machine.domains))

    def domain_of(step: Step) -> int:
        return machine.domain_of(graph.events[step.event].agent)

    def line_of(step: Step) -> int:
        return machine.domains[domain_of(step)].cache_line

    steps = _steps(graph, machine)
    accesses = [step for step in steps if step.kind in ("read", "write")]
    writer = _Writer(machine, {step.at for step in accesses})
    past = _past(graph)
    reads = [step for step in steps if step.kind == "read"]
    lines = [
        "c_decl { static unsigned char seen[1 << 16]; }",
        f"byte m[{size}]; bit done[{len(steps)}]; byte r[{max(len(reads), 1)}];",
        *(f"byte v{d}[{size}]; bit d{d}[{size}]; bit p{d}[{size}];" for d in domains),
    ]
    lines.append("active proctype machine() { do")
    for index, step in enumerate(steps):
        guards = [f"!done[{index}]"]
        guards.extend(
            f"done[{other}]"
            for other, earlier in enumerate(steps)
            if earlier.event in past[step.event]
            or (step.kind == "write" and earlier == Step(step.event, "read", step.at))
        )
        domain = domain_of(step)
        result = reads.index(step) if step.kind == "read" else 0
        act = writer.act(step, domain, result)
        lines.append(f":: d_step {{ {' && '.join(guards)} -> {act} done[{index}] = 1 }}")
    held = {(domain_of(step), step.at // line_of(step) * line_of(step)) for step in accesses}
    for domain, line in sorted(held):
        evict = f"{writer.write_back(domain, line)} {writer.forget(domain, line)}"
        lines.append(f":: d_step {{ p{domain}[{line}] -> {evict} }}")
        lines.append(f":: d_step {{ !p{domain}[{line}] -> {writer.fetch(domain, line)} }}")
    lines.append(f":: {_finished(len(steps))} -> {_print(len(reads))}; break")
    lines.append("od }")
    return Model("\n".join(lines) + "\n", tuple((s.event, s.at) for s in reads), len(steps))


def _finished(steps: int) -> str:
    return " && ".join(f"done[{index}]" for index in range(steps))


def _print(reads: int) -> str:
    """C code that prints the values read, once for each outcome."""
    key = " + ".join(f"(now.r[{index}] << {4 * index})" for index in range(reads))
    values = ", ".join(f"now.r[{index}]" for index in range(reads))
    form = "OUT" + " %d" * reads + "\\n"
    return f'c_code {{ if (!seen[{key}]) {{ seen[{key}] = 1; printf("{form}", {values}); }} }}'
