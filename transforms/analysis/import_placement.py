"""On which device an import lives that states none, and with it the ops that nothing else places.

```mlir
%0 = hal.tensor.import %arg0 : … -> tensor<8x8xf32>
%1 = flow.dispatch @sum(%0) : (tensor<8x8xf32>) -> tensor<8xf32>
%2 = flow.tensor.transfer %1 : tensor<8xf32> to #hal.device.affinity<@b>      // 32 bytes
%3 = flow.tensor.transfer %0 : tensor<8x8xf32> to #hal.device.affinity<@b>    // 256 bytes
```

On the default device the transfers copy 288 bytes, on b none: the import is put on b, where `@sum`
follows it. Of the default device and those that the import is transferred to it is the one that
leaves the fewest bytes to transfer, the first of several.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Attribute, SSAValue

from ...dialects import flow
from ...dialects.storage import element_bits, element_type_of
from .transfer_costs import ASSUMED_BYTES


class Departure(NamedTuple):
    """A transfer out of what is to be placed."""

    bytes: int
    target: Attribute


def departures(values: Iterable[SSAValue]) -> list[Departure]:
    """The transfers of `values`, in the order of the values."""
    return [
        Departure(tensor_bytes(value.type), use.operation.target)
        for value in values
        for use in value.uses
        if isinstance(use.operation, flow.TensorTransferOp)
    ]


def tensor_bytes(type: Attribute) -> int:
    """About how many bytes a tensor takes; `ASSUMED_BYTES` where only the run knows."""
    if not isinstance(type, ShapedType) or DYNAMIC_INDEX in type.get_shape():
        return ASSUMED_BYTES
    bits = element_bits(element_type_of(type)) or 8
    return prod(type.get_shape()) * bits // 8


def cheapest(candidates: Sequence[Attribute], leaving: Sequence[Departure]) -> Attribute:
    """Of `candidates` the first that leaves the fewest bytes of `leaving` to transfer."""
    here: dict[Attribute, int] = {}
    for departure in leaving:
        here[departure.target] = here.get(departure.target, 0) + departure.bytes
    return max(candidates, key=lambda affinity: here.get(affinity, 0))
