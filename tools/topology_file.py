"""`--topology=FILE`: the topology of one module put in the place of another's."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .driver import ToolError
from .frontend import ZcFrontend

TOPOLOGY = "stream.topology"
HOST = "zc.host"


def apply_topology(ctx: Context, module: ModuleOp, path: str) -> None:
    """Replace the topology of `module`, and its `zc.host`, by those of the module in `path`.

    Raises:
        ToolError: the module in `path` carries no `stream.topology`.
        OSError, ParseError: it cannot be read.
    """
    with open(path, "rb") as file:
        source = ZcFrontend().parse(ctx, file, path)
    topology = source.attributes.get(TOPOLOGY)
    if topology is None:
        raise ToolError(f"expected a module with the attribute {TOPOLOGY}, got none", path)
    module.attributes[TOPOLOGY] = topology
    module.attributes.pop(HOST, None)
    if (host := source.attributes.get(HOST)) is not None:
        module.attributes[HOST] = host
