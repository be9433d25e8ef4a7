"""A resource under another lifetime, once storage is allocated (row IR-51).

Kernels take no staging memory and the host reads and writes no other, so what both share has a
name for each:

```mlir
%list = util.list.create %c1 : !util.list<?>
util.list.resize %list, %c1 : !util.list<?>
util.list.set %list[%c0], %x : !stream.resource<external> -> !util.list<?>
%s = util.list.get %list[%c0] : !util.list<?> -> !stream.resource<staging>
%v = stream.resource.load %s[%c0] : …
```

No op of stream changes the lifetime of a resource at this level; a list whose elements may be
anything does, and stock IREE lowers and runs it, where `util.cast` is not legal.
"""

from xdsl.ir import Operation, SSAValue

from ..dialects import stream, util
from .build import make
from .indices import IndexBuilder

_ANYTHING = util.ListType(util.VariantType())


def view_as(
    value: SSAValue, type: stream.ResourceType, origin: Operation, indices: IndexBuilder
) -> tuple[list[Operation], SSAValue]:
    """`value` as a resource of `type`: the ops that make it so, and the result.

    They take the location of `origin`; constants come from `indices`.
    """
    zero, one = indices.constant(0), indices.constant(1)
    made = make(util.ListCreateOp, origin, [_ANYTHING], initial_capacity=one)
    resize = make(util.ListResizeOp, origin, list=made.result, new_size=one)
    put = make(util.ListSetOp, origin, list=made.result, index=zero, value=value)
    get = make(util.ListGetOp, origin, [type], list=made.result, index=zero)
    get.result.name_hint = value.name_hint
    return [made, resize, put, get], get.result
