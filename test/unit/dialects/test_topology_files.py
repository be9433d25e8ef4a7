"""The example topologies, put in the place of a program's."""

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, replace_topology
from zcir.dialects.topology import HOST, Topology, verify_topology

TOPOLOGIES = Path(__file__).parents[3] / "examples" / "topologies"


def program(devices: str) -> ModuleOp:
    text = "".join(f"util.global private @device_{name} : !hal.device\n" for name in devices)
    return Parser(make_context(), f"module {{\n{text}}}").parse_module()


def topology(name: str, devices: str = "abc") -> Topology:
    module = program(devices)
    replace_topology(make_context(), module, str(TOPOLOGIES / f"{name}.mlir"))
    verify_topology(module)
    return Topology.from_module(module)


def test_coherent_is_one_pool_and_one_domain() -> None:
    machine = topology("coherent")
    assert len(machine.pools()) == 1
    assert [domain.agents for domain in machine.domains()] == [machine.agents]


def test_noncoherent_is_one_pool_and_a_domain_for_each() -> None:
    machine = topology("noncoherent")
    assert len(machine.pools()) == 1
    assert [domain.agents for domain in machine.domains()] == [(name,) for name in machine.agents]
    assert machine.reaches("device_a", "device_c")


def test_discrete_reaches_others_by_copies_only() -> None:
    machine = topology("discrete")
    assert len(machine.pools()) == 3
    assert machine.serving_pools(["device_a"], ["device_b"]) == ()
    assert machine.copy_reach("device_a") == machine.pools()
    assert all(machine.reaches(HOST, name) for name in machine.device_names)


def test_oneway_serves_in_the_later_devices_pool() -> None:
    machine = topology("oneway")
    for pair in (("device_a", "device_b"), ("device_b", "device_a")):
        assert [pool.name for pool in machine.serving_pools(pair[:1], pair[1:])] == [
            "device_b",
            "device_c",
        ]
    assert not machine.reaches("device_b", "device_a")


def test_a_program_may_have_fewer_devices() -> None:
    machine = topology("noncoherent", "ab")
    assert machine.device_names == ("device_a", "device_b")
    assert len(machine.pools()) == 1


def test_a_program_with_one_device_needs_no_links() -> None:
    assert topology("oneway", "a").device_names == ("device_a",)


def write(path: Path, attributes: str, body: str = "") -> str:
    path.write_text(f"module attributes {{{attributes}}} {{\n{body}\n}}", encoding="utf-8")
    return str(path)


def test_devices_that_nobody_declares_stay_and_are_refused_later(tmp_path: Path) -> None:
    links = "stream.topology = #hal.device.topology<links = [(@device_a -> @x = {})]>"
    module = program("ab")
    replace_topology(make_context(), module, write(tmp_path / "t.mlir", links))
    assert "x" in Topology.from_module(module).device_names


@pytest.mark.parametrize(
    ("attributes", "body", "message"),
    [
        ("", "", "expected a module with the attribute stream.topology, got none"),
        ("stream.topology = 1 : i32", "", "expected #hal.device.topology for stream.topology"),
        (
            "stream.topology = #hal.device.topology<links = [(@a -> @b = {})]>",
            "util.global private @a : !hal.device",
            r"link \(@a -> @b\) names the unknown device @b",
        ),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, attributes: str, body: str, message: str) -> None:
    path = write(tmp_path / "t.mlir", attributes, body)
    with pytest.raises(OpError, match=message):
        replace_topology(make_context(), program("ab"), path)


def test_host_of_the_program_goes_with_its_topology() -> None:
    module = program("ab")
    module.attributes["zc.host"] = StringAttr("replaced")
    replace_topology(make_context(), module, str(TOPOLOGIES / "coherent.mlir"))
    assert "zc.host" not in module.attributes
