"""The counters of a run as text: a table to read, or JSON with every counter."""

import json

from ..runtime.counters import COUNTER_NAMES, Statistics

FORMATS = ("table", "json")
"""Forms of the statistics."""


def statistics_text(statistics: Statistics, form: str) -> str:
    """The counters of all agents and their `total` in one of `FORMATS`.

    The table leaves out counters that nobody counted; JSON has them all, by agent and name.
    """
    rows = statistics.as_dict()
    if form == "json":
        return json.dumps(rows, indent=2) + "\n"
    names = [name for name in COUNTER_NAMES if any(row[name] for row in rows.values())]
    width = max(map(len, names), default=0)
    columns = {agent: max(len(agent), 8) for agent in rows}
    lines = [" ".join([" " * width, *(agent.rjust(size) for agent, size in columns.items())])]
    for name in names:
        cells = [str(row[name]).rjust(columns[agent]) for agent, row in rows.items()]
        lines.append(" ".join([name.ljust(width), *cells]))
    return "".join(line + "\n" for line in lines)
