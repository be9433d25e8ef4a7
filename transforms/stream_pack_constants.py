"""stream-pack-constants: constants become bytes of the program that are mapped, or read as a file.

```mlir
%w, %t = stream.resource.constants on(@a) :
  !stream.resource<constant>{%c16} = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  => !stream.timepoint
```

becomes

```mlir
%bytes = util.buffer.constant {alignment = 64} : !util.buffer = dense<[1.0, …]> : tensor<4xf32>
%ok, %mapped = stream.resource.try_map on(@a) %bytes[%c0] : … !stream.resource<constant>{%c16}
%w, %t = scf.if %ok -> (!stream.resource<constant>, !stream.timepoint) {
  %now = stream.timepoint.immediate => !stream.timepoint
  scf.yield %mapped, %now
} else {
  %new = stream.resource.alloc uninitialized on(@a) : !stream.resource<constant>{%c16}
  %file = stream.file.constant on(@a) %bytes[%c0 for %c16] : …
  %read = stream.file.read on(@a) %file[%c0_i64], %new[%c0], %c16 : … => !stream.timepoint
  %flushed = stream.cmd.execute once on(@a) await(%read) => with(%new as %arg: …) {
    stream.cmd.flush %arg[%c0 for %c16] : …
  } => !stream.timepoint
  scf.yield %new, %flushed
}
```

IREE's HAL phase takes no `stream.resource.constants`. What is not of lifetime constant is always
read: IREE's runtime maps bytes of the program for constants only. What a device reads from a
file it writes itself: it flushes, so that either way others find the bytes in memory.

A parameter, which is kept outside of the program, is loaded from its archive, in whose memory it
may stay; one that is variable is read into storage of its own:

```mlir
%w, %t = stream.resource.constants on(@a) : !stream.resource<constant>{%c16} =
  #stream.parameter.named<"model"::"w"> : tensor<4xf32> => !stream.timepoint
```

becomes

```mlir
%scope = util.buffer.constant : !util.buffer = "model"
%key = util.buffer.constant : !util.buffer = "w"
%w, %t = stream.cmd.parameter.load on(@a) {
  %scope::%key[%c0_i64] : !stream.resource<constant>{%c16}
} => !stream.timepoint
```

Does not handle: other attributes as values; such ops stay.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.walk import walk
from .build import INDEX, make
from .functions import functions_of
from .indices import IndexBuilder
from .timepoints import TIMEPOINT, join_timepoints

ALIGNMENT = IntegerAttr(64, INDEX)
"""Of bytes of the program, in bytes: what IREE's devices can map."""

VARIABLE = stream.ResourceType(stream.Lifetime.VARIABLE)

_Filled = tuple[list[Operation], tuple[SSAValue, SSAValue]]
"""Ops, with the resource and the timepoint that they make."""


@dataclass(frozen=True)
class StreamPackConstantsPass(ModulePass):
    """Replace `stream.resource.constants` in all functions of the module."""

    name = "stream-pack-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in functions_of(op):
            entry = function.regions[0].first_block
            found = [
                inner
                for inner in walk(function)
                if isinstance(inner, stream.ResourceConstantsOp) and _is_handled(inner)
            ]
            if entry is None or not found:
                continue
            indices = IndexBuilder(entry)
            for inner in found:
                _Upload(inner, indices).run()
            indices.finish()


def _is_handled(op: stream.ResourceConstantsOp) -> bool:
    handled = DenseIntOrFPElementsAttr | StringAttr | stream.NamedParameterAttr
    return all(isinstance(value, handled) for value in op.values)


