"""Storage that no pool serves in place goes where it is computed on (IR-26, IR-27)."""

import pytest
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.vm.staging import in_place_users

DISPATCH = """\
    %{t} = stream.cmd.execute on(#{device}) with({value} as %x: !stream.resource<transient>{{%n}}) {{
      stream.cmd.{command}
    }} => !stream.timepoint
"""  # noqa: E501
RUN = "dispatch @ex::@f { ro %x[%n for %n] : !stream.resource<transient>{%n} }"
FILL = "fill %c, %x[%n for %n] : i32 -> !stream.resource<transient>{%n}"


def _run(device: str, value: str, command: str = RUN, t: str = "u") -> str:
    return DISPATCH.format(device=device, value=value, command=command, t=t)


LOOP = f"""\
    %end = scf.for %i = %n to %n step %n iter_args(%v = %s) -> (!stream.resource<transient>) {{
{_run("b", "%v")}
      scf.yield %v : !stream.resource<transient>
    }}
{_run("c", "%end")}
"""
BRANCHES = f"""\
    cf.cond_br %b, ^bb1(%s : !stream.resource<transient>), ^bb2
  ^bb1(%v: !stream.resource<transient>):
{_run("b", "%v")}
    cf.br ^bb3(%v : !stream.resource<transient>)
  ^bb2:
    cf.br ^bb3(%other : !stream.resource<transient>)
  ^bb3(%w: !stream.resource<transient>):
{_run("c", "%w", t="y")}
"""
CHOICE = f"""\
    %end = scf.if %b -> (!stream.resource<transient>) {{
      scf.yield %s : !stream.resource<transient>
    }} else {{
      scf.yield %other : !stream.resource<transient>
    }}
{_run("c", "%end")}
"""
AWAITED = f"""\
    %end = stream.timepoint.await %t0 => %s : !stream.resource<transient>{{%n}}
    %part = stream.resource.subview %end[%n] : !stream.resource<transient>{{%n}} -> !stream.resource<transient>{{%n}}
{_run("b", "%part")}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (_run("a", "%s", FILL), set[str]()),
        (_run("a", "%s", FILL) + _run("b", "%s", t="y"), {"b"}),
        (_run("a", "%other") + _run("b", "%s", t="y"), {"b"}),
        (LOOP, {"b", "c"}),
        (BRANCHES, {"b", "c"}),
        (CHOICE, {"c"}),
        (AWAITED, {"b"}),
    ],
    ids=["filled", "staged", "apart", "loop", "branches", "choice", "awaited"],
)
def test_who_computes_on_it(body: str, wanted: set[str]) -> None:
    text = f"""
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
#c = #hal.device.affinity<@c>
util.func public @g(%n: index, %c: i32, %b: i1, %other: !stream.resource<transient>) {{
    %s, %t0 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#a, #b, #c]>) : !stream.resource<transient>{{%n}} => !stream.timepoint
{body}
    util.return
}}
"""  # noqa: E501
    module = parse_text(make_context(), text, "staging.mlir")
    (alloca,) = (op for op in module.walk() if isinstance(op, stream.ResourceAllocaOp))
    assert in_place_users(alloca.result) == wanted
