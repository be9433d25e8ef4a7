"""IR: ops, attributes, types, verifiers and topology queries. Imports xDSL only.

Members of an op class stand in one order: docstring, name, constraint variables, operands,
properties, regions, results, irdl options, traits, assembly format, `__init__`, helpers,
`verify_`.

Dialects are named here as data and loaded when the first op or attribute of theirs is met.
"""

from collections.abc import Callable
from importlib import import_module

from xdsl.ir import Dialect

DIALECTS: dict[str, str] = {
    "flow": ".flow:Flow",
    "hal": ".hal:Hal",
    "io_parameters": ".io_parameters:IOParameters",
    "iree_linalg_ext": ".iree_linalg_ext:IREELinalgExt",
    "iree_tensor_ext": ".iree_tensor_ext:IREETensorExt",
    "stream": ".stream:Stream",
    "util": ".util:Util",
}
"""Our dialects: name to `module:attribute`, relative to this package."""

FOREIGN_DIALECTS: dict[str, str] = {
    "arith": ".foreign.arith:Arith",
    "func": ".foreign.func:Func",
    "index": ".foreign.index:Index",
    "linalg": ".foreign.linalg:Linalg",
    "math": ".foreign.math:Math",
    "scf": ".foreign.scf:Scf",
    "tensor": ".foreign.tensor:Tensor",
    "vector": ".foreign.vector:Vector",
}
"""Dialects of upstream MLIR that stand in for xDSL's own in our tools, where xDSL's cannot
read or print what IREE writes."""


def dialect_factories(table: dict[str, str]) -> dict[str, Callable[[], Dialect]]:
    """Loaders, as xDSL's context takes them, for the rows of `table`."""

    def factory(path: str) -> Callable[[], Dialect]:
        module, attribute = path.split(":")
        return lambda: getattr(import_module(module, __name__), attribute)

    return {name: factory(path) for name, path in table.items()}
