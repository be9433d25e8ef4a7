"""The function of a model: its inputs and outputs as ops."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ...dialects import util
from ...dialects.diagnostics import fail
from ...dialects.hal.tensor import TensorAliasOp, TensorExportOp, TensorImportOp
from ..analysis.io_flow import same_storage
from .devices import device_names

_Border = TensorImportOp | TensorExportOp


@dataclass(frozen=True, slots=True)
class EntryInput:
    """An argument that the model sees as a tensor."""

    argument: int
    imports: tuple[TensorImportOp, ...]
    """All that see it; one for most."""
    reference: bool
    """Whether outputs are stored in it too."""


@dataclass(frozen=True, slots=True)
class EntryOutput:
    """A result that is an exported tensor."""

    ordinal: int
    export: TensorExportOp
    alias: TensorAliasOp | None
    """What stores it in an argument already."""
    reference: bool
    """Whether that argument is an input too."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """The function of a model."""

    function: util.FuncOp
    inputs: tuple[EntryInput, ...]
    """In the order of the arguments."""
    outputs: tuple[EntryOutput, ...]
    """In the order of the results."""

    @property
    def devices(self) -> list[str | None]:
        """The device that each input and output states; None for the default."""
        imports = [given.imports[0] for given in self.inputs]
        return [affinity_device(op) for op in (*imports, *(out.export for out in self.outputs))]


def find_model(module: ModuleOp, name: str | None) -> ModelEntry:
    """The function `name` of `module`, by default its only public one.

    Raises:
        OpError: there is none or several, or it is not the function of a model.
    """
    functions = [
        op
        for op in module.body.block.ops
        if isinstance(op, util.FuncOp) and op.body.blocks and _is_public(op)
    ]
    listed = ", ".join(f"@{op.sym_name.data}" for op in functions) or "none"
    if name is not None:
        functions = [op for op in functions if op.sym_name.data == name]
    if len(functions) != 1:
        wanted = "one public function" if name is None else f"a public function @{name}"
        fail(module, f"expected {wanted} as the model, got {listed}; name one with function=")
    (function,) = functions
    outputs = _outputs(function)
    stores: set[SSAValue] = {output.alias.storage for output in outputs if output.alias is not None}
    return ModelEntry(function, _inputs(function, stores), outputs)


def affinity_device(op: _Border) -> str | None:
    """The first device that an import or export names; None for the default."""
    names = device_names(op.affinity)
    return names[0] if names else None


def alias_of(export: TensorExportOp) -> TensorAliasOp | None:
    """The op that stores an exported tensor in storage of the caller, or None."""
    value: SSAValue | None = export.source
    while isinstance(value, OpResult):
        if isinstance(value.op, TensorAliasOp):
            return value.op
        value = same_storage(value.op)
    return None


def _inputs(function: util.FuncOp, stores: set[SSAValue]) -> tuple[EntryInput, ...]:
    result: list[EntryInput] = []
    for index, argument in enumerate(function.body.blocks[0].args):
        imports = [use.operation for use in argument.uses]
        seen = tuple(op for op in imports if isinstance(op, TensorImportOp))
        if seen:
            result.append(EntryInput(index, seen, argument in stores))
    return tuple(result)


def _outputs(function: util.FuncOp) -> tuple[EntryOutput, ...]:
    returns = [op for op in function.walk() if isinstance(op, util.ReturnOp)]
    if len(returns) != 1:
        fail(function, f"expected a model that returns in one place, got {len(returns)}")
    result: list[EntryOutput] = []
    for value in returns[0].operands:
        export = value.owner
        if not isinstance(export, TensorExportOp):
            fail(
                returns[0],
                f"result {len(result)} of @{function.sym_name.data} is no exported tensor; a model "
                "gives tensors alone",
            )
        alias = alias_of(export)
        result.append(EntryOutput(len(result), export, alias, _is_reference(alias)))
    return tuple(result)


def _is_reference(alias: TensorAliasOp | None) -> bool:
    if alias is None:
        return False
    if not isinstance(alias.storage, BlockArgument):
        fail(alias, "stores an output in what the model makes; store it in an argument")
    return any(isinstance(use.operation, TensorImportOp) for use in alias.storage.uses)


def _is_public(op: util.FuncOp) -> bool:
    return op.sym_visibility is None or op.sym_visibility.data == "public"
