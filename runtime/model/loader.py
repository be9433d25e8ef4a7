"""Loading a model on a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..host.errors import ErrorCode, HostError
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from .levels import OptionLevels
from .loading import LoadSettings, check_loadable
from .memory import Allocator
from .model import Model
from .options import OPERATION, LoweringOptions
from .planning import PlannedModel, PlanOptions, plan_model
from .ways import io_memory


def load(
    source: str | Path | ModuleOp | PlannedModel | Model,
    *,
    options: LoweringOptions | None = None,
    plan_options: PlanOptions | None = None,
    function: str | None = None,
    passes: Sequence[str] = (),
    topology: str | Path | None = None,
    memory: str = "module",
    context: Context | None = None,
    runtime: Runtime | None = None,
    reuse: bool | OptionLevels | None = None,
    work: DevicePointer | None = None,
    weight: DevicePointer | None = None,
    allocators: Mapping[str, Allocator] | None = None,
    merge_input_copies: bool = True,
) -> Model:
    """Load a model from a program at flow level, or one that has been planned already.

    Args:
        source: a file, a module, which is not changed, or a model that is planned or loaded: its
            program is taken as it is, with its options unless others are given, and what says how
            to plan and lower it does not matter.
        options: see `LoweringOptions`; all off by default.
        plan_options: see `PlanOptions`.
        function: the model's function; as `PlanOptions.function`.
        passes: passes to run first.
        topology: as for `zcir.runtime.load.load`.
        memory: as for `zcir.runtime.load.load`.
        context: the dialects to read files with.
        runtime: the machine to load it on, which must have the program's devices; by default a
            fresh one.
        reuse: `reuseZeroCopyMemory`, as a level of options or the program itself says: False for
            inputs and outputs that are the model's and copied, True for the caller's; None to bind
            what can be, as `options` say (GE-04, GE-06, GE-75).
        work: the caller's memory for the model's own, of at least `PlannedModel.work_size` bytes.
        weight: the caller's memory for the constants, of at least `PlannedModel.weight_size`
            bytes; loads of one program may share it.
        allocators: of the caller, by device (GE-11).
        merge_input_copies: copy neighbouring inputs from the host by one command (GE-23).

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
        movable = source.settings.feature_map_refreshable
    else:
        if not isinstance(source, PlannedModel):
            chosen = plan_options or PlanOptions(function)
            source = plan_model(
                source,
                options=options,
                plan_options=chosen,
                passes=passes,
                topology=topology,
                memory=memory,
                context=context,
            )
        program, plan = source.program, source.plan
        options = options or source.options
        movable = source.plan_options.feature_map_refreshable
    if runtime is None:
        runtime = Runtime(topology=program.topology)
        runtime.init()
        runtime.set_device(0)
    check_loadable(runtime, program, options)
    settings = LoadSettings(
        io_memory(_stated(reuse)),
        work,
        weight,
        dict(allocators or {}),
        merge_input_copies,
        movable,
    )
    return Model(program, plan, options, runtime, settings)


def _stated(reuse: object) -> bool | None:
    """What the levels of options say of `reuse`, or the program; HostError for anything else."""
    value: object = reuse.reuse if isinstance(reuse, OptionLevels) else reuse
    if value is None or isinstance(value, bool):
        return value
    raise HostError(
        ErrorCode.INVALID_MODEL_PARAMETER,
        OPERATION,
        f"reuse is {reuse!r}; expected True, False, None or OptionLevels",
        parameter="reuse",
        value=reuse,
    )
