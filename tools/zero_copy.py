"""--verify-zero-copy of the tools: nothing is copied on the way of an alias transfer (IR-21)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

if TYPE_CHECKING:
    # zc-opt has the flag, and starts quickly on what needs no topology.
    from ..dialects.topology import Topology

FLAG = "--verify-zero-copy"


def add_zero_copy_flag(group: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage]
    """The flag."""
    group.add_argument(
        FLAG,
        action="store_true",
        help="fail, with exit code 1, where the lowered program copies between a command of one "
        "device and one of another though both could use one storage, unless a copy is asked for "
        '(stream.transfer_kind = "copy")',
    )


def verify_zero_copy(
    module: ModuleOp, topology: Topology | None = None, sources: ModuleOp | None = None
) -> None:
    """Check a module at stream.cmd or hal level, of the machine that it states unless another is
    given; `sources` has the kernels of which it has only binaries.

    Raises:
        FaultyProgramError: with an error for each copy.
        OpError: the module is at another level, or cannot be followed.
    """
    from ..transforms.maintenance.copied_handoffs import check_zero_copy
    from .static_check import judged_level

    check_zero_copy(module, topology, judged_level(module, FLAG), sources)
