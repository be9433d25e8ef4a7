"""Where an op is carried out: which ops run on devices, and on which device a copy runs."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import is_side_effect_free

from ...dialects import stream
from ...dialects.access import inherited_affinity
from ...dialects.diagnostics import fail
from ...dialects.stream.base import AsyncPhase, Streamable
from ...dialects.topology import Topology
from ..analysis.alias_sets import devices_of
from ..analysis.module_topology import module_topology
from ..analysis.storage import renamed_source
from ..analysis.value_affinity import ValueAffinities

_UNORDERED = frozenset(
    {
        "hal.buffer_view.assert",
        "hal.buffer_view.dim",
        "hal.buffer_view.rank",
        "hal.element_type",
        "hal.encoding_type",
        "util.assume.int",
        "util.global.load",
        "stream.tensor.import",
        "stream.tensor.export",
    }
)
"""Host ops that may move across the launch of regions they do not depend on."""


def runs_on_device(op: Operation) -> bool:
    """Whether `op` goes into an execution region, as a command or as another name."""
    trait = op.get_trait(Streamable)
    return trait is not None and op.has_trait(AsyncPhase)


def is_fence(op: Operation) -> bool:
    """Whether regions are launched on the side of `op` on which their ops stand."""
    if op.name in _UNORDERED:
        return False
    return bool(op.regions) or op.next_op is None or not is_side_effect_free(op)


class Placement:
    """Where the ops of `module`, not scheduled yet, are carried out."""

    def __init__(self, module: ModuleOp) -> None:
        self.topology = module_topology(module)
        self.homes = ValueAffinities(module)

    def of(self, op: Operation) -> Attribute | None:
        """The affinity of the region that `op` goes into.

        Raises:
            OpError: a copy transfer that no device can carry out.
        """
        if not isinstance(op, stream.AsyncTransferOp):
            return inherited_affinity(op)
        source = op.source_affinity or self.homes.of(op.source)
        if renamed_source(op) is not None:
            return source or op.execution_affinity or op.target_affinity
        return _copying_affinity(op, source, self.topology)


def _copying_affinity(
    op: stream.AsyncTransferOp, source: Attribute | None, topology: Topology
) -> Attribute | None:
    """Who copies: as stated, else who has both memories in reach, else who can copy at all.

    Of several the source's device.
    """
    target = op.target_affinity
    candidates = [op.execution_affinity] if op.execution_affinity else [source, target]
    known = [candidate for candidate in dict.fromkeys(candidates) if candidate is not None]
    for reaches in (_has_in_reach, _can_copy):
        for candidate in known:
            if reaches(candidate, source, target, topology):
                return candidate
    if not known:
        return inherited_affinity(op)
    who = " or ".join(
        f"@{name}" for name in dict.fromkeys(name for one in known for name in devices_of(one))
    )
    ends = f"{_names(source)} to {_names(target)}"
    return fail(
        op,
        f"expected a device that can copy from {ends}, but {who} cannot reach both; "
        "state another with on(…), or a link that lets it",
    )


def _has_in_reach(
    device: Attribute, source: Attribute | None, target: Attribute | None, topology: Topology
) -> bool:
    """Whether `device` reads the source and writes the target in place."""
    known = set(topology.device_names)
    agents, sources, targets = (
        [name for name in devices_of(affinity) if name in known]
        for affinity in (device, source, target)
    )
    return all(
        all(topology.reads_in_place(agent, name) for name in sources)
        and all(topology.writes_in_place(agent, name) for name in targets)
        for agent in agents
    )


def _can_copy(
    device: Attribute, source: Attribute | None, target: Attribute | None, topology: Topology
) -> bool:
    known = set(topology.device_names)
    return all(
        agent not in known
        or (
            all(topology.copies_from(agent, name) for name in devices_of(source) if name in known)
            and all(topology.copies_to(agent, name) for name in devices_of(target) if name in known)
        )
        for agent in devices_of(device)
    )


def _names(affinity: Attribute | None) -> str:
    return ", ".join(f"@{name}" for name in devices_of(affinity)) or "an unknown device"
