"""Removal of async ops that nothing uses; their values are all they have."""

from xdsl.ir import Operation

from ..dialects.stream.base import is_async_leaf
from ..dialects.walk import walk


def remove_dead(function: Operation) -> None:
    """Remove the async ops of `function` without regions whose results lead nowhere."""
    for op in reversed(list(walk(function))):
        made = op.results if is_async_leaf(op) else ()
        if made and all(result.first_use is None for result in made):
            op.detach()
            op.erase()
