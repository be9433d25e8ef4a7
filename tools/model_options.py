"""The flags of zc-run for models: those of `zcir.runtime.model.load`, by the same names."""

import argparse

from ..runtime.model import LoweringOptions, OptionLevels, PlanOptions
from ..runtime.model.arrays import MemoryKind
from ..runtime.model.levels import REUSE_ZERO_COPY_MEMORY
from .driver import ToolError

_DEFAULT = PlanOptions()

_LOWERING = {
    "always_zero_copy": "outputs are written in the caller's memory, or the call is refused",
    "always_external_allocator": "all memory of the model comes from an allocator of the tool",
    "trust_shape_on_out_tensor": "shapes of outputs are those of the caller's tensors",
    "enable_single_stream": "all work is done one piece after the other",
}
_PLAN = {
    "strict_views": "refuse outputs that are mere views of inputs",
    "feature_map_refreshable": "the memory of temporaries may move between runs",
}


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """How a function is run as a model."""
    group = parser.add_argument_group(
        "as a model", "its inputs and outputs are memory of the caller, bound and not copied"
    )
    group.add_argument(
        "--model", action="store_true", help="run the function as a model; see docs/models.md"
    )
    group.add_argument(
        "--io-memory",
        choices=[kind.value for kind in MemoryKind if kind is not MemoryKind.NONE],
        default=None,
        help="where the caller has inputs and outputs (default: mapped)",
    )
    group.add_argument(
        "--output-memory",
        choices=[kind.value for kind in MemoryKind],
        default=None,
        help="where it has outputs, if elsewhere; none: the call allocates them",
    )
    group.add_argument(
        "--reuse-zero-copy-memory",
        choices=("0", "1"),
        default=None,
        help="0: the model owns inputs and outputs, and copies them; 1: they are the caller's, "
        "without a fallback (default: bound where they can be)",
    )
    for name, text in {**_LOWERING, **_PLAN}.items():
        group.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=text)
    group.add_argument(
        "--no-merge-input-copies",
        action="store_true",
        help="copy neighbouring inputs from the host one by one",
    )
    for name in ("zero_copy_align", "feature_map_align"):
        group.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="BYTES",
            type=int,
            default=None,
            help=f"a power of two (default: {getattr(_DEFAULT, name)})",
        )
    group.add_argument(
        "--repeat",
        metavar="N",
        type=int,
        default=None,
        help="call it so many times, each time with fresh buffers (default: 1)",
    )


_NAMES = (
    *_LOWERING,
    *_PLAN,
    "io_memory",
    "output_memory",
    "reuse_zero_copy_memory",
    "no_merge_input_copies",
    "zero_copy_align",
    "feature_map_align",
    "repeat",
)


def check_model_arguments(arguments: argparse.Namespace) -> None:
    """Raise ToolError for flags of models without --model, and for those it goes without."""
    if not arguments.model:
        for name in _NAMES:
            if getattr(arguments, name) not in (None, False):
                raise ToolError(f"--{name.replace('_', '-')} is about models; add --model")
        return
    for name in ("reference", "replay", "executable_sources", "strict"):
        if getattr(arguments, name) not in (None, False):
            raise ToolError(f"--{name.replace('_', '-')} does not go with --model; drop one")
    if arguments.repeat is not None and arguments.repeat < 1:
        raise ToolError(f"--repeat takes a number of calls from 1, got {arguments.repeat}")


def lowering_options(arguments: argparse.Namespace) -> LoweringOptions:
    """`LoweringOptions` of the flags."""
    return LoweringOptions(**{name: bool(getattr(arguments, name)) for name in _LOWERING})


def plan_options(arguments: argparse.Namespace, function: str | None) -> PlanOptions:
    """`PlanOptions` of the flags."""
    return PlanOptions(
        function,
        strict_views=arguments.strict_views,
        feature_map_refreshable=arguments.feature_map_refreshable,
        zero_copy_align=arguments.zero_copy_align or _DEFAULT.zero_copy_align,
        feature_map_align=arguments.feature_map_align or _DEFAULT.feature_map_align,
    )


def option_levels(arguments: argparse.Namespace) -> OptionLevels:
    """The level of options that the flags are: the graph's."""
    value = arguments.reuse_zero_copy_memory
    return OptionLevels(graph={} if value is None else {REUSE_ZERO_COPY_MEMORY: value})


def memory_kinds(arguments: argparse.Namespace) -> tuple[MemoryKind, MemoryKind]:
    """Where inputs and outputs are."""
    inputs = MemoryKind(arguments.io_memory or MemoryKind.MAPPED)
    return inputs, MemoryKind(arguments.output_memory or inputs)
