"""The devices of a model's inputs and outputs."""

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from ...dialects.hal.affinity import AffinityAttr

DEFAULT_AFFINITY = "stream.affinity.default"


def device_names(affinity: Attribute | None) -> tuple[str, ...]:
    """The devices that an affinity names; none for anything else."""
    return affinity.device_names if isinstance(affinity, AffinityAttr) else ()


def model_device(module: ModuleOp, stated: Iterable[str | None]) -> str | None:
    """The device whose memory a model is laid out in: the first that its inputs and outputs state.

    Where they state none it is the module's default, and None where there is none either.
    """
    first = next((device for device in stated if device is not None), None)
    names = device_names(module.attributes.get(DEFAULT_AFFINITY))
    return first or (names[0] if names else None)
