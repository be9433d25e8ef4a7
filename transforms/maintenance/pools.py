"""Which pool storage of an affinity lies in."""

from xdsl.ir import Attribute

from ...dialects.hal import AffinityAttr
from ...dialects.topology import Topology


def pool_name(topology: Topology, affinity: Attribute | None) -> str | None:
    """The pool that storage of an affinity lies in; None where no one pool serves."""
    names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
    if not names or any(name not in topology.device_names for name in names):
        return None
    serving = topology.serving_pools(names, names)
    own = topology.pool_of(names[0])
    if own in serving:
        return own.name
    return serving[0].name if serving else None
