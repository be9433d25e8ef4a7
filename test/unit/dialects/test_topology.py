"""Queries over `#hal.device.topology`: rows IR-23, IR-25, IR-28, IR-29."""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.hal import Hal
from zcir.dialects.topology import HOST, Topology, WriteBack, verify_topology
from zcir.dialects.util import Util


def parse(text: str) -> ModuleOp:
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Hal)
    ctx.load_dialect(Util)
    return Parser(ctx, text).parse_module()


def module_of(links: str, devices: str = "", host: str = "") -> ModuleOp:
    names = [name for name in devices.split(",") if name]
    globals_ = "\n".join(f"util.global private @{name} : !hal.device" for name in names)
    zc_host = f", zc.host = {host}" if host else ""
    topology = f"stream.topology = #hal.device.topology<links = [{links}]>"
    return parse(f"module attributes {{{topology}{zc_host}}} {{\n{globals_}\n}}")


def topology_of(links: str, devices: str = "", host: str = "") -> Topology:
    return Topology.from_module(module_of(links, devices, host))


UNIFIED = "(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})"
COHERENT = "(@a -> @b = {}, {coherent = true}), (@b -> @a = {}, {coherent = true})"
EXAMPLE = """
    (@gpu0 -> @cpu = {unified_memory = true, transparent_access = true}),
    (@gpu1 -> @cpu = {transparent_access = true}),
    (@cpu -> @gpu0 = {unified_memory = true}),
    (@cpu -> @gpu1 = {})
"""


def test_unified_devices_share_one_pool() -> None:
    topology = topology_of(UNIFIED, "a,b,c")
    assert [pool.owners for pool in topology.pools()] == [("a", "b"), ("c",)]
    assert topology.pool_of("a") is topology.pool_of("b")
    assert topology.reaches("a", "b")
    assert topology.reaches("b", "a")
    assert not topology.reaches("c", "a")


def test_access_is_one_way_ir_29() -> None:
    topology = topology_of("(@a -> @b = {transparent_access = true})", "a,b")
    assert topology.reaches("a", "b")
    assert not topology.reaches("b", "a")
    assert topology.link("a", "b").transparent_access
    assert not topology.link("b", "a").transparent_access
    # Both transfers alias in b's pool, neither in a's.
    for readers, writers in ((["a"], ["b"]), (["b"], ["a"])):
        assert [pool.name for pool in topology.serving_pools(readers, writers)] == ["b"]


def test_example_of_two_gpus_ir_23() -> None:
    topology = topology_of(EXAMPLE, "gpu0,gpu1,cpu")
    assert [pool.owners for pool in topology.pools()] == [("gpu0", "cpu"), ("gpu1",)]
    serving = topology.serving_pools(["gpu1"], ["cpu"])
    assert [pool.owners for pool in serving] == [("gpu0", "cpu")]
    assert not topology.reaches("cpu", "gpu1")


def test_pool_of_a_third_device_serves() -> None:
    links = "(@a -> @c = {transparent_access = true}), (@b -> @c = {transparent_access = true})"
    topology = topology_of(links, "a,b,c")
    assert [pool.name for pool in topology.serving_pools(["a", "b"], ["a"])] == ["c"]


def test_without_links_nothing_is_shared() -> None:
    topology = Topology.from_module(parse("util.global private @a : !hal.device"))
    assert topology.device_names == ("a",)
    assert topology.serving_pools(["a"], ["a"]) == topology.pools()
    assert not topology.coherent("a", HOST)


@pytest.mark.parametrize(
    ("mode", "reads", "copies"),
    [("native", True, True), ("import", True, True), ("copy", False, True), ("none", False, False)],
)
def test_buffer_modes_refine_reach_ir_25(mode: str, reads: bool, copies: bool) -> None:
    links = f'(@a -> @b = {{transparent_access = true}}, {{buffer_read = "{mode}"}})'
    topology = topology_of(links, "a,b")
    assert topology.reads_in_place("a", "b") is reads
    assert topology.copies_from("a", "b") is copies
    assert topology.writes_in_place("a", "b")
    assert topology.reaches("a", "b") is reads


def test_import_gives_access_without_transparent_access() -> None:
    topology = topology_of('(@a -> @b = {}, {buffer_read = "import"})', "a,b")
    assert topology.reads_in_place("a", "b")
    assert not topology.writes_in_place("a", "b")


def test_copy_mode_keeps_unified_pools_apart() -> None:
    links = (
        '(@a -> @b = {unified_memory = true}, {buffer_write = "copy"}), '
        "(@b -> @a = {unified_memory = true})"
    )
    topology = topology_of(links, "a,b")
    assert [pool.owners for pool in topology.pools()] == [("a",), ("b",)]
    assert topology.serving_pools(["b"], ["a"]) == (topology.pool_of("a"),)


def test_default_is_copy_reach_and_no_access() -> None:
    topology = topology_of("(@a -> @b = {}), (@b -> @a = {})", "a,b")
    assert not topology.reaches("a", "b")
    assert topology.copy_reach("a") == topology.pools()
    assert topology.serving_pools(["a"], ["b"]) == ()


