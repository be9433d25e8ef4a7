"""Passes by name, as data, and the named pipelines. Loaded on demand."""

from collections.abc import Callable
from importlib import import_module

from xdsl.passes import ModulePass

PASSES: dict[str, str] = {
    "flow-to-stream": ".flow_to_stream:FlowToStreamPass",
    "stream-elide-async-copies": ".stream_elide_async_copies:StreamElideAsyncCopiesPass",
    "stream-materialize-copy-on-write": (
        ".stream_materialize_copy_on_write:StreamMaterializeCopyOnWritePass"
    ),
    "stream-refine-usage": ".stream_refine_usage:StreamRefineUsagePass",
    "stream-resolve-transfer-kinds": (
        ".stream_resolve_transfer_kinds:StreamResolveTransferKindsPass"
    ),
}
"""Pass name to `module:Class`, relative to `zcir.transforms`."""

PIPELINES: dict[str, tuple[str, ...]] = {}
"""Named pipelines: they stand in `-p` lists as passes do, and expand to these specs."""


def pass_factories() -> dict[str, Callable[[], type[ModulePass]]]:
    """Loaders, as xDSL's tools take them, for every pass of the project."""

    def factory(path: str) -> Callable[[], type[ModulePass]]:
        module, attribute = path.split(":")
        return lambda: getattr(import_module(module, __package__), attribute)

    return {name: factory(path) for name, path in PASSES.items()}
