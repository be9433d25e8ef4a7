"""Globals of tensors: a global of the resource, and one of its size where the type leaves it open.

```mlir
util.global private mutable @g = dense<0.0> : tensor<4xf32>
%0 = util.global.load @g : tensor<4xf32>
util.global.store %1, @g : tensor<4xf32>
```

becomes

```mlir
util.global private mutable @g : !stream.resource<variable>
util.initializer {
  %cst = stream.async.constant on(#a) : !stream.resource<variable>{%c16} = dense<0.0> …
  util.global.store %cst, @g : !stream.resource<variable>
  util.return
}
%l = util.global.load @g : !stream.resource<variable>
%0 = stream.async.transfer %l : … from(#a) -> to(#a) !stream.resource<*>{%c16}
%s = stream.async.transfer %1 : … from(#a) -> to(#a) !stream.resource<variable>{%c16}
util.global.store %s, @g : !stream.resource<variable>
```

An immutable global is of lifetime constant, a mutable one variable. A load or store through an
address is one of the global that the address is of.
"""

from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.utils.hints import isa

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ..analysis.affinity import Affinities, default_affinity
from ..analysis.value_flow import global_name
from ..build import INDEX, make
from .constants import stream_value
from .expansion import has_static_size, is_tensor
from .lowering import UNKNOWN, GlobalStorage, Handler, Lowering, Resource
from .sizes import Packing


def lower_globals(module: ModuleOp, affinities: Affinities) -> dict[str, GlobalStorage]:
    """Replace the globals of tensors in `module`; gives, by name, what they have become."""
    storages: dict[str, GlobalStorage] = {}
    for op in list(module.body.block.ops):
        if isinstance(op, util.GlobalOp) and is_tensor(op.type):
            storages[op.sym_name.data] = _lower_global(op, affinities)
    return storages


def _lower_global(op: util.GlobalOp, affinities: Affinities) -> GlobalStorage:
    lifetime = stream.Lifetime.CONSTANT if op.is_mutable is None else stream.Lifetime.VARIABLE
    type = stream.ResourceType(lifetime)
    name = op.sym_name.data
    size = None if has_static_size(op.type) else f"{name}__size"
    affinity = affinities.ops.get(op) or default_affinity(op)
    storage = GlobalStorage(op.type, type, size, affinity)
    block = op.parent
    assert block is not None
    block.insert_op_before(_global(op, name, type), op)
    if size is not None:
        block.insert_op_before(_global(op, size, INDEX), op)
    if op.initial_value is not None:
        block.insert_op_before(_initializer(op, storage), op)
    block.erase_op(op)
    return storage


def _global(op: util.GlobalOp, name: str, type: Attribute) -> util.GlobalOp:
    properties = {key: value for key, value in op.properties.items() if key != "initial_value"}
    return util.GlobalOp.create(
        properties={**properties, "sym_name": StringAttr(name), "type": type},
        attributes=op.attributes,
        location=op.location,
    )


def _initializer(op: util.GlobalOp, storage: GlobalStorage) -> util.InitializerOp:
    """What sets a global to its initial value."""
    if not isa(op.type, TensorType[Attribute]) or not has_static_size(op.type):
        fail(op, f"expected a static shape for a global with an initial value, got {op.type}")
    if storage.affinity is None:
        fail(op, "has no affinity; set stream.affinity.default on the module")
    end = make(util.ReturnOp, op)
    initializer = make(
        util.InitializerOp,
        op,
        function_type=FunctionType.from_lists([], []),
        body=Region(Block([end])),
    )
    packing = Packing.of(op.type.element_type)
    if packing is None:
        fail(op, f"element type {op.type.element_type} has no size in bytes")
    size = arith.ConstantOp(IntegerAttr(packing.bytes(prod(op.type.get_shape())), INDEX))
    on = {"affinity": storage.affinity}
    initial = op.initial_value
    if initial is None or isinstance(initial, util.UninitializedAttr):
        value = make(stream.AsyncAllocaOp, op, [storage.type], storage_size=size.result, **on)
    else:
        value = make(
            stream.AsyncConstantOp,
            op,
            [storage.type],
            value=stream_value(initial),
            result_size=size.result,
            **on,
        )
    store = make(
        util.GlobalStoreOp, op, value=value.result, global_name=SymbolRefAttr(op.sym_name.data)
    )
    initializer.body.block.insert_ops_before([size, value, store], end)
    return initializer


def lower_load(lowering: Lowering, op: util.GlobalLoadOp | util.GlobalLoadIndirectOp) -> None:
    """A load of the resource, and a transfer from the global's lifetime and device."""
    name, storage = _accessed(lowering, op)
    immutable = {} if op.is_immutable is None else {"is_immutable": op.is_immutable}
    global_attr = SymbolRefAttr(name)
    loaded = lowering.make(
        util.GlobalLoadOp, [storage.type], global_name=global_attr, **immutable
    ).result
    if has_static_size(op.result.type):
        size = lowering.byte_size(op.result.type, ())
    elif storage.size_global is not None:
        size = lowering.make(
            util.GlobalLoadOp, [INDEX], global_name=SymbolRefAttr(storage.size_global), **immutable
        ).result
    else:
        size = lowering.byte_size(storage.tensor, ())
    home = lowering.value_affinity(op.result) or storage.affinity
    result = lowering.transferred(Resource(loaded, size), UNKNOWN, storage.affinity, home)
    lowering.resources[op.result] = Resource(result, size)


def lower_store(lowering: Lowering, op: util.GlobalStoreOp | util.GlobalStoreIndirectOp) -> None:
    """A transfer to the global's lifetime and device, and stores of the resource and its size."""
    name, storage = _accessed(lowering, op)
    resource = lowering.resource(op.value)
    home = lowering.value_affinity(op.value)
    value = lowering.transferred(resource, storage.type, home, storage.affinity)
    lowering.make(util.GlobalStoreOp, value=value, global_name=SymbolRefAttr(name))
    if storage.size_global is not None:
        size_name = SymbolRefAttr(storage.size_global)
        lowering.make(util.GlobalStoreOp, value=resource.size, global_name=size_name)


def lower_address(lowering: Lowering, op: util.GlobalAddressOp) -> None:
    """The address of a global of a tensor goes: loads and stores through it name the global."""


def _accessed(lowering: Lowering, op: Operation) -> tuple[str, GlobalStorage]:
    name = global_name(op)
    storage = lowering.program.globals.get(name)
    if storage is None:
        fail(op, "accesses a tensor at an address that is not taken from a global right here")
    return name, storage


HANDLERS: dict[type, Handler] = {
    util.GlobalLoadOp: lower_load,
    util.GlobalLoadIndirectOp: lower_load,
    util.GlobalStoreOp: lower_store,
    util.GlobalStoreIndirectOp: lower_store,
    util.GlobalAddressOp: lower_address,
}
"""By class, for ops that touch tensors."""
