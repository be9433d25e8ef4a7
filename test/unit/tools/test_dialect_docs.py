"""The reference of the dialects says of every op what it is and how it is written."""

from pathlib import Path

import pytest
from zcir.dialects import DIALECTS, flow, stream
from zcir.tools import dialect_docs

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "dialects"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    files = dialect_docs.write_references(tmp_path_factory.mktemp("dialects"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


def test_the_reference_in_the_tree_is_what_make_docs_writes(pages: dict[str, str]) -> None:
    written = {file.stem: file.read_text(encoding="utf-8") for file in REFERENCE.glob("*.md")}
    stale = [name for name in {*pages, *written} if pages.get(name) != written.get(name)]
    assert not stale, f"run make docs for {', '.join(sorted(stale))}"


def part(page: str, heading: str) -> str:
    """What stands under one heading of the third level."""
    return page.partition(f"### `{heading}`\n")[2].partition("\n##")[0]


def test_every_op_type_and_attribute_has_its_part(pages: dict[str, str]) -> None:
    assert list(pages) == list(DIALECTS)
    for dialect in (flow.Flow, stream.Stream):
        page = pages[dialect.name]
        for op in dialect.operations:
            text = part(page, op.name)
            assert text.strip(), f"{op.name} has no part"
            assert "```" in text or "Written" in text, f"{op.name} does not say how it is written"
        for attribute in dialect.attributes:
            assert f"{attribute.name}`\n" in page


def test_a_part_states_syntax_fields_and_behaviour(pages: dict[str, str]) -> None:
    text = part(pages["flow"], "flow.tensor.update")
    assert "flow.tensor.update $update" in text
    assert "- `target` (tensor)" in text
    assert "`result` shares the storage of `target`" in text
    assert "operandSegmentSizes" not in text


def test_a_flush_makes_available_and_transfers_nothing() -> None:
    """IR-37: visibility needs the reader's invalidate."""
    text = " ".join((stream.CmdFlushOp.__doc__ or "").split())
    assert "available" in text.partition(".")[0]
    assert "ransfers" not in text
    assert "invalidate" in text
