"""The topology that passes work with: every device that an affinity names is one of it."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import fail
from ...dialects.hal.affinity import AffinityAttr
from ...dialects.topology import Topology
from ...dialects.topology_reading import device_names, host_properties, topology_attribute
from ...dialects.walk import walk


def module_topology(module: ModuleOp) -> Topology:
    """The topology of `module`, in which all devices that its affinities name are known.

    A module that declares no device at all is a fragment: the devices that it names are its
    devices, in textual order, without links but those that its `stream.topology` states.

    Raises:
        OpError: an affinity names a device that is not declared while others are, or the
            topology is malformed.
    """
    try:
        declared = device_names(module)
        attribute, host = topology_attribute(module), host_properties(module)
        topology = Topology.from_attribute(attribute, declared, host)
    except VerifyException as error:
        fail(module, str(error))
    named: dict[str, Operation] = {}
    for op, affinity in _affinities(module):
        for name in affinity.device_names:
            named.setdefault(name, op)
    unknown = {name: op for name, op in named.items() if name not in topology.device_names}
    if not unknown:
        return topology
    if not declared:
        return Topology.from_attribute(attribute, unknown, host)
    name, op = next(iter(unknown.items()))
    known = ", ".join(f"@{name}" for name in topology.device_names)
    fail(op, f"expected an affinity to a declared device ({known}), got @{name}; declare it")


def _affinities(module: ModuleOp) -> Iterator[tuple[Operation, AffinityAttr]]:
    """The affinities of all ops, each with an op that states it."""
    for op in walk(module):
        for attribute in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attribute, AffinityAttr):
                yield op, attribute
