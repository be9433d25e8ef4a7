"""Which ops may stand where once a phase is done, as data.

`scheduled`: work on devices stands in `stream.async.execute` regions, one device each.
`allocated`: it is commands on allocated resources in `stream.cmd.execute` regions.
"""

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects.diagnostics import fail
from ..dialects.walk import walk
from .functions import functions_of

_HOST_STREAM_OPS = frozenset(
    f"stream.{name}"
    for name in (
        "channel.count",
        "channel.create",
        "channel.rank",
        "channel.split",
        "context.resolve",
        "file.constant",
        "file.read",
        "file.write",
        "parameter.gather",
        "parameter.load",
        "parameter.read",
        "parameter.scatter",
        "parameter.write",
        "resource.alloc",
        "resource.alloca",
        "resource.constants",
        "resource.dealloca",
        "resource.is_terminal",
        "resource.load",
        "resource.release",
        "resource.retain",
        "resource.size",
        "resource.store",
        "resource.subview",
        "resource.try_map",
        "tensor.export",
        "tensor.import",
        "tensor.trace",
        "timepoint.await",
        "timepoint.barrier",
        "timepoint.chain_external",
        "timepoint.export",
        "timepoint.immediate",
        "timepoint.import",
        "timepoint.join",
    )
)
"""Stream ops of the host in both phases."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What a phase leaves in functions; other dialects' ops may stand on the host."""

    name: str
    region: str
    """The op whose body holds the work of devices."""
    host: frozenset[str]
    """Stream ops outside of regions."""
    inside: frozenset[str]
    """All ops within regions."""
    remedy: str
    """The pass that makes what is not legal so."""


SCHEDULED = Phase(
    "scheduled",
    "stream.async.execute",
    _HOST_STREAM_OPS
    | {"stream.async.cast", "stream.async.execute", "stream.async.load", "stream.async.store"},
    frozenset(
        f"stream.{name}"
        for name in (
            "async.alloca",
            "async.call",
            "async.cast",
            "async.clone",
            "async.collective",
            "async.concurrent",
            "async.constant",
            "async.copy",
            "async.dispatch",
            "async.fill",
            "async.slice",
            "async.splat",
            "async.transfer",
            "async.update",
            "resource.subview",
            "yield",
        )
    ),
    "stream-schedule-execution",
)

ALLOCATED = Phase(
    "allocated",
    "stream.cmd.execute",
    _HOST_STREAM_OPS | {"stream.cmd.execute"},
    frozenset(
        f"stream.{name}"
        for name in (
            "cmd.call",
            "cmd.collective",
            "cmd.concurrent",
            "cmd.copy",
            "cmd.discard",
            "cmd.dispatch",
            "cmd.fill",
            "cmd.flush",
            "cmd.invalidate",
            "cmd.serial",
            "resource.subview",
            "yield",
        )
    ),
    "stream-schedule-allocation and stream-layout-slices",
)

_FLOW_DIALECTS = ("flow", "iree_tensor_ext", "iree_encoding")


def check_legality(function: Operation, phase: Phase, pass_name: str) -> None:
    """All ops of `function` may stand where they do once `phase` is done.

    Raises:
        OpError: at the first op that may not; it names the op, the phase and the pass.
    """
    for region in function.regions:
        for block in region.blocks:
            for op in block.ops:
                if op.name == phase.region:
                    _check_body(op, phase, pass_name)
                    continue
                dialect = op.name.split(".")[0]
                if dialect in _FLOW_DIALECTS or (dialect == "stream" and op.name not in phase.host):
                    _refuse(op, f"outside of a {phase.region}", phase, pass_name)
                check_legality(op, phase, pass_name)


def is_hal(module: ModuleOp) -> bool:
    """Whether host programs of `module` submit to queues: it is at hal level then."""
    submits = ("hal.command_buffer.", "hal.device.queue.")
    return any(
        op.name.startswith(submits) for function in functions_of(module) for op in walk(function)
    )


def check_hal_level(function: Operation, pass_name: str) -> None:
    """No op of `function` is left of the levels above hal.

    Raises:
        OpError: at the first one.
    """
    for op in walk(function):
        if op.name.split(".")[0] in ("flow", "stream"):
            fail(
                op,
                f"is not legal once the program is at hal level ({pass_name}); run zc-to-hal",
            )


def _check_body(op: Operation, phase: Phase, pass_name: str) -> None:
    for inner in walk(op):
        if inner is not op and inner.name not in phase.inside:
            _refuse(inner, f"within a {phase.region}", phase, pass_name)


def _refuse(op: Operation, where: str, phase: Phase, pass_name: str) -> None:
    fail(
        op,
        f"is not legal {where} once the program is {phase.name} ({pass_name}); "
        f"run {phase.remedy} before",
    )
