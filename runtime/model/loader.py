"""Loading a model: planned, lowered and ready to be bound."""

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
from .options import LoweringOptions


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A loaded model."""

    program: Program
    """The lowered program. Its function takes the model's inputs, then storage for outputs."""
    io_plan: IoPlan
    options: LoweringOptions

    def plan(self) -> IoPlan:
        """How the memory of inputs and outputs is handled."""
        return self.io_plan


def load(
    source: str | Path | ModuleOp,
    *,
    options: LoweringOptions | None = None,
    function: str | None = None,
    passes: Sequence[str] = (),
    topology: str | Path | None = None,
    memory: str = "module",
    context: Context | None = None,
) -> Model:
    """Load a model from a program at flow level, or one that has been planned already.

    Args:
        source: a file, or a module, which is not changed.
        options: see `LoweringOptions`; all off by default.
        function: the model's function; by default the only public one.
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
    options = options or LoweringOptions()
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
    return Model(program, plan, options)


def _planning(options: LoweringOptions, function: str | None) -> tuple[str, ...]:
    """The passes of `zc-model`, with the options that concern them."""
    from ...transforms.pipeline import MODEL

    model = [] if function is None else [f'function="{function}"']
    strict = ["always_zero_copy=true"] if options.always_zero_copy else []
    stated = {"model-isolate-io": model, "model-plan-io": [*model, *strict]}
    return tuple(
        f"{name}{{{' '.join(stated[name])}}}" if stated.get(name) else name for name in MODEL
    )
