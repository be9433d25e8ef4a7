"""Which export a dispatch runs on which device."""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal import DeviceTargetAttr
from ...dialects.hal.executable import ExecutableExportOp, ExecutableOp, ExecutableVariantOp
from .executables import variant_names


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """The exports of a module and the variants of its devices."""

    counting: frozenset[tuple[str, str]]
    """Executable and export of those that compute workgroup counts."""
    variants: Mapping[str, tuple[str, ...]]
    """By device the variants that it can run, the best first."""

    @staticmethod
    def of(module: ModuleOp) -> "EntryPoints":
        """What `module` has, before or after its executables are lowered."""
        counting: set[tuple[str, str]] = set()
        variants: dict[str, tuple[str, ...]] = {}
        names = variant_names(module)
        for op in module.body.block.ops:
            match op:
                case stream.ExecutableOp() | ExecutableOp():
                    counting.update((op.sym_name.data, export) for export in _counting(op))
                case util.GlobalOp(initial_value=DeviceTargetAttr() as target):
                    variants[op.sym_name.data] = tuple(
                        names[format] for format in target.executable_targets
                    )
                case _:
                    pass
        return EntryPoints(frozenset(counting), variants)

    def choose(self, op: stream.CmdDispatchOp, device: str) -> SymbolRefAttr:
        """`@executable::@variant::@export` for a dispatch on `device`.

        Raises OpError at `op` for an entry point without an export.
        """
        variants = self.variants.get(device, ())
        entries = op.entry_points.data
        for entry in entries:
            if not entry.nested_references.data:
                fail(op, f"expected @executable::@export as entry point, got {entry}")
        for variant in variants:
            for entry in entries:
                nested = [name.data for name in entry.nested_references]
                if len(nested) == 2 and nested[0] == variant:
                    return entry
        entry = entries[0]
        nested = [name.data for name in entry.nested_references]
        if len(nested) == 2 or not variants:
            return entry
        return SymbolRefAttr(entry.root_reference.data, [variants[0], nested[-1]])

    def counts_workgroups(self, entry: SymbolRefAttr) -> bool:
        """Whether an export computes its workgroup count from a workload."""
        return (entry.root_reference.data, entry.nested_references.data[-1].data) in self.counting


def _counting(executable: Operation) -> list[str]:
    """The exports of an executable, in any of its variants, that compute workgroup counts."""
    found: list[str] = []
    for region in executable.regions:
        for op in region.block.ops:
            if isinstance(op, ExecutableVariantOp):
                found += _counting(op)
            elif (
                isinstance(op, stream.ExecutableExportOp | ExecutableExportOp)
                and op.workgroup_count.blocks
            ):
                found.append(op.sym_name.data)
    return found
