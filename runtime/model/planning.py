"""Models that are planned and lowered, but on no machine yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.io_plan import IoPlan, read_plan
from ..element_types import InputError
from ..load import Program
from ..load import load as load_program
from .memory import required_size
from .options import LoweringOptions
from .ways import io_memory


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Options of the passes of `zc-model`."""

    function: str | None = None
    """The model's function; by default the only public one."""
    strict_views: bool = False
    """Refuse outputs that are mere views of inputs (GE-71)."""
    offline: bool = False
    """Shapes of a batched model are fixed when it is built (GE-17)."""
    feature_map_refreshable: bool = False
    """The feature map may move between runs (`Model.move_work`); tasks that take their addresses
    once keep it from that (GE-36, GE-55)."""
    zero_copy_align: int = 32
    """Bytes (GE-22)."""
    feature_map_align: int = 512
    """Bytes (GE-22)."""


@dataclass(frozen=True, slots=True, eq=False)
class PlannedModel:
    """A model that any number of loads can take."""

    program: Program
    plan: IoPlan
    options: LoweringOptions
    """Those that it was lowered for."""
    plan_options: PlanOptions

    def work_size(self, reuse: bool | None = None) -> int:
        """Bytes of work memory that a load with that `reuse` needs (`aclmdlQuerySize`, GE-03)."""
        return required_size(self.plan, io_memory(reuse))

    @property
    def weight_size(self) -> int:
        """Bytes of weight memory that a load needs (GE-03)."""
        return self.plan.weight_size


def plan_model(
    source: str | Path | ModuleOp,
    *,
    options: LoweringOptions | None = None,
    plan_options: PlanOptions | None = None,
    passes: Sequence[str] = (),
    topology: str | Path | None = None,
    memory: str = "module",
    context: Context | None = None,
) -> PlannedModel:
    """Plan and lower a program at flow level, or take one that has been planned.

    Args:
        source: a file, or a module, which is not changed.
        options: see `LoweringOptions`; all off by default.
        plan_options: see `PlanOptions`. They do not matter for a program that has been planned.
        passes: passes to run first.
        topology: as for `zcir.runtime.load.load`.
        memory: as for `zcir.runtime.load.load`.
        context: the dialects to read files with.

    Raises:
        OSError, ParseError, OpError, VerifyException: the program cannot be read, planned or
            lowered.
        InputError: the machine does not give what the program assumes, or the program is lowered
            and has no plan.
    """
    options, plan_options = options or LoweringOptions(), plan_options or PlanOptions()
    program = load_program(
        source,
        passes=(*passes, *_planning(options, plan_options)),
        topology=topology,
        memory=memory,
        context=context,
    )
    plan = read_plan(program.module)
    if plan is None:
        raise InputError("the program has no I/O plan; load it at flow level")
    return PlannedModel(program, plan, options, plan_options)


def _planning(options: LoweringOptions, plan: PlanOptions) -> tuple[str, ...]:
    """The passes of `zc-model`, with the options that concern them."""
    from ...transforms.pipeline import model_pipeline

    named = {} if plan.function is None else {"function": f'"{plan.function}"'}
    return model_pipeline(
        {
            "model-isolate-io": named | _flags(fm_refreshable=plan.feature_map_refreshable),
            "model-plan-io": named
            | _flags(
                always_zero_copy=options.always_zero_copy,
                strict_views=plan.strict_views,
                offline=plan.offline,
            )
            | {
                "zero_copy_align": str(plan.zero_copy_align),
                "feature_map_align": str(plan.feature_map_align),
            },
        },
        single_stream=options.enable_single_stream,
    )


def _flags(**flags: bool) -> dict[str, str]:
    return {name: "true" if value else "false" for name, value in flags.items()}
