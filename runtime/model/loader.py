"""Loading a model: planned, lowered and ready to be bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.io_plan import IoPlan, read_plan
from ..element_types import InputError
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from ..load import Program
from ..load import load as load_program
from .memory import Allocator
from .model import LoadSettings, Model
from .options import LoweringOptions
from .ways import IoMemory


def load(
    source: str | Path | ModuleOp | Model,
    *,
    options: LoweringOptions | None = None,
    function: str | None = None,
    passes: Sequence[str] = (),
    topology: str | Path | None = None,
    memory: str = "module",
    context: Context | None = None,
    runtime: Runtime | None = None,
    reuse: bool | None = None,
    work: DevicePointer | None = None,
    allocators: Mapping[str, Allocator] | None = None,
) -> Model:
    """Load a model from a program at flow level, or one that has been planned already.

    Args:
        source: a file, a module, which is not changed, or a model that is loaded: its program is
            taken as it is, with its options unless others are given, and what says how to plan
            and lower it does not matter.
        options: see `LoweringOptions`; all off by default.
        function: the model's function; by default the only public one.
        passes: passes to run first.
        topology: as for `zcir.runtime.load.load`.
        memory: as for `zcir.runtime.load.load`.
        context: the dialects to read files with.
        runtime: the machine to load it on, which must have the program's devices; by default a
            fresh one.
        reuse: `reuseZeroCopyMemory` as `effective_reuse` gives it: False for inputs and outputs
            that are the model's and copied, True for the caller's; None to bind what can be, as
            `options` say (GE-04, GE-75).
        work: the caller's memory for the model's own, of at least `Model.work_size` bytes.
        allocators: of the caller, by device (GE-11).

    Raises:
        HostError: the model's memory does not fit, or options ask for what is not given.
        OSError, ParseError, OpError, VerifyException: the program cannot be read, planned or
            lowered.
        InputError: the machine does not give what the program assumes, or the program is lowered
            and has no plan.
    """
    if isinstance(source, Model):
        program, plan = source.program, source.io_plan
        options = options or source.options
    else:
        options = options or LoweringOptions()
        program, plan = _planned(source, options, function, passes, topology, memory, context)
    if runtime is None:
        runtime = Runtime(topology=program.topology)
        runtime.init()
        runtime.set_device(0)
    settings = LoadSettings(_io_memory(reuse), work, dict(allocators or {}))
    return Model(program, plan, options, runtime, settings)


def _io_memory(reuse: bool | None) -> IoMemory:
    if reuse is None:
        return IoMemory.BOUND
    return IoMemory.REUSED if reuse else IoMemory.OWNED


def _planned(
    source: str | Path | ModuleOp,
    options: LoweringOptions,
    function: str | None,
    passes: Sequence[str],
    topology: str | Path | None,
    memory: str,
    context: Context | None,
) -> tuple[Program, IoPlan]:
    """The lowered program and its plan; raises as `load` does."""
    program = load_program(
        source,
        passes=(*passes, *_planning(options, function)),
        topology=topology,
        memory=memory,
        context=context,
    )
    plan = read_plan(program.module)
    if plan is None:
        raise InputError("the program has no I/O plan; load it at flow level")
    return program, plan


def _planning(options: LoweringOptions, function: str | None) -> tuple[str, ...]:
    """The passes of `zc-model`, with the options that concern them."""
    from ...transforms.pipeline import MODEL

    model = [] if function is None else [f'function="{function}"']
    strict = ["always_zero_copy=true"] if options.always_zero_copy else []
    stated = {"model-isolate-io": model, "model-plan-io": [*model, *strict]}
    return tuple(
        f"{name}{{{' '.join(stated[name])}}}" if stated.get(name) else name for name in MODEL
    )
