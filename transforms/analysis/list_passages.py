"""What is taken out of a list into which one thing was put: that thing, perhaps as another type.

```mlir
%list = util.list.create %c1 : !util.list<?>
util.list.resize %list, %c1 : !util.list<?>
util.list.set %list[%c0], %s : !stream.resource<staging> -> !util.list<?>
%x = util.list.get %list[%c0] : !util.list<?> -> !stream.resource<external>   // %x is %s
```

This is how host programs give a resource another lifetime (`transforms/lifetime_views.py`).
"""

from xdsl.ir import SSAValue

from ...dialects import util


def passed_through(op: util.ListGetOp) -> SSAValue | None:
    """The value that was put into the list that `op` takes from, in its block; None where there
    may be another one."""
    if not isinstance(op.list.owner, util.ListCreateOp):
        return None
    users = [use.operation for use in op.list.uses]
    if not all(isinstance(u, util.ListGetOp | util.ListSetOp | util.ListResizeOp) for u in users):
        return None
    puts = [user for user in users if isinstance(user, util.ListSetOp)]
    if len(puts) != 1 or any(user.parent is not op.parent for user in users):
        return None
    return puts[0].value