class _Upload:
    """The ops that take the place of one op."""

    def __init__(self, op: stream.ResourceConstantsOp, indices: IndexBuilder) -> None:
        self.op = op
        self.indices = indices
        self.on = {"affinity": op.affinity}

    def run(self) -> None:
        """Replace the op."""
        ops: list[Operation] = []
        resources: list[SSAValue] = []
        ready: list[SSAValue] = []
        for value, size, result in zip(
            self.op.values, self.op.result_sizes, self.op.result_resources, strict=True
        ):
            if isinstance(value, stream.NamedParameterAttr):
                more, (resource, timepoint) = self._load(value, result.type, size)
            else:
                more, (resource, timepoint) = self._fill(value, result.type, size)
            ops.extend(more)
            resources.append(resource)
            ready.append(timepoint)
        joined, joins = join_timepoints(ready, self.op)
        assert joined is not None
        block = self.op.parent
        assert block is not None
        block.insert_ops_before([*self.indices.take(), *ops, *joins], self.op)
        for old, new in zip(self.op.results, [*resources, joined], strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        block.erase_op(self.op)

    def _fill(self, value: Attribute, type: Attribute, size: SSAValue) -> _Filled:
        """What the bytes of the program are in memory."""
        bytes = make(
            util.BufferConstantOp, self.op, [util.BufferType()], value=value, alignment=ALIGNMENT
        )
        fill = self._read if type == VARIABLE else self._map
        ops, filled = fill(bytes.result, type, size)
        return [bytes, *ops], filled

    def _load(self, value: stream.NamedParameterAttr, type: Attribute, size: SSAValue) -> _Filled:
        """What an archive holds."""
        names = [value.scope, value.key] if isinstance(value.scope, StringAttr) else [value.key]
        texts = [
            make(util.BufferConstantOp, self.op, [util.BufferType()], value=name) for name in names
        ]
        start = arith.ConstantOp(IntegerAttr(0, i64))
        *scope, key = (text.result for text in texts)
        if type != VARIABLE:
            load = make(
                stream.CmdParameterLoadOp,
                self.op,
                [[type], TIMEPOINT],
                source_scope=scope,
                source_keys=[key],
                source_offsets=[start.result],
                result_sizes=[size],
                **self.on,
            )
            return [*texts, start, load], (load.result_resources[0], load.result_timepoint)
        new = self._allocate(type, size)
        read = make(
            stream.CmdParameterReadOp,
            self.op,
            [TIMEPOINT],
            source_scope=scope,
            source_key=key,
            source_offset=start.result,
            target=new.result,
            target_size=size,
            target_offset=self.indices.constant(0),
            target_length=size,
            **self.on,
        )
        ops, flushed = self._flush(new.result, size, read.result_timepoint)
        return [*texts, start, new, read, *ops], (new.result, flushed)

    def _allocate(self, type: Attribute, size: SSAValue) -> stream.ResourceAllocOp:
        return make(
            stream.ResourceAllocOp,
            self.op,
            [type],
            storage_size=size,
            uninitialized=UnitAttr(),
            **self.on,
        )

    def _map(self, bytes: SSAValue, type: Attribute, size: SSAValue) -> _Filled:
        """The bytes in place if the device can, else what it reads."""
        mapped = make(
            stream.ResourceTryMapOp,
            self.op,
            [i1, type],
            source=bytes,
            source_offset=self.indices.constant(0),
            result_size=size,
            **self.on,
        )
        now = make(stream.TimepointImmediateOp, self.op, [TIMEPOINT])
        there = Block([now, scf.YieldOp(mapped.result, now.result_timepoint)])
        ops, filled = self._read(bytes, type, size)
        read = Block([*ops, scf.YieldOp(*filled)])
        chosen = scf.IfOp(mapped.did_map, [type, TIMEPOINT], Region(there), Region(read))
        chosen.location = self.op.location
        resource, timepoint = chosen.results
        return [mapped, chosen], (resource, timepoint)

    def _read(self, bytes: SSAValue, type: Attribute, size: SSAValue) -> _Filled:
        """Storage of the device, into which it reads."""
        zero = self.indices.constant(0)
        new = self._allocate(type, size)
        file = make(
            stream.FileConstantOp,
            self.op,
            [stream.FileType()],
            source=bytes,
            source_size=size,
            source_offset=zero,
            source_length=size,
            **self.on,
        )
        start = arith.ConstantOp(IntegerAttr(0, i64))
        read = make(
            stream.FileReadOp,
            self.op,
            [TIMEPOINT],
            source=file.result,
            source_offset=start.result,
            target=new.result,
            target_size=size,
            target_offset=zero,
            length=size,
            **self.on,
        )
        ops, flushed = self._flush(new.result, size, read.result_timepoint)
        return [new, file, start, read, *ops], (new.result, flushed)

    def _flush(
        self, resource: SSAValue, size: SSAValue, read: SSAValue
    ) -> tuple[list[Operation], SSAValue]:
        """What the device has read into `resource` once `read` is reached, it flushes."""
        body = Block(arg_types=[resource.type])
        flush = make(
            stream.CmdFlushOp,
            self.op,
            target=body.args[0],
            target_size=size,
            target_offset=self.indices.constant(0),
            target_length=size,
        )
        body.add_ops([flush, make(stream.YieldOp, self.op)])
        flushed = make(
            stream.CmdExecuteOp,
            self.op,
            [TIMEPOINT],
            resource_operands=[resource],
            resource_operand_sizes=[size],
            await_timepoint=[read],
            once=UnitAttr(),
            body=Region(body),
            **self.on,
        )
        return [flushed], flushed.result_timepoint
