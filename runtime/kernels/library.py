"""Kernels by symbol: the executables of a module, compiled as they are asked for.

An export is `@executable::@export` in flow and stream form, `@executable::@variant::@export` in
HAL form. Its body is the function of that name (flow, stream: the function the export refers to)
in the module beside it.
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from ...dialects.diagnostics import fail
from .attributes import attribute
from .kernel import CompiledKernel

_EXECUTABLES = ("flow.executable", "stream.executable", "hal.executable")
_EXPORTS = ("flow.executable.export", "stream.executable.export", "hal.executable.export")
_VARIANT = "hal.executable.variant"
_BINARY = "hal.executable.binary"


def compile_export(
    executable: Operation, export: str, variant: str | None = None
) -> CompiledKernel:
    """The kernel of an export of a flow, stream or HAL executable.

    Args:
        executable: the executable op.
        export: the export's name.
        variant: in HAL form the variant's name; by default the first that has the export.

    Raises:
        OpError: if there is no such export, it has no body, or its body is not supported.
    """
    found = _find_export(executable, export, variant)
    if found is None:
        where = "" if variant is None else f" in variant @{variant}"
        fail(executable, f"@{_symbol(executable)} has no export @{export}{where}")
    name = f"@{_symbol(executable)}::@{export}"
    return CompiledKernel(name, _body(found), found, _workgroups(found))


def _symbol(op: Operation) -> str | None:
    """The symbol that an op defines."""
    name = attribute(op, "sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _find_export(executable: Operation, export: str, variant: str | None) -> Operation | None:
    for op in _exports(executable):
        parent = op.parent_op()
        if variant is not None and parent is not None and _symbol(parent) != variant:
            continue
        if _symbol(op) == export:
            return op
    return None


def _exports(executable: Operation) -> Iterator[Operation]:
    """The export ops of an executable, in order."""
    for op in _children(executable):
        if op.name in _EXPORTS:
            yield op
        elif op.name == _VARIANT:
            yield from _exports(op)


def _children(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            yield from block.ops


def _body(export: Operation) -> FuncOp:
    reference = export.properties.get("function_ref")
    name = _symbol(export)
    if isinstance(reference, SymbolRefAttr):
        name = reference.root_reference.data
    parent = export.parent_op()
    assert parent is not None
    for function in _functions(parent):
        if _symbol(function) == name:
            return function
    return fail(export, f"@{_symbol(export)} has no body: expected a function @{name} beside it")


def _functions(op: Operation) -> Iterator[FuncOp]:
    """The functions of the modules in `op`."""
    for module in _children(op):
        if isinstance(module, ModuleOp):
            yield from (function for function in module.ops if isinstance(function, FuncOp))


def _workgroups(export: Operation) -> tuple[Block, int] | None:
    """The block that counts workgroups, and where its workload arguments start."""
    if not export.regions or not export.regions[0].blocks:
        return None
    block = export.regions[0].block
    has_device = bool(block.args) and block.args[0].type.name == "hal.device"
    return block, int(has_device)


def _executables(module: ModuleOp) -> dict[str, Operation]:
    """The executables of a module by name, in order."""
    found: dict[str, Operation] = {}
    for op in module.walk():
        if op.name in _EXECUTABLES and (name := _symbol(op)) is not None:
            found.setdefault(name, op)
    return found


def _has_binary(executable: Operation) -> bool:
    return any(op.name == _BINARY for op in _children(executable))


class KernelLibrary:
    """The kernels of a module, each compiled when it is first asked for.

    Args:
        module: a module with executables; not changed, and not to be changed meanwhile.
        sources: where the bodies are, by the names of exports, of executables of which `module`
            has only binaries: the same program in IREE's executable-sources phase.
    """

    def __init__(self, module: ModuleOp, sources: ModuleOp | None = None) -> None:
        self._module = module
        self._executables = _executables(module)
        self._sources: dict[str, list[Operation]] = {}
        for source in _executables(sources).values() if sources is not None else ():
            for export in dict.fromkeys(_symbol(op) for op in _exports(source)):
                self._sources.setdefault(export or "", []).append(source)
        self._kernels: dict[tuple[str, ...], CompiledKernel] = {}

    @property
    def executables(self) -> Sequence[str]:
        """The names of the executables, in order."""
        return list(self._executables)

    def exports(self, executable: str) -> Sequence[str]:
        """The names of an executable's exports, in order, which is that of their ordinals.

        Raises:
            OpError: if there is no such executable.
        """
        found = self._executable(executable)
        names = dict.fromkeys(_symbol(op) for op in _exports(found))
        if not names and _has_binary(found):
            return list(self._sources)
        return [name for name in names if name is not None]

    def kernel(self, reference: SymbolRefAttr) -> CompiledKernel:
        """The kernel of `@executable::@export` or `@executable::@variant::@export`.

        Raises:
            OpError: if there is none, or it is not supported; the place is that in the module.
        """
        nested = [name.data for name in reference.nested_references]
        return self.lookup(reference.root_reference.data, *nested)

    def lookup(self, *path: str) -> CompiledKernel:
        """`kernel` by the reference's names.

        Raises:
            OpError: as `kernel`.
        """
        kernel = self._kernels.get(path)
        if kernel is None:
            kernel = self._kernels[path] = self._compile(path)
        return kernel

    def _executable(self, name: str) -> Operation:
        executable = self._executables.get(name)
        if executable is None:
            fail(self._module, f"has no executable @{name}")
        return executable

    def _compile(self, path: tuple[str, ...]) -> CompiledKernel:
        if not 2 <= len(path) <= 3:
            text = "::".join(f"@{name}" for name in path)
            fail(self._module, f"expected @executable::@export as entry point, got {text}")
        executable = self._executable(path[0])
        if _has_binary(executable) and not any(_exports(executable)):
            return compile_export(self._source(executable, path), path[-1])
        return compile_export(executable, path[-1], path[1] if len(path) == 3 else None)

    def _source(self, binary: Operation, path: tuple[str, ...]) -> Operation:
        """The executable in which the export that `path` ends with has a body."""
        found = self._sources.get(path[-1], [])
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"@{_symbol(op)}" for op in found)
            fail(binary, f"has no sources, and several have an export @{path[-1]}: {listed}")
        fail(
            binary,
            f"has a binary and no source of @{path[-1]}; name a file with its "
            "executable-sources phase (--executable-sources)",
        )
