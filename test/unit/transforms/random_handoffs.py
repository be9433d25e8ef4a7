"""Small random programs of the cmd phase, without maintenance and without races.

Up to six regions on two or three devices fill and copy two storages, whole or by halves. A region
waits for those before it that it conflicts with, and for nothing else.
"""

import random
from dataclasses import dataclass

HALF = 64


@dataclass(frozen=True)
class Command:
    """A fill of `target`, or a copy to it from `source`: (storage, low half, high half)."""

    target: tuple[int, int, int]
    source: tuple[int, int, int] | None

    def touches(self) -> list[tuple[int, int, int, bool]]:
        """(storage, start, end, whether written), in halves."""
        parts = [(*self.target, True)]
        if self.source is not None:
            parts.append((*self.source, False))
        return parts


def program(seed: int) -> str:
    """The text of a module with one function @f that exports its first storage."""
    rng = random.Random(seed)
    devices = "abc"[: rng.choice((2, 2, 3))]
    regions = [(rng.choice(devices), _command(rng)) for _ in range(rng.randint(2, 6))]
    return _text(devices, regions, frees=rng.random() < 0.7)


def _command(rng: random.Random) -> Command:
    start, end = rng.choice(((0, 1), (1, 2), (0, 2), (0, 2)))
    target = rng.randrange(2)
    if rng.random() < 0.35:
        return Command((target, start, end), None)
    return Command((target, start, end), (1 - target, start, end))


def _conflict(left: Command, right: Command) -> bool:
    return any(
        a[0] == b[0] and a[1] < b[2] and b[1] < a[2] and (a[3] or b[3])
        for a in left.touches()
        for b in right.touches()
    )


def _text(devices: str, regions: list[tuple[str, Command]], *, frees: bool) -> str:
    links = ", ".join(
        f"(@{p} -> @{q} = {{unified_memory = true}})" for p in devices for q in devices if p != q
    )
    lines = [
        f"module attributes {{stream.topology = #hal.device.topology<links = [{links}]>}} {{",
        *(f'util.global private @{d} = #hal.device.target<"local"> : !hal.device' for d in devices),
        "util.func public @f() -> !hal.buffer_view {",
        "%c0 = arith.constant 0 : index",
        "%c64 = arith.constant 64 : index",
        "%c128 = arith.constant 128 : index",
        "%byte = arith.constant 7 : i8",
    ]
    lines += [
        f"%s{storage}, %a{storage} = stream.resource.alloca uninitialized "
        "on(#hal.device.affinity<@a>) : !stream.resource<external>{%c128} => !stream.timepoint"
        for storage in range(2)
    ]
    # Contents are defined from the start.
    start = Command((0, 0, 2), None), Command((1, 0, 2), None)
    regions = [("a", start[0]), (devices[-1], start[1]), *regions]
    for number, (device, command) in enumerate(regions):
        lines += _region(number, device, command, regions[:number])
    done = ", ".join(f"%t{number}" for number in range(len(regions)))
    lines.append(f"%all = stream.timepoint.join max({done}) => !stream.timepoint")
    if frees:
        lines.append(
            "%freed = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%all) "
            "=> %s1 : !stream.resource<external>{%c128} => !stream.timepoint"
        )
    waits = "%freed" if frees else "%all"
    lines += [
        f"%r = stream.timepoint.await {waits} => %s0 : !stream.resource<external>{{%c128}}",
        "%v = stream.tensor.export on(#hal.device.affinity<@a>) %r : tensor<128xi8> "
        "in !stream.resource<external>{%c128} -> !hal.buffer_view",
        "util.return %v : !hal.buffer_view",
        "}",
        "}",
    ]
    return "\n".join(lines)


def _region(
    number: int, device: str, command: Command, before: list[tuple[str, Command]]
) -> list[str]:
    awaited = [f"%t{i}" for i, (_, other) in enumerate(before) if _conflict(command, other)]
    used = sorted({part[0] for part in command.touches()})
    awaited += [f"%a{storage}" for storage in used]
    captures = ", ".join(f"%s{s} as %x{s}: !stream.resource<external>{{%c128}}" for s in used)
    target, start, end = command.target
    length = (end - start) * HALF
    if command.source is None:
        body = (
            f"stream.cmd.fill %byte, %x{target}[%c{start * HALF} for %c{length}] "
            ": i8 -> !stream.resource<external>{%c128}"
        )
    else:
        body = (
            f"stream.cmd.copy %x{command.source[0]}[%c{start * HALF}], "
            f"%x{target}[%c{start * HALF}], %c{length} "
            ": !stream.resource<external>{%c128} -> !stream.resource<external>{%c128}"
        )
    return [
        f"%j{number} = stream.timepoint.join max({', '.join(awaited)}) => !stream.timepoint",
        f"%t{number} = stream.cmd.execute on(#hal.device.affinity<@{device}>) "
        f"await(%j{number}) => with({captures}) {{",
        body,
        "} => !stream.timepoint",
    ]
