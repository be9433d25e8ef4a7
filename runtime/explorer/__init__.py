"""The explorer: runs small event graphs in every possible way and says what their reads give.

It is operational and shares no code with the checker or with the simulated memory, so that the
three can be held against each other.
"""

from .drawing import to_dot, to_trace
from .explore import (
    INITIAL,
    Action,
    ExploreOptions,
    ExploreResult,
    Outcome,
    ReadValue,
    WitnessStep,
    explore,
    find_witness,
)
from .search import TooManyStatesError

__all__ = [
    "INITIAL",
    "Action",
    "ExploreOptions",
    "ExploreResult",
    "Outcome",
    "ReadValue",
    "TooManyStatesError",
    "WitnessStep",
    "explore",
    "find_witness",
    "to_dot",
    "to_trace",
]
