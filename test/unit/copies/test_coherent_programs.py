"""Random flow programs whose devices with one memory are coherent: no transfer between them is left
once copies are elided, and the numbers stay right. IR-04, IR-05, IR-06."""

import re
from random import Random

import numpy as np
import pytest
from flow_programs import FlowProgram
from test_random_copies import cases_of
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.handoff import hands_over
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.transforms.analysis.module_topology import module_topology
from zcir.transforms.pipeline import TO_STREAM

COUNT, DEEP = 40, 600
SHARES = 4
UNIFIED = "{unified_memory = true, transparent_access = true})"
COHERENT = f"{UNIFIED[:-1]}, {{coherent = true}})"
RESOLVED = TO_STREAM.index("stream-resolve-transfer-kinds") + 1
ELIDED = TO_STREAM.index("stream-emplace-allocations") + 1
"""Emplacement hands over targets, by the same guard."""


def coherent_text(text: str, *, everywhere: bool) -> str:
    """The program with coherent links where it has unified ones, or between all devices."""
    if not everywhere:
        return text.replace(UNIFIED, COHERENT)
    devices = re.findall(r"util.global private @(\w+) = #hal.device.target", text)
    links = [f"(@{a} -> @{b} = {COHERENT}" for a in devices for b in devices if a != b]
    return re.sub(r"links = \[.*\]>", f"links = [{', '.join(links)}]>", text, count=1)


def idle(module: ModuleOp) -> list[stream.AsyncTransferOp]:
    """The alias transfers of `module` that hand nothing over, and change no lifetime."""
    topology = module_topology(module)
    return [
        op
        for op in module.walk()
        if isinstance(op, stream.AsyncTransferOp)
        and op.kind == "alias"
        and op.source.type == op.result.type
        and not hands_over(op.source_affinity, op.target_affinity, topology)
    ]


def check(seed: int) -> int:
    """The program of a seed; gives its transfers between coherent devices, before they go."""
    program = FlowProgram(Random(seed), 3 + seed % 8, control=seed % 3 == 0, known=seed % 2 == 0)
    text = coherent_text(program.text, everywhere=seed % 5 != 0)
    context = make_context()
    module = parse_text(context, text, f"{seed}.mlir")
    cases = cases_of(program, module)
    run_passes(context, module, TO_STREAM[:RESOLVED])
    between = [op for op in idle(module) if op.source_affinity != op.target_affinity]
    count = len(between)
    run_passes(context, module, TO_STREAM[RESOLVED:ELIDED])
    assert not idle(module), seed
    run_passes(context, module, TO_STREAM[ELIDED:])
    lowered = load(module, context=context)
    for case in cases:
        run = lowered.run(inputs=case.inputs, schedule=f"adversarial:{seed}", check=True)
        assert run.check is not None
        assert not run.check.reports, f"{seed}: {run.check.reports[0]}"
        for got, want in zip(run.results, case.wanted, strict=True):
            np.testing.assert_array_equal(got, want, str(seed))
    return count


def check_all(seeds: range) -> None:
    assert sum(map(check, seeds)) > 0


@pytest.mark.parametrize("share", range(SHARES))
def test_random_programs_on_coherent_memory(share: int) -> None:
    check_all(range(share, COUNT, SHARES))


@pytest.mark.deep
@pytest.mark.parametrize("share", range(SHARES))
def test_many_random_programs_on_coherent_memory(share: int) -> None:
    check_all(range(COUNT + share, COUNT + DEEP, SHARES))
