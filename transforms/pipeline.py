"""The named pipelines, one phase after the other; each is a list of passes and expands to them."""

from collections.abc import Mapping

TO_STREAM = (
    # What is taken and given by private functions, and by loops and branches whose way is known, is
    # an ordinary value.
    "inline",
    "simplify-control-flow",
    # Tensors become resources with an affinity each; executables take bindings.
    "flow-to-stream",
    # Copy or alias is decided before anything is allocated, for whole sets of transfers; then
    # value semantics ask for clones, copies that nobody can tell go, and results are written
    # where they would be copied to.
    "stream-resolve-transfer-kinds",
    "stream-materialize-copy-on-write",
    "stream-elide-async-copies",
    "stream-emplace-allocations",
    "stream-refine-usage",
    # Work is grouped into regions by device, on a timeline.
    "stream-schedule-execution",
    "stream-schedule-concurrency",
    "stream-propagate-timepoints",
    "stream-verify-scheduled",
    # Values get storage, aliases share it; hazards become edges of the timeline.
    "stream-schedule-allocation",
    "stream-layout-slices",
    "stream-pack-dispatch-operands",
    "stream-verify-allocated",
    # Caches that are not coherent are flushed and invalidated, exactly where they must be.
    "stream-place-cache-maintenance",
    "stream-elide-cache-maintenance",
    # Waits that are implied by now go.
    "stream-elide-timepoints",
    # Constants are mapped from the program, or read where they cannot be.
    "stream-pack-constants",
    # IREE's HAL phase takes no loops over resources.
    "host-scf-to-cf",
)
"""`zc-to-stream`: flow to scheduled, allocated, maintained stream.cmd."""

TO_HAL = (
    "stream-to-hal",
    # What is the same in every call is recorded once, before the first.
    "hal-memoize-command-buffers",
)
"""`zc-to-hal`: stream.cmd to command buffers."""

MODEL = (
    # Copies where inputs, variables and outputs must be apart come before it is decided who can be
    # bound in the caller's memory; addresses are recorded once they are assigned (GE-30).
    "model-isolate-io",
    "model-plan-io",
    # Constants are in memory once, from the time that the model is loaded.
    "util-hoist-into-globals",
    "zc-to-stream",
    "model-assign-io-memory",
    "model-record-io-offsets",
    "zc-to-hal",
)
"""`zc-model`: a model at flow level to command buffers, with a plan for its inputs and outputs."""

_SINGLE_STREAM = "stream-serialize-execution"


def model_pipeline(
    options: Mapping[str, Mapping[str, str]], *, single_stream: bool = False
) -> tuple[str, ...]:
    """`zc-model` with options for its passes.

    Args:
        options: by pass, the value of each option.
        single_stream: all work is done one piece after the other (GE-12).
    """
    specs: list[str] = []
    for name in MODEL:
        stated = " ".join(f"{key}={value}" for key, value in options.get(name, {}).items())
        specs.append(f"{name}{{{stated}}}" if stated else name)
        if single_stream and name == "zc-to-stream":
            specs.append(_SINGLE_STREAM)
    return tuple(specs)


PIPELINES: dict[str, tuple[str, ...]] = {
    "zc-to-stream": TO_STREAM,
    "zc-to-hal": TO_HAL,
    "zc-pipeline": ("zc-to-stream", "zc-to-hal"),
    "zc-model": MODEL,
}
"""By name: specs of passes, or names of other pipelines."""
