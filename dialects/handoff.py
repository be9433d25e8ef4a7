"""When a transfer hands nothing over: the guard of all that replaces one by its source (IR-04).

```mlir
// link (a <-> b) = {coherent = true}
%1 = stream.async.dispatch on(@a) …
%2 = stream.async.transfer %1 … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%3 = stream.async.dispatch on(@b) @f(%2[…]) …   // may as well take %1, which it waits for then
```

Where a and b are not coherent, the transfer stands for what must be flushed and invalidated, and
stays until that is placed. Replacing a value keeps who waits for whom, since that follows from who
uses what. Not so where the transfer is a copy: whoever asks looks at its kind first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from .hal.affinity import AffinityAttr

if TYPE_CHECKING:
    from .topology import Topology


def hands_over(
    source: Attribute | None, target: Attribute | None, topology: Topology | None = None
) -> bool:
    """Whether what `source` has written may look different to `target` once it is ready.

    Not so for one affinity (both absent: one default), nor, as `topology` says, for agents of one
    coherence domain.
    """
    if source == target:
        return False
    if topology is None or not (
        isinstance(source, AffinityAttr) and isinstance(target, AffinityAttr)
    ):
        return True
    sides = source.device_names, target.device_names
    if not all(sides) or not set(topology.device_names).issuperset((*sides[0], *sides[1])):
        return True
    return not all(topology.coherent(a, b) for a in sides[0] for b in sides[1])
