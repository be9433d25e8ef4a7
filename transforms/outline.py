"""Moving ops of a block into a region that captures what it uses and yields what escapes.

```mlir
%1 = stream.async.dispatch @f(%0[…]) …
%2 = stream.async.update %u, %0[…] … -> %0 as …
```

becomes, with `%0` and `%u` captured, `%1` and `%2` escaping and `%2` tied to `%0`,

```mlir
with(%0 as %arg0, %u as %arg1) -> (…, %0 as …) {
  %1 = …(%arg0[…]) …
  %2 = stream.async.update %arg1, %arg0[…] … -> %arg0 as …
  stream.yield %1, %2
}
```
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects import stream
from ..dialects.access import tied_results
from .analysis.sizes import stated_sizes
from .analysis.storage import is_resource, renamed_source
from .build import make


@dataclass
class Outline:
    """A region's body under construction."""

    body: Block = field(default_factory=Block)
    captures: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Captured values to region arguments, in order."""
    capture_sizes: list[SSAValue] = field(default_factory=list[SSAValue])
    escaping: list[SSAValue] = field(default_factory=list[SSAValue])
    """The region's values that are used outside."""
    escaping_sizes: list[SSAValue] = field(default_factory=list[SSAValue])
    repeated: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Values from outside to the values of ops that the region repeats."""
    _origin: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Values of the body to the first name of their storage in the body."""

    def add(self, op: Operation, outside: Callable[[SSAValue], SSAValue]) -> None:
        """Append the detached `op`; resources from outside are captured as `outside` names them."""
        sizes = dict(stated_sizes(op))
        operands = list(op.operands)
        for index, value in enumerate(operands):
            if is_resource(value) and value not in self._origin:
                operands[index] = self._capture(outside(value), sizes[value])
        op.operands = operands
        self.body.add_op(op)
        tied = dict(tied_results(op))
        for result in op.results:
            before = renamed_source(op) or tied.get(result)
            self._origin[result] = result if before is None else self._origin[before]

    def _capture(self, value: SSAValue, size: SSAValue) -> SSAValue:
        argument = self.captures.get(value)
        if argument is None:
            argument = self.body.insert_arg(value.type, len(self.body.args))
            self.captures[value] = self._origin[argument] = argument
            self.capture_sizes.append(size)
        return argument

    def finish(self, source: Operation) -> None:
        """Find what escapes and end the body with a `stream.yield`, at the location of `source`."""
        for op in list(self.body.ops):
            sizes = dict(stated_sizes(op))
            for result in op.results:
                if is_resource(result) and self._escapes(result):
                    self.escaping.append(result)
                    self.escaping_sizes.append(sizes[result])
        self.body.add_op(
            make(
                stream.YieldOp,
                source,
                resource_operands=list(self.escaping),
                resource_operand_sizes=list(self.escaping_sizes),
            )
        )

    def _escapes(self, result: SSAValue) -> bool:
        return any(use.operation.parent is not self.body for use in result.uses)

    def result_types(self) -> list[Attribute]:
        """The types of the escaping values."""
        return [value.type for value in self.escaping]

    def ties(self) -> list[int | None]:
        """For each escaping value the index of the capture whose storage it has, if any."""
        index = {argument: number for number, argument in enumerate(self.captures.values())}
        return [index.get(self._origin[value]) for value in self.escaping]

    def region(self) -> Region:
        """The region with the body."""
        return Region(self.body)
