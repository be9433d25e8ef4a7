"""Where values of host programs come from, through branches, calls, globals and selects.

```mlir
util.initializer { %cmd = hal.command_buffer.create …   util.global.store %cmd, @g … }
util.func @f() { %0 = util.global.load @g … }      // %0 comes from hal.command_buffer.create
```

Does not handle: what a list holds, results of calls to functions without a body: these are
origins themselves.
"""

from xdsl.dialects import arith
from xdsl.ir import OpResult, SSAValue

from ...dialects import util
from ...dialects.hal.device import DeviceMemoizeOp
from ...dialects.hal.regions import ReturnOp
from .host_graph import HostGraph


class ValueOrigins:
    """The origins of the values of a module, each found when it is asked for."""

    def __init__(self, graph: HostGraph) -> None:
        self._moved: dict[SSAValue, list[SSAValue]] = {}
        self._stored: dict[str, list[SSAValue]] = {}
        for segment in graph.segments:
            for edge in segment.edges:
                for target, source in edge.moves:
                    self._moved.setdefault(target, []).append(source)
            for op in segment.ops:
                if isinstance(op, util.GlobalStoreOp):
                    self._stored.setdefault(op.global_name.string_value(), []).append(op.value)
            for site in graph.calls.get(segment.function, ()) if segment.returned else ():
                for target, source in zip(site.op.res, segment.returned or (), strict=True):
                    self._moved.setdefault(target, []).append(source)
            if segment.call is not None:
                arguments = segment.call.callee.body.blocks[0].args
                for target, source in zip(arguments, segment.call.op.arguments, strict=True):
                    self._moved.setdefault(target, []).append(source)

    def of(self, value: SSAValue) -> list[SSAValue]:
        """The values that `value` may be, which come from nowhere else; each once."""
        seen = {value}
        work = [value]
        found: list[SSAValue] = []
        while work:
            current = work.pop()
            sources = self._sources(current)
            if not sources:
                found.append(current)
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    work.append(source)
        return found

    def _sources(self, value: SSAValue) -> list[SSAValue]:
        if value in self._moved or not isinstance(value, OpResult):
            return self._moved.get(value, [])
        match value.op:
            case util.GlobalLoadOp():
                return self._stored.get(value.op.global_name.string_value(), [])
            case arith.SelectOp():
                return [value.op.lhs, value.op.rhs]
            case DeviceMemoizeOp():
                last = value.op.body.blocks[-1].last_op
                return [last.operands[value.index]] if isinstance(last, ReturnOp) else []
            case _:
                return []
