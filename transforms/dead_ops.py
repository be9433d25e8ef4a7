"""Removal of async ops that nothing uses; their values are all they have."""

from xdsl.ir import Operation

from ..dialects.stream.base import AsyncPhase


def remove_dead(function: Operation) -> None:
    """Remove the async ops of `function` without regions whose results lead nowhere."""
    for op in reversed(list(function.walk())):
        made = op.results if op.has_trait(AsyncPhase) and not op.regions else ()
        if made and all(result.first_use is None for result in made):
            op.detach()
            op.erase()
