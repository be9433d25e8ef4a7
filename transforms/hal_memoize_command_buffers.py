"""hal-memoize-command-buffers: what is recorded once is recorded by an initializer.

```mlir
util.func public @f(…) {
  %cmds = hal.device.memoize<%a : !hal.device> affinity(%c-1) -> !hal.command_buffer {
    %cmd = hal.command_buffer.create device(%a : !hal.device) … bindings(%c2)
    …
    hal.return %cmd
  }
  hal.device.queue.execute.indirect<%a> … commands(%cmds) bindings([…])
```

becomes

```mlir
util.global private @__f_memoize_0 : !hal.command_buffer
util.initializer {
  %a = util.global.load immutable @a : !hal.device
  %cmd = hal.command_buffer.create device(%a : !hal.device) … bindings(%c2)
  …
  util.global.store %cmd, @__f_memoize_0
}
util.func public @f(…) {
  %cmds = util.global.load immutable @__f_memoize_0 : !hal.command_buffer
  hal.device.queue.execute.indirect<%a> … commands(%cmds) bindings([…])
```

as IREE outlines memoized regions. Every call then replays one recording with a binding table of
its own.

Does not handle: a region of several blocks, one that takes more than constants and globals that
do not change, or one in a function that an initializer calls. It stays, and is memoized at run
time by device and captured values: a remark says why. Equal recordings are not shared.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import util
from ..dialects.diagnostics import remark
from ..dialects.hal.device import DeviceMemoizeOp
from ..dialects.hal.regions import ReturnOp
from ..dialects.walk import walk
from .build import make
from .functions import functions_of


@dataclass(frozen=True)
class HalMemoizeCommandBuffersPass(ModulePass):
    """Outline memoized recordings into globals and initializers."""

    name = "hal-memoize-command-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Outline every region that takes only what is known before the first call."""
        names = _Names(
            symbol.data
            for child in op.body.block.ops
            if isinstance(symbol := child.properties.get("sym_name"), StringAttr)
        )
        early = _called_by_initializers(op)
        # Globals that an initializer further on sets; functions are visited from the last on.
        late: set[str] = set()
        for function in reversed(list(functions_of(op))):
            for memoize in [
                inner for inner in walk(function) if isinstance(inner, DeviceMemoizeOp)
            ]:
                if (reason := _obstacle(function, memoize, early, late)) is None:
                    _outline(function, memoize, names)
                else:
                    remark(memoize, f"recorded when it is first needed, not before: {reason}")
            if isinstance(function, util.InitializerOp):
                late.update(_globals(function, util.GlobalStoreOp))


