"""About how often each op is executed in one call of the program.

```mlir
util.func public @f() {
  scf.for %i = %c0 to %c5 step %c1 {    // its body: 5 times
    util.call @g()
    scf.while … { … }                   // its regions: 5 * ASSUMED_TRIPS times
  }
}
util.func private @g() { … }            // 5 times
```

For weighing costs: branches count as taken, and a number of iterations that only the run knows
as `ASSUMED_TRIPS`. Functions that call themselves count once for each call from outside.
"""

from collections.abc import Mapping

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from ...dialects import util
from ..build import constant_value
from ..functions import functions_of
from .natural_loops import natural_loops
from .value_flow import callee_name, host_functions, is_public, ops_in_order

MOST = 1 << 40
"""Executions that are told apart: more is as dear as this."""
ASSUMED_TRIPS = 8
"""Iterations of a loop of which only the run knows how many it takes."""


class ExecutionCounts:
    """The counts of all ops of `module`, which is not changed since. Linear in ops."""

    def __init__(self, module: ModuleOp) -> None:
        self._of_block: dict[Block, int] = {}
        """Executions for one call of the block's function."""
        self._of_function: dict[Operation, int] = {}
        calls = {
            function: self._count_within(function, host_functions(module))
            for function in functions_of(module)
        }
        self._count_functions(calls)

    def of(self, op: Operation) -> int:
        """About how often `op`, which is in a function of the module, is executed."""
        function = op
        while function not in self._of_function and (parent := function.parent_op()) is not None:
            function = parent
        within = 1 if op.parent is None else self._of_block.get(op.parent, 1)
        return self._of_function.get(function, 1) * within

    def _count_within(
        self, function: Operation, functions: Mapping[str, Operation]
    ) -> list[tuple[Operation, int]]:
        """Count the blocks of `function`; gives whom it calls, and how often."""
        calls: list[tuple[Operation, int]] = []
        self._count_blocks(function.regions[0], 1)
        for op in ops_in_order(function):
            count = 1 if op.parent is None else self._of_block[op.parent]
            for region in op.regions:
                self._count_blocks(region, min(count * _trips(op), MOST))
            if isinstance(op, util.CallOp | func.CallOp):
                callee = functions.get(callee_name(op))
                if callee is not None and callee is not function:
                    calls.append((callee, count))
        return calls

    def _count_blocks(self, region: Region, entered: int) -> None:
        """Count the blocks of `region`, which is entered that often."""
        blocks = list(region.blocks)
        self._of_block.update(dict.fromkeys(blocks, entered))
        if len(blocks) > 1:
            for body in natural_loops(blocks[:1], _successors).values():
                for block in body:
                    self._of_block[block] = min(self._of_block[block] * ASSUMED_TRIPS, MOST)

    def _count_functions(self, calls: Mapping[Operation, list[tuple[Operation, int]]]) -> None:
        """Count the calls of functions, callers before those whom they call."""
        callers = dict.fromkeys(calls, 0)
        for callee, _ in (call for made in calls.values() for call in made):
            callers[callee] += 1
        # Whom nobody calls, and whom others may call.
        self._of_function = {
            function: int(not count or is_public(function)) for function, count in callers.items()
        }
        ready = [function for function, count in callers.items() if not count]
        while callers:
            # Calls that go in circles are cut at what is called most by then.
            function = ready.pop() if ready else max(callers, key=self._of_function.__getitem__)
            del callers[function]
            for callee, count in calls[function]:
                if callee in callers:
                    called = self._of_function[callee] + count * self._of_function[function]
                    self._of_function[callee] = min(called, MOST)
                    callers[callee] -= 1
                    if not callers[callee]:
                        ready.append(callee)


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    return () if last is None else tuple(last.successors)


def _trips(op: Operation | None) -> int:
    """How often a region of `op` is executed for one execution of it."""
    match op:
        case scf.ForOp():
            bounds = [constant_value(value) for value in (op.lb, op.ub, op.step)]
            lower, upper, step = bounds
            if lower is None or upper is None or not step:
                return ASSUMED_TRIPS
            return max(0, -((lower - upper) // step))
        case scf.WhileOp():
            return ASSUMED_TRIPS
        case _:
            return 1
