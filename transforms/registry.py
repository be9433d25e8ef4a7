"""Passes by name, as data, and the named pipelines. Loaded on demand."""

from collections.abc import Callable
from importlib import import_module

from xdsl.passes import ModulePass

PASSES: dict[str, str] = {}
"""Pass name to `module:Class`, relative to `zcir.transforms`."""

PIPELINES: dict[str, tuple[str, ...]] = {}
"""Named pipelines: they stand in `-p` lists as passes do, and expand to these specs."""


def pass_factories() -> dict[str, Callable[[], type[ModulePass]]]:
    """Loaders, as xDSL's tools take them, for every pass of the project."""

    def factory(path: str) -> Callable[[], type[ModulePass]]:
        module, attribute = path.split(":")
        return lambda: getattr(import_module(module, __package__), attribute)

    return {name: factory(path) for name, path in PASSES.items()}