class _Names:
    """Symbols of a module, and new ones."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._counts: defaultdict[str, int] = defaultdict(int)

    def new(self, function: Operation) -> str:
        """A new symbol for a result in `function`."""
        symbol = function.properties.get("sym_name")
        stem = symbol.data if isinstance(symbol, StringAttr) else "initializer"
        while (name := f"__{stem}_memoize_{self._counts[stem]}") in self._taken:
            self._counts[stem] += 1
        self._taken.add(name)
        return name


def _called_by_initializers(module: ModuleOp) -> set[str]:
    """Functions that may run before all initializers have."""
    calls = {
        symbol.data if isinstance(symbol := op.properties.get("sym_name"), StringAttr) else "": [
            call.callee.string_value() for call in walk(op) if isinstance(call, util.CallOp)
        ]
        for op in functions_of(module)
        if not isinstance(op, util.InitializerOp)
    }
    pending = [
        call.callee.string_value()
        for op in functions_of(module)
        if isinstance(op, util.InitializerOp)
        for call in walk(op)
        if isinstance(call, util.CallOp)
    ]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += calls.get(name, [])
    return found


def _globals(
    root: Operation, kind: type[util.GlobalStoreOp] | type[util.GlobalLoadOp]
) -> Iterator[str]:
    for op in walk(root):
        if isinstance(op, kind):
            yield op.global_name.string_value()


def _obstacle(
    function: Operation, memoize: DeviceMemoizeOp, early: set[str], late: set[str]
) -> str | None:
    """Why an initializer before `function` cannot record what `memoize` does; None if it can."""
    symbol = function.properties.get("sym_name")
    if isinstance(symbol, StringAttr) and symbol.data in early:
        return f"an initializer calls @{symbol.data}"
    if len(memoize.body.blocks) != 1:
        return "it has several blocks"
    loaded = list(_globals(memoize, util.GlobalLoadOp))
    for value in _captures(memoize.body):
        origin = _fixed_origin(value)
        if origin is None:
            return f"it takes {_described(value)}"
        loaded += _globals(origin, util.GlobalLoadOp)
    set_later = next((name for name in loaded if name in late), None)
    return None if set_later is None else f"@{set_later} is set by an initializer further on"


def _outline(function: Operation, memoize: DeviceMemoizeOp, names: _Names) -> None:
    captures = list(dict.fromkeys(_captures(memoize.body)))
    origins = [_fixed_origin(value) for value in captures]
    globals = [names.new(function) for _ in memoize.memoized]
    body = memoize.detach_region(memoize.body)
    before: list[Operation] = []
    inside: dict[SSAValue, SSAValue] = {}
    for value, origin in zip(captures, origins, strict=True):
        assert origin is not None
        clone = origin.clone()
        before.append(clone)
        inside[value] = clone.results[0]
    # By the ops of the body: a device may be used by every other recording of the function, too.
    for op in body.walk():
        for index, operand in enumerate(op.operands):
            if operand in inside:
                op.operands[index] = inside[operand]
    block = body.block
    first, end = block.first_op, block.last_op
    assert first is not None
    block.insert_ops_before(before, first)
    assert isinstance(end, ReturnOp)
    for value, name in zip(end.values, globals, strict=True):
        store = util.GlobalStoreOp(value, name)
        store.location = memoize.location
        block.insert_op_before(store, end)
    block.insert_op_before(util.ReturnOp(), end)
    block.erase_op(end)
    _replace(function, memoize, body, globals)


def _replace(
    function: Operation, memoize: DeviceMemoizeOp, body: Region, globals: list[str]
) -> None:
    """Load what the initializer that runs `body` stores."""
    initializer = util.InitializerOp(body)
    initializer.location = memoize.location
    module, block = function.parent, memoize.parent
    assert module is not None
    assert block is not None
    declarations = [
        make(
            util.GlobalOp,
            memoize,
            sym_visibility=StringAttr("private"),
            sym_name=StringAttr(name),
            type=value.type,
        )
        for name, value in zip(globals, memoize.memoized, strict=True)
    ]
    module.insert_ops_before([*declarations, initializer], function)
    for name, value in zip(globals, list(memoize.memoized), strict=True):
        load = make(
            util.GlobalLoadOp,
            memoize,
            [value.type],
            global_name=SymbolRefAttr(name),
            is_immutable=UnitAttr(),
        )
        load.result.name_hint = value.name_hint
        block.insert_op_before(load, memoize)
        value.replace_all_uses_with(load.result)
    block.erase_op(memoize)


def _captures(region: Region) -> Iterator[SSAValue]:
    """Values that ops of `region` use and that are defined outside, in order of use."""
    for op in region.walk():
        for operand in op.operands:
            owner = operand.owner
            inside = owner if isinstance(owner, Operation) else owner.parent_op()
            is_own_block = isinstance(owner, Block) and owner.parent is region
            if not is_own_block and not (inside is not None and _inside(inside, region)):
                yield operand


def _inside(op: Operation, region: Region) -> bool:
    """Whether `op` is nested in `region`."""
    current: Region | None = op.parent_region()
    while current is not None:
        if current is region:
            return True
        parent = current.parent
        current = None if parent is None else parent.parent_region()
    return False


def _fixed_origin(value: SSAValue) -> Operation | None:
    """The op to repeat in an initializer for a value that no call changes; None for others."""
    op = value.owner
    if not isinstance(op, Operation) or len(op.results) != 1:
        return None
    if isinstance(op, util.GlobalLoadOp):
        return op if op.is_immutable is not None else None
    return op if not op.operands and op.name in ("arith.constant", "util.null") else None


def _described(value: SSAValue) -> str:
    named = "" if value.name_hint is None else f"%{value.name_hint} "
    origin = value.owner
    return named + (f"of {origin.name}" if isinstance(origin, Operation) else "of the caller")