def test_host_reaches_visible_devices() -> None:
    topology = topology_of(f"{UNIFIED}, (@c -> @c = {{}}, {{host_visible = false}})", "a,b,c")
    assert topology.reaches(HOST, "a")
    assert not topology.reaches(HOST, "c")
    assert [pool.name for pool in topology.in_place_reach(HOST)] == ["a"]


def test_coherence_is_transitive_and_default_false_ir_28() -> None:
    links = (
        f"{COHERENT}, (@b -> @b = {{}}, {{host_coherent = true}}), "
        "(@c -> @a = {unified_memory = true})"
    )
    topology = topology_of(links, "a,b,c")
    assert [domain.agents for domain in topology.domains()] == [(HOST, "a", "b"), ("c",)]
    assert topology.coherent(HOST, "a")
    assert topology.coherent("a", "a")
    assert not topology.coherent("a", "c")


def test_caches_of_domains() -> None:
    links = '(@a -> @a = {}, {cache_line = 128 : i64, write_back = "line"})'
    topology = topology_of(links, "a,b", '{cache_line = 32 : i64, write_back = "line"}')
    assert topology.cache_line("a") == 128
    assert topology.domain_of("a").write_back is WriteBack.LINE
    assert topology.cache_line("b") == 64
    assert topology.cache_line(HOST) == 32
    assert topology.domain_of(HOST).write_back is WriteBack.LINE


def test_costs_and_capabilities_are_read() -> None:
    links = (
        "(@a -> @b = {}, {bandwidth_gbps = 16.0 : f64, latency_ns = 500 : i64}), "
        '(@a -> @a = {}, {maintenance = "host", memcpy_zero_copy = false, '
        "address_reach = 1073741824 : i64, memory_bandwidth_gbps = 800 : i64, "
        "host_bandwidth_gbps = 16.0 : f64, host_latency_ns = 900 : i64})"
    )
    topology = topology_of(links, "a,b")
    assert topology.link("a", "b").bandwidth_gbps == 16.0
    assert topology.link("a", "b").latency_ns == 500
    device = topology.device("a")
    assert device.maintenance == "host"
    assert not device.memcpy_zero_copy
    assert device.host_register_mapped
    assert device.address_reach == 1 << 30
    assert device.memory_bandwidth_gbps == 800
    assert (device.host_bandwidth_gbps, device.host_latency_ns) == (16.0, 900)


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ("(@a -> @b = {}), (@a -> @b = {})", r"duplicate link \(@a -> @b\)"),
        ("(@a -> @a = {}), (@a -> @a = {})", r"duplicate link \(@a -> @a\)"),
        (
            "(@a -> @b = {}, {coherent = true})",
            r"link \(@a -> @b\) says coherent = true but \(@b -> @a\) does not",
        ),
        (
            f"{COHERENT}, (@b -> @c = {{}}, {{coherent = true}}), "
            "(@c -> @b = {}, {coherent = true}), (@a -> @c = {}, {coherent = false})",
            r"\(@a -> @c\) says coherent = false, but both are coherent through @a - @b - @c",
        ),
        (
            "(@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true}), "
            "(@a -> @b = {}, {coherent = false})",
            r"both are coherent through @a - host - @b",
        ),
        (
            f"{COHERENT}, (@a -> @a = {{}}, {{cache_line = 128 : i64}})",
            r"@a and @b are in one coherence domain but have cache_line 128 and 64",
        ),
        (
            f'{COHERENT}, (@b -> @b = {{}}, {{write_back = "line"}})',
            r"@a and @b are in one coherence domain but have write_back bytes and line",
        ),
        (
            "(@a -> @b = {unified_memory = true}), (@b -> @c = {unified_memory = true}), "
            '(@a -> @c = {}, {buffer_read = "copy"})',
            r"link \(@a -> @c\) asks for copies, but both share one pool .* @a - @b - @c",
        ),
    ],
)
def test_contradictory_links_name_the_links(links: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        module_of(links)


@pytest.mark.parametrize(
    ("links", "host", "message"),
    [
        ("(@a -> @x = {})", "", r"link \(@a -> @x\) names the unknown device @x"),
        (
            "(@a -> @a = {}, {host_coherent = true})",
            "{cache_line = 128 : i64}",
            r"zc.host and @a are in one coherence domain but have cache_line 128 and 64",
        ),
        ("(@a -> @b = {})", "{cache_line = 48 : i64}", r"expected a power of two .* got 48"),
        ("(@a -> @b = {})", '{write_back = "page"}', r"for zc.host 'write_back', got \"page\""),
        ("(@a -> @b = {})", "{lines = 1 : i64}", r"expected cache_line and write_back in zc.host"),
        ("(@a -> @b = {})", "true", r"expected zc.host = {cache_line"),
    ],
)
def test_module_is_checked_against_its_devices(links: str, host: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        verify_topology(module_of(links, "a,b", host))


def test_topology_file_without_devices_is_accepted() -> None:
    verify_topology(module_of(UNIFIED))


def test_topology_of_another_kind_is_refused() -> None:
    with pytest.raises(VerifyException, match=r"expected #hal.device.topology for stream.topology"):
        verify_topology(parse("module attributes {stream.topology = 1 : i32} {}"))
