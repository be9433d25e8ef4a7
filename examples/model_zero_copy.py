"""A model on memory of the caller: bound, refreshed from call to call, or copied where it must be.

`python examples/model_zero_copy.py [--memory=coherent|noncoherent]` loads examples/scale.flow.mlir,
which takes a batch and weights that are constant, and runs it three ways:

1. on page-locked memory that the device reaches: nothing is copied, whatever the number of calls;
2. on arrays, which the device does not reach: copied, once in and once out;
3. strictly: an array is refused before anything runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from zcir.runtime.host import HostError, HostPointer, Runtime
from zcir.runtime.model import LoweringOptions, Model, PlannedModel, load, plan_model

PROGRAM = Path(__file__).with_name("scale.flow.mlir")
COUNT = 1024
"""Elements of the input and the output."""


def mapped(runtime: Runtime) -> HostPointer:
    """Memory of one input or output that host and device reach."""
    pointer = runtime.malloc_host(4 * COUNT)
    runtime.host_register(pointer)
    return pointer


def counted(model: Model, what: str) -> None:
    """Tell what has been copied, allocated and refreshed since the machine began."""
    total = model.runtime.statistics.total
    print(
        f"{what}: {total.copy_cmds} copies, {total.recordings} recordings, "
        f"{total.slots_refreshed} slots refreshed, {total.fallbacks} fallbacks"
    )


def bound(planned: PlannedModel) -> None:
    """A hundred calls, each with another batch in another buffer, and one output buffer."""
    model = load(planned)
    runtime = model.runtime
    batches, result = [mapped(runtime) for _ in range(2)], mapped(runtime)
    for call in range(100):
        batch = batches[call % 2]
        batch.view(np.float32)[:] = call
        model.run([batch], [result])
        assert np.all(result.view(np.float32).numpy() == 2 * call + 1)
    counted(model, "bound, 100 calls")
    assert not runtime.check().reports
    assert runtime.statistics.total.copy_cmds == 0


def copied(planned: PlannedModel) -> None:
    """One call on arrays."""
    model = load(planned)
    batch, result = np.full(COUNT, 3, np.float32), np.zeros(COUNT, np.float32)
    for way in model.bind([batch], [result]).inputs:
        print(f"input {way.io.ordinal} would be {way.way}")
    model.run([batch], [result])
    assert np.all(result == 7)
    counted(model, "arrays, 1 call")


def refused(planned: PlannedModel) -> None:
    """The same under `always_zero_copy`."""
    model = load(planned, options=LoweringOptions(always_zero_copy=True))
    try:
        model.run([np.ones(COUNT, np.float32)], [mapped(model.runtime)])
    except HostError as error:
        print(f"strict: {error}")


def main(arguments: list[str] | None = None) -> int:
    """Run all three; 0 where the results are right."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", choices=("coherent", "noncoherent"), default="noncoherent")
    memory = parser.parse_args(arguments).memory
    planned = plan_model(PROGRAM, memory=memory)
    plan = planned.plan
    print(f"memory {plan.memory_size}, of which zero-copy {plan.zero_copy_size}")
    print(f"a load needs work {planned.work_size()}, weights {planned.weight_size}")
    bound(planned)
    copied(planned)
    refused(planned)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
