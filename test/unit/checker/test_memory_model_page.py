"""The example of docs/memory-model.md does what the page says."""

import re
from pathlib import Path


def test_the_example_runs() -> None:
    page = Path(__file__).parents[3] / "docs" / "memory-model.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(page), "exec"), {})
