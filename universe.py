"""The xDSL plugin: plain `xdsl-opt` and `xdsl-gui` know our dialects and passes through it."""

from xdsl.universe import Universe

from .dialects import DIALECTS, dialect_factories
from .transforms.registry import pass_factories

ZCIR_UNIVERSE = Universe(
    all_dialects=dialect_factories(DIALECTS),
    all_passes=pass_factories(),
)
