"""Passes by name, as data, and the named pipelines. Loaded on demand."""

from collections.abc import Callable, Sequence
from importlib import import_module

from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline

from ..dialects.diagnostics import OpError
from .pipeline import PIPELINES

PASSES: dict[str, str] = {
    "flow-to-stream": ".flow_to_stream:FlowToStreamPass",
    "inline": ".inline:InlinePass",
    "simplify-control-flow": ".simplify_control_flow:SimplifyControlFlowPass",
    "host-scf-to-cf": ".host_scf_to_cf:HostScfToCfPass",
    "model-assign-io-memory": ".model_assign_io_memory:ModelAssignIoMemoryPass",
    "model-record-io-offsets": ".model_record_io_offsets:ModelRecordIoOffsetsPass",
    "model-isolate-io": ".model_isolate_io:ModelIsolateIoPass",
    "model-plan-io": ".model_plan_io:ModelPlanIoPass",
    "stream-elide-async-copies": ".stream_elide_async_copies:StreamElideAsyncCopiesPass",
    "stream-materialize-copy-on-write": (
        ".stream_materialize_copy_on_write:StreamMaterializeCopyOnWritePass"
    ),
    "stream-elide-cache-maintenance": (
        ".stream_elide_cache_maintenance:StreamElideCacheMaintenancePass"
    ),
    "stream-elide-timepoints": ".stream_elide_timepoints:StreamElideTimepointsPass",
    "stream-emplace-allocations": ".stream_emplace_allocations:StreamEmplaceAllocationsPass",
    "stream-layout-slices": ".stream_layout_slices:StreamLayoutSlicesPass",
    "stream-pack-constants": ".stream_pack_constants:StreamPackConstantsPass",
    "stream-pack-dispatch-operands": (
        ".stream_pack_dispatch_operands:StreamPackDispatchOperandsPass"
    ),
    "stream-place-cache-maintenance": (
        ".stream_place_cache_maintenance:StreamPlaceCacheMaintenancePass"
    ),
    "stream-propagate-timepoints": ".stream_propagate_timepoints:StreamPropagateTimepointsPass",
    "stream-refine-usage": ".stream_refine_usage:StreamRefineUsagePass",
    "stream-resolve-transfer-kinds": (
        ".stream_resolve_transfer_kinds:StreamResolveTransferKindsPass"
    ),
    "stream-schedule-allocation": ".stream_schedule_allocation:StreamScheduleAllocationPass",
    "stream-schedule-concurrency": ".stream_schedule_concurrency:StreamScheduleConcurrencyPass",
    "stream-schedule-execution": ".stream_schedule_execution:StreamScheduleExecutionPass",
    "stream-serialize-execution": ".stream_serialize_execution:StreamSerializeExecutionPass",
    "stream-verify-allocated": ".stream_verify_allocated:StreamVerifyAllocatedPass",
    "stream-verify-coherence": ".stream_verify_coherence:StreamVerifyCoherencePass",
    "stream-verify-scheduled": ".stream_verify_scheduled:StreamVerifyScheduledPass",
    "stream-verify-zero-copy": ".stream_verify_zero_copy:StreamVerifyZeroCopyPass",
    "hal-verify-coherence": ".hal_verify_coherence:HalVerifyCoherencePass",
    "hal-verify-zero-copy": ".hal_verify_zero_copy:HalVerifyZeroCopyPass",
    "hal-elide-redundant-commands": ".hal_elide_redundant_commands:HalElideRedundantCommandsPass",
    "hal-memoize-command-buffers": ".hal_memoize_command_buffers:HalMemoizeCommandBuffersPass",
    "stream-to-hal": ".stream_to_hal:StreamToHalPass",
    "util-hoist-into-globals": ".util_hoist_into_globals:UtilHoistIntoGlobalsPass",
}
"""Pass name to `module:Class`, relative to `zcir.transforms`."""


def pass_factories() -> dict[str, Callable[[], type[ModulePass]]]:
    """Loaders, as xDSL's tools take them, for every pass of the project."""

    def factory(path: str) -> Callable[[], type[ModulePass]]:
        module, attribute = path.split(":")
        return lambda: getattr(import_module(module, __package__), attribute)

    return {name: factory(path) for name, path in PASSES.items()}


def make_passes(specs: Sequence[str]) -> list[ModulePass]:
    """The passes that `specs` name, in the form of `-p`; named pipelines expand.

    Raises:
        OpError: an unknown pass or option.
    """
    factories = {**Universe.get_multiverse().all_passes, **pass_factories()}
    passes: list[ModulePass] = []
    for spec in parse_pipeline(",".join(expand(specs))):
        if spec.name not in factories:
            raise OpError("", f"unknown pass '{spec.name}'; zc-opt --help lists the passes")
        try:
            passes.append(factories[spec.name]().from_pass_spec(spec))
        except ValueError as error:
            raise OpError("", f"pass '{spec.name}': {error}") from error
    return passes


def expand(specs: Sequence[str]) -> list[str]:
    """`specs` with each named pipeline in the place of its passes.

    Raises:
        OpError: options for a pipeline, which has none.
    """
    names: list[str] = []
    for spec in parse_pipeline(",".join(specs)):
        if spec.name not in PIPELINES:
            names.append(str(spec))
            continue
        for option in spec.parameters:
            raise OpError("", f"unknown option '{option}' of '{spec.name}' in -p; it takes none")
        names += expand(PIPELINES[spec.name])
    return names
