"""From `stream.topology` and `zc.host` to the plain data of `topology_data`."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import (
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from .hal.link_properties import (
    CACHE_LINE,
    CAPABILITIES,
    WRITE_BACKS,
    as_bool,
    as_int,
    as_number,
    as_word,
    is_cache_line,
)
from .hal.topology_attrs import DeviceLinkAttr, DeviceTopologyAttr
from .hal.types import DeviceType
from .topology_data import (
    DEFAULT_CACHE_LINE,
    TOPOLOGY,
    ZC_HOST,
    BufferMode,
    DeviceProperties,
    HostProperties,
    Link,
    Maintenance,
    WriteBack,
)


def links_of(
    attribute: DeviceTopologyAttr,
) -> tuple[tuple[Link, ...], tuple[DeviceProperties, ...]]:
    """The links between different devices, and the devices with self-links, in order."""
    links = tuple(_link(link) for link in attribute.links if not link.is_self_link)
    devices = tuple(_device(link) for link in attribute.links if link.is_self_link)
    return links, devices


def _mode(value: Attribute | None) -> BufferMode | None:
    word = None if value is None else as_word(value)
    return None if word is None else BufferMode(word)


def _link(attribute: DeviceLinkAttr) -> Link:
    properties = attribute.properties
    bandwidth, latency = properties.get("bandwidth_gbps"), properties.get("latency_ns")
    coherent = properties.get("coherent")
    return Link(
        attribute.source_name,
        attribute.target_name,
        unified_memory=bool(attribute.unified_memory.value.data),
        transparent_access=bool(attribute.transparent_access.value.data),
        coherent=None if coherent is None else as_bool(coherent),
        bandwidth_gbps=None if bandwidth is None else as_number(bandwidth),
        latency_ns=None if latency is None else as_number(latency),
        buffer_read=_mode(properties.get("buffer_read")),
        buffer_write=_mode(properties.get("buffer_write")),
    )


def _device(attribute: DeviceLinkAttr) -> DeviceProperties:
    properties = attribute.properties

    def flag(key: str, default: bool) -> bool:
        return default if key not in properties else bool(as_bool(properties[key]))

    def word(key: str, default: str) -> str:
        return (as_word(properties[key]) if key in properties else None) or default

    def size(key: str) -> int | None:
        return as_int(properties[key]) if key in properties else None

    def number(key: str) -> float | None:
        return as_number(properties[key]) if key in properties else None

    return DeviceProperties(
        attribute.source_name,
        host_coherent=flag("host_coherent", False),
        host_visible=flag("host_visible", True),
        cache_line=size("cache_line") or DEFAULT_CACHE_LINE,
        write_back=WriteBack(word("write_back", WriteBack.BYTES)),
        maintenance=Maintenance(word("maintenance", Maintenance.QUEUE)),
        whole_line_maintenance=flag("whole_line_maintenance", False),
        deferred_recording=flag("deferred_recording", False),
        address_reach=size("address_reach"),
        memory_bandwidth_gbps=number("memory_bandwidth_gbps"),
        host_bandwidth_gbps=number("host_bandwidth_gbps"),
        host_latency_ns=number("host_latency_ns"),
        **{key: flag(key, True) for key in CAPABILITIES},
    )


def device_names(module: ModuleOp) -> tuple[str, ...]:
    """The symbols of a module's globals of type `!hal.device`, in order.

    One in which an initializer keeps which of the others to allocate on, as in IREE's hal phase,
    is no device.
    """
    names = [name for op in module.ops if (name := _device_symbol(op)) is not None]
    if not names:
        return ()
    chosen = {name for op in module.ops for name in _chosen_devices(op)}
    return tuple(name for name in names if name not in chosen)


def _name(op: Operation) -> str:
    # By name: the util dialect need not be loaded to ask.
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def _chosen_devices(op: Operation) -> Iterator[str]:
    """The globals that an initializer sets to what `hal.allocator.select` gives."""
    if _name(op) != "util.initializer":
        return
    for inner in op.walk():
        if _name(inner) != "util.global.store":
            continue
        origin = inner.operands[0].owner
        symbol = (inner.properties | inner.attributes).get("global")
        if (
            isinstance(origin, Operation)
            and _name(origin) == "hal.allocator.select"
            and isinstance(symbol, SymbolRefAttr)
        ):
            yield symbol.root_reference.data


def _device_symbol(op: Operation) -> str | None:
    if _name(op) != "util.global":
        return None
    entries = op.properties | op.attributes
    symbol = entries.get("sym_name")
    if entries.get("type") != DeviceType() or not isinstance(symbol, StringAttr):
        return None
    return symbol.data


def without_devices(
    attribute: DeviceTopologyAttr, absent: frozenset[str]
) -> DeviceTopologyAttr | None:
    """The topology without the links of the `absent` devices; None where no link is left."""
    kept = [
        link
        for link in attribute.links
        if link.source_name not in absent and link.target_name not in absent
    ]
    return DeviceTopologyAttr(kept) if kept else None


def topology_attribute(module: ModuleOp) -> DeviceTopologyAttr | None:
    """The module's `stream.topology`; raises VerifyException for anything else there."""
    attribute = module.attributes.get(TOPOLOGY)
    if attribute is not None and not isinstance(attribute, DeviceTopologyAttr):
        raise VerifyException(f"expected #hal.device.topology for {TOPOLOGY}, got {attribute}")
    return attribute


def host_properties(module: ModuleOp) -> HostProperties:
    """The host's cache as `zc.host` describes it; raises VerifyException when malformed."""
    attribute = module.attributes.get(ZC_HOST)
    if attribute is None:
        return HostProperties()
    if not isinstance(attribute, DictionaryAttr):
        raise VerifyException(
            f"expected {ZC_HOST} = {{cache_line = …, write_back = …}}, got {attribute}"
        )
    host = HostProperties()
    for key, value in attribute.data.items():
        if key == "cache_line":
            if not is_cache_line(value):
                raise VerifyException(
                    f"expected {CACHE_LINE} for {ZC_HOST} 'cache_line', got {value}"
                )
            host = HostProperties(as_int(value) or host.cache_line, host.write_back)
        elif key == "write_back":
            if as_word(value) not in WRITE_BACKS:
                raise VerifyException(
                    f'expected "bytes" or "line" for {ZC_HOST} \'write_back\', got {value}'
                )
            host = HostProperties(host.cache_line, WriteBack(as_word(value) or ""))
        else:
            raise VerifyException(f"expected cache_line and write_back in {ZC_HOST}, got '{key}'")
    return host
