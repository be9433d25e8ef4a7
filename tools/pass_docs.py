"""Writes the reference of the passes as Markdown, from the docstrings of their modules.

`python -m zcir.tools.pass_docs FILE` writes each named pipeline with its passes in order, then
each pass: what it does, the IR before and after, what it does not handle, and its options.
"""

import inspect
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from importlib import import_module
from pathlib import Path

from xdsl.passes import ModulePass

from ..transforms.pipeline import PIPELINES
from ..transforms.registry import expand, pass_factories
from .dialect_docs import meanings


def page() -> str:
    """The whole reference; passes of pipelines come in the order in which they first run."""
    factories = pass_factories()
    ran = expand([name for name, specs in PIPELINES.items() if not set(specs) & set(PIPELINES)])
    ordered = dict.fromkeys(name for name in ran if name in factories) | dict.fromkeys(factories)
    lines = ["# Passes\n", "## Pipelines\n", "`-p` takes their names as it does those of passes.\n"]
    for name, specs in PIPELINES.items():
        lines.append(f"- `{name}`: {', '.join(_link(spec) for spec in specs)}")
    lines.append("\n## Each pass\n")
    for name in ordered:
        lines.extend(pass_lines(factories[name]()))
    return "\n".join(lines).rstrip() + "\n"


def _link(name: str) -> str:
    return f"`{name}`" if name in PIPELINES else f"[`{name}`](#{name})"


def pass_lines(cls: type[ModulePass]) -> Iterator[str]:
    """The reference of one pass."""
    # The module says what the pass does, the class little more than its name.
    text = inspect.cleandoc(import_module(cls.__module__).__doc__ or "")
    name, _, rest = text.partition(":")
    assert name == cls.name, f"the docstring of {cls.__module__} does not start with '{cls.name}:'"
    summary = rest.strip()
    yield f"### `{name}`\n"
    yield f"{summary[:1].upper()}{summary[1:]}\n"
    options = [field for field in fields(cls) if field.name != "name"]
    if options:
        known = meanings(cls)
        yield "Options:\n"
        for field in options:
            default = "" if field.default is MISSING else f" (default: `{field.default}`)"
            yield f"- `{field.name.replace('_', '-')}`{default}: {known[field.name]}"
        yield ""


def main() -> int:
    """The command line: one file."""
    if len(sys.argv) != 2:
        print("usage: python -m zcir.tools.pass_docs FILE", file=sys.stderr)
        return 2
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
