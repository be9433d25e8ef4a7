"""zc-run --model: a function as a model, on memory of the tool's."""

import argparse
from collections.abc import Sequence
from copy import deepcopy

from xdsl.utils.arg_spec import parse_pipeline

from ..dialects.parsing import make_context
from ..dialects.topology import Topology
from ..runtime.element_types import Value
from ..runtime.host import DevicePointer, HostError, HostPointer, Runtime
from ..runtime.load import CallSpec, RunResult
from ..runtime.model import Model, Tensor, load, plan_model
from ..runtime.model.arrays import (
    empty_tensor,
    fit_arguments,
    free_tensor,
    place_array,
    read_tensor,
)
from ..runtime.model.memory import Allocator
from .driver import ToolError
from .model_options import lowering_options, memory_kinds, option_levels, plan_options
from .run_options import check_schedule, read_module
from .zero_copy import verify_zero_copy


def run_model(
    arguments: argparse.Namespace, specs: Sequence[CallSpec]
) -> tuple[RunResult, Topology, str]:
    """What the command line asks for: the results of the last run, with the counts of all, the
    machine's topology, and the name of the function.

    Raises:
        ToolError: what the runtime or the model refuses.
        Whatever planning raises for a program that cannot be a model.
    """
    if len(specs) != 1:
        raise ToolError("--model takes one call; --repeat repeats it")
    (spec,) = specs
    check_schedule(arguments.schedule)
    context = make_context()
    try:
        planned = plan_model(
            read_module(arguments, context),
            options=lowering_options(arguments),
            plan_options=plan_options(arguments, spec.function),
            passes=[str(one) for one in parse_pipeline(arguments.passes)],
            memory=arguments.memory,
            context=context,
        )
        topology = planned.program.topology
        if arguments.verify_zero_copy:
            verify_zero_copy(planned.program.module, topology)
        runtime = Runtime(topology=topology, schedule=arguments.schedule)
        runtime.init()
        runtime.set_device(0)
        model = load(
            planned,
            runtime=runtime,
            reuse=option_levels(arguments),
            allocators=_allocators(runtime) if arguments.always_external_allocator else None,
            merge_input_copies=not arguments.no_merge_input_copies,
        )
        outputs = _repeat(arguments, model, spec)
        # What reads the results is not the model's.
        statistics = deepcopy(runtime.statistics)
        results: list[Value] = [
            read_tensor(runtime, tensor, io)
            for tensor, io in zip(outputs, planned.plan.outputs, strict=True)
        ]
        verdict = runtime.check() if arguments.check else None
    except HostError as error:
        raise ToolError(str(error)) from error
    outcome = RunResult([results], statistics, runtime.system.graph, runtime.machine, verdict)
    return outcome, topology, planned.plan.function


def _repeat(arguments: argparse.Namespace, model: Model, spec: CallSpec) -> list[Tensor]:
    """All calls; gives the outputs of the last. Buffers are fresh ones: those of a call are freed
    after the next, so that no two calls in a row have the same."""
    runtime, plan = model.runtime, model.io_plan
    kind, output_kind = memory_kinds(arguments)
    arrays, scalars = fit_arguments(model, spec.inputs)
    earlier: list[Tensor] = []
    outputs: list[Tensor] = []
    for _ in range(arguments.repeat or 1):
        inputs = [place_array(runtime, array, kind) for array in arrays]
        outputs = [empty_tensor(runtime, io, output_kind) for io in plan.outputs]
        model.run(inputs, outputs, scalars)
        if arguments.check:
            _look_at(runtime, model, outputs)
        for tensor in earlier:
            free_tensor(runtime, tensor)
        earlier = [*inputs, *outputs]
    return outputs


def _look_at(runtime: Runtime, model: Model, outputs: Sequence[Tensor]) -> None:
    """Read results that the host has, so that the check does not take their hand-over for idle."""
    for tensor, io in zip(outputs, model.io_plan.outputs, strict=True):
        if isinstance(tensor.memory, HostPointer):
            read_tensor(runtime, tensor, io)


def _allocators(runtime: Runtime) -> dict[str, Allocator]:
    """One for the memory of each device."""

    def of(index: int) -> Allocator:
        def allocate(size: int, name: str) -> DevicePointer:
            return runtime.allocate_device(size, name, runtime.devices[index])

        return allocate

    return {device.name: of(device.index) for device in runtime.devices}
