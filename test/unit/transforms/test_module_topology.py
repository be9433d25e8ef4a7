"""The devices that passes know, and those that affinities must not name (IR-10)."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.transforms.analysis.module_topology import module_topology
from zcir.transforms.analysis.storage import StorageSets

DEVICE = "util.global private @a : !hal.device\n"
USE = """
util.func public @f(%n: index) {
  %0, %1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) :
    !stream.resource<transient>{%n} => !stream.timepoint
  util.return
}
"""


def module(text: str) -> ModuleOp:
    return parse_text(make_context(), text, "sample")


def test_a_fragment_has_the_devices_that_it_names() -> None:
    assert module_topology(module(USE)).device_names == ("b",)


def test_an_undeclared_device_is_refused_at_its_use() -> None:
    message = r"expected an affinity to a declared device \(@a\), got @b; declare it"
    with pytest.raises(OpError, match=message) as info:
        module_topology(module(DEVICE + USE))
    assert info.value.location == "sample:4:3"


def test_a_global_and_its_address_are_one_storage() -> None:
    function = module("""
      util.global private mutable @g : !stream.resource<variable>
      util.func public @f() -> (!stream.resource<variable>, !stream.resource<variable>) {
        %address = util.global.address @g : !util.ptr<!stream.resource<variable>>
        %0 = util.global.load @g : !stream.resource<variable>
        %1 = util.global.load.indirect %address :
          !util.ptr<!stream.resource<variable>> -> !stream.resource<variable>
        util.return %0, %1 : !stream.resource<variable>, !stream.resource<variable>
      }
    """).body.block.last_op
    assert function is not None
    terminator = function.regions[0].block.last_op
    assert terminator is not None
    sets = StorageSets(function)
    assert sets.find(terminator.operands[0]) == sets.find(terminator.operands[1])
