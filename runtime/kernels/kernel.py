"""A dispatch body as a kernel: compiled once, planned for each set of constants, run often."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from ...dialects.diagnostics import fail
from .access import Access, intersects, merge_accesses
from .api import BindingAccess, BindingView
from .interface import bind_arguments
from .lowerings import all_lowerings, lower_otherwise
from .program import ACCESSES, BORROWED, CONSTANTS, STORES, VIEWS, Compiler, Env, Step
from .stores import commit

_PLANS = 256
"""Plans kept for each kernel; the oldest go first."""


@dataclass(slots=True)
class Plan:
    """What a kernel knows from its push constants alone."""

    template: Env
    """The environment that each run starts from."""
    accesses: Sequence[Access]
    merged: dict[tuple[int, ...], tuple[BindingAccess, ...]] = field(
        default_factory=dict[tuple[int, ...], tuple[BindingAccess, ...]]
    )
    """Accesses by binding lengths."""


def compile_block(block: Block, prepare: Callable[[Compiler], None]) -> Compiler:
    """Compile `block` but its terminator; `prepare` binds its arguments first.

    Raises:
        OpError: for an op or type that is not supported.
    """
    compiler = Compiler(all_lowerings(), lower_otherwise)
    prepare(compiler)
    compiler.lower_block(block)
    return compiler


class CompiledKernel:
    """A `Kernel` (see `api`) for a function of loads, tensor ops and stores.

    Args:
        name: the export as a person names it.
        function: the body.
        export: the op that exports it.
        workgroups: the region that computes workgroup counts, if there is one, and the position
            of its first workload argument.

    Raises:
        OpError: for a body with an op or type that is not supported, at that op.
    """

    def __init__(
        self, name: str, function: FuncOp, export: Operation, workgroups: tuple[Block, int] | None
    ) -> None:
        self.name = name
        self._function = function
        self._export = export
        self._workgroups = workgroups
        if len(function.body.blocks) != 1:
            fail(function, "expected a body of one block, got control flow between blocks")
        block = function.body.block
        self._compiler = compile_block(block, lambda compiler: bind_arguments(compiler, function))
        if self._compiler.stores > 1:
            self._compiler.sinks.clear()
        self._steps: tuple[Step, ...] = tuple(self._compiler.code.run)
        self._plans: dict[tuple[int, ...], Plan] = {}
        self._counts: dict[tuple[int, ...], tuple[int, int, int]] = {}

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        """See `Kernel.accesses`: from the slices that the body loads and stores.

        Reads at a place that depends on loaded data count as the whole binding. Ranges that leave
        a binding are given as they are.
        """
        plan = self._plan(constants)
        merged = plan.merged.get(binding_lengths)
        if merged is None:
            self._check_bindings(len(binding_lengths), plan.accesses)
            merged = plan.merged[binding_lengths] = merge_accesses(plan.accesses, binding_lengths)
        return merged

    def _check_bindings(self, count: int, accesses: Sequence[Access]) -> None:
        wanted = max((access.binding + 1 for access in accesses), default=0)
        if wanted > count:
            fail(self._export, f"expected at least {wanted} bindings, got {count}")

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        """See `Kernel.run`."""
        plan = self._plans.get(constants) or self._plan(constants)
        env = plan.template.copy()
        env[VIEWS], env[STORES], env[BORROWED] = views, [], []
        with np.errstate(all="ignore"):
            for step in self._steps:
                step(env)
        commit(env)

    def workgroup_count(self, workload: Sequence[int]) -> tuple[int, int, int]:
        """Workgroups in x, y and z, by the export's region; (1, 1, 1) without one.

        Counts that code generation would choose (`workgroup_count_from_slice`) are 1.
        """
        if self._workgroups is None:
            return (1, 1, 1)
        known = self._counts.get(tuple(workload))
        if known is None:
            known = self._counts[tuple(workload)] = self._count(*self._workgroups, workload)
        return known

    def _count(self, block: Block, first: int, workload: Sequence[int]) -> tuple[int, int, int]:
        arguments = block.args[first:]
        if len(arguments) != len(workload):
            fail(
                self._export,
                f"expected a workload of {len(arguments)} values, got {len(workload)}",
            )

        def prepare(compiler: Compiler) -> None:
            compiler.mark_planned(*compiler.slots(arguments))

        compiler = compile_block(block, prepare)
        env: Env = [None] * compiler.size
        for argument, value in zip(arguments, workload, strict=True):
            env[compiler.slot(argument)] = np.int64(value)
        for step in compiler.plan:
            step(env)
        assert block.last_op is not None
        x, y, z = (int(env[slot]) for slot in compiler.slots(block.last_op.operands))
        return (x, y, z)

    def _plan(self, constants: tuple[int, ...]) -> Plan:
        plan = self._plans.get(constants)
        if plan is None:
            while len(self._plans) >= _PLANS:
                del self._plans[next(iter(self._plans))]
            plan = self._plans[constants] = self._make_plan(constants)
        return plan

    def _make_plan(self, constants: tuple[int, ...]) -> Plan:
        compiler = self._compiler
        env: Env = [None] * compiler.size
        env[CONSTANTS], env[ACCESSES] = constants, []
        with np.errstate(all="ignore"):
            for step in compiler.plan:
                step(env)
            template = env.copy()
            for step in compiler.code.trace:
                step(env)
        accesses: list[Access] = env[ACCESSES]
        if compiler.has_load_after_store:
            self._check_order(accesses)
        return Plan(template, tuple(accesses))

    def _check_order(self, accesses: Sequence[Access]) -> None:
        """Refuse a load of what was stored before: stores are done at the end."""
        stored: list[Access] = []
        for access in accesses:
            if access.writes:
                stored.append(access)
                continue
            for store in stored:
                if store.binding == access.binding and _overlap(store, access):
                    fail(
                        self._function,
                        f"loads bytes of binding {access.binding} that it stored before; "
                        "not supported",
                    )


def _overlap(store: Access, load: Access) -> bool:
    if store.runs is None or load.runs is None:
        return True
    return intersects(store.runs, load.runs)
