"""An I/O plan as a table to read."""

from collections.abc import Iterable, Sequence

from .data import IoPlan, ModelIo


def plan_table(plan: IoPlan) -> str:
    """The plan as text: one line for each input and output, the blocks, and the steps.

    Sizes and addresses are in bytes; `-` stands for what is only known later.
    """
    lines = [f"model @{plan.function}", ""]
    rows = [("", "name", "bytes", "address", "memory", "reason")]
    rows += [_row("input", io) for io in plan.inputs]
    rows += [_row("output", io) for io in plan.outputs]
    lines += _columns(rows)
    if plan.assigned:
        lines += ["", *_layout(plan)]
    for output in plan.outputs:
        lines += ["", f"output {output.ordinal}:", *(f"  {step}" for step in output.steps)]
    return "\n".join(lines) + "\n"


def _row(role: str, io: ModelIo) -> tuple[str, ...]:
    memory = "the caller's" if io.zero_copy else "copied"
    return (
        f"{role} {io.ordinal}",
        io.name,
        _number(io.size),
        _number(io.offset),
        memory,
        io.reason,
    )


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _layout(plan: IoPlan) -> Iterable[str]:
    rows = [
        ("address", "bytes", "aligned", ""),
        ("0", "", str(plan.feature_map_size), "feature map"),
    ]
    for block in plan.blocks:
        what = "input" if block.is_input else "output"
        rows.append(
            (
                str(block.offset),
                str(block.size),
                str(block.aligned_size),
                f"zero-copy block of {what} {block.ordinal} '{block.name}'",
            )
        )
    yield from _columns(rows)
    weights = f", weights {plan.weight_size}" if plan.weight_size else ""
    yield f"memory {plan.memory_size}, zero-copy {plan.zero_copy_size}{weights}"
    parts = [
        f"  {io.name}: " + ", ".join(f"{basic}+{relative}" for basic, relative in pairs)
        for io in plan.ios
        if (pairs := list(zip(io.basic_offsets, io.relative_offsets, strict=True)))
    ]
    if parts:
        yield "parts:"
        yield from parts


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows with their columns aligned."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
