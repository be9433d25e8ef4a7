"""Parameters to io_parameters: loads, and transfers of one range or several."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import stream
from ...dialects.hal.types import BufferType
from ...dialects.io_parameters import ParametersGatherOp, ParametersLoadOp, ParametersScatterOp
from .host import HostLowering


def lower_load(host: HostLowering, op: stream.CmdParameterLoadOp) -> None:
    """Allocations that parameters are read into; where an archive allows, they are its own."""
    kind = op.result_resources[0].type
    assert isinstance(kind, stream.ResourceType)
    memory = host.memory(op.affinity, kind.lifetime)
    load = host.make(
        ParametersLoadOp,
        [[BufferType()] * len(op.result_resources)],
        **host.queued(memory.device, op.await_timepoint, op.result_timepoint),
        source_scope=op.source_scope,
        source_keys=op.source_keys,
        source_offsets=op.source_offsets,
        memory_types=memory.memory_types,
        buffer_usage=memory.buffer_usage,
        lengths=op.result_sizes,
    )
    for resource, buffer in zip(op.result_resources, load.result_buffers, strict=True):
        buffer.name_hint = resource.name_hint
        host.define(resource, buffer, starts=True)


def lower_read(host: HostLowering, op: stream.CmdParameterReadOp) -> None:
    """A gather of one range."""
    _gather(host, op, [op.source_key], [op.source_offset], [op.target_offset], [op.target_length])


def lower_gather(host: HostLowering, op: stream.CmdParameterGatherOp) -> None:
    """A gather."""
    _gather(host, op, op.source_keys, op.source_offsets, op.target_offsets, op.target_lengths)


def lower_write(host: HostLowering, op: stream.CmdParameterWriteOp) -> None:
    """A scatter of one range."""
    _scatter(host, op, [op.source_offset], [op.source_length], [op.target_key], [op.target_offset])


def lower_scatter(host: HostLowering, op: stream.CmdParameterScatterOp) -> None:
    """A scatter."""
    _scatter(host, op, op.source_offsets, op.source_lengths, op.target_keys, op.target_offsets)


def _gather(
    host: HostLowering,
    op: stream.CmdParameterReadOp | stream.CmdParameterGatherOp,
    keys: Sequence[SSAValue],
    offsets: Sequence[SSAValue],
    starts: Sequence[SSAValue],
    lengths: Sequence[SSAValue],
) -> None:
    device = host.first_device(op.affinity)
    found = host.range_of(op.target)
    host.make(
        ParametersGatherOp,
        **host.queued(device, op.await_timepoint, op.result_timepoint),
        source_scope=op.source_scope,
        source_keys=keys,
        source_offsets=offsets,
        target_buffer=found.buffer,
        target_offsets=[host.indices.add(found.offset, start, op) for start in starts],
        target_lengths=lengths,
    )


def _scatter(
    host: HostLowering,
    op: stream.CmdParameterWriteOp | stream.CmdParameterScatterOp,
    starts: Sequence[SSAValue],
    lengths: Sequence[SSAValue],
    keys: Sequence[SSAValue],
    offsets: Sequence[SSAValue],
) -> None:
    device = host.first_device(op.affinity)
    found = host.range_of(op.source)
    host.make(
        ParametersScatterOp,
        **host.queued(device, op.await_timepoint, op.result_timepoint),
        source_buffer=found.buffer,
        source_offsets=[host.indices.add(found.offset, start, op) for start in starts],
        source_lengths=lengths,
        target_scope=op.target_scope,
        target_keys=keys,
        target_offsets=offsets,
    )
