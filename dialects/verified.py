"""Verification between passes: what a pass left as it was is not verified again."""

from operator import is_

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from .diagnostics import verify_module


class PassVerifier:
    """Verifies a module after each of the passes that work on it.

    Whether IR verifies depends on nothing but the IR. Attributes and types never change, so it is
    the same as before if it is made of the same objects in the same places.
    """

    def __init__(self) -> None:
        self._verified: list[object] = []
        """The content of the module when it was verified last."""

    def verify(self, module: ModuleOp) -> None:
        """Verify `module` as `verify_module` does, unless it is as it was the last time."""
        content = _content(module)
        if len(content) == len(self._verified) and all(map(is_, content, self._verified)):
            return
        self._verified.clear()
        verify_module(module)
        self._verified = content


def _content(root: Operation) -> list[object]:
    """All that IR is made of but names and places, by identity."""
    content: list[object] = []
    for op in root.walk():
        content += op, op.parent, *op.operands, *op.successors
        content += *op.properties, *op.properties.values(), None, *op.attributes
        content += op.attributes.values()
        for result in op.results:
            content += result, result.type
        for region in op.regions:
            content.append(region)
            for block in region.blocks:
                content.append(block)
                for argument in block.args:
                    content += argument, argument.type
    return content
