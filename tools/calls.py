"""The calls that a command line asks for: one, or with `--call` several in one process.

    --function=f --input=4xf32=1                         one call
    --call=set --input=4xf32=1 --call=get --output=@y.npy    two, on one machine

Each `--call` takes the `--input`, `--output` and `--expected_output` that follow it.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..runtime.io import parse_input_lists
from ..runtime.load import CallSpec
from .driver import ToolError


@dataclass(slots=True)
class CallFlags:
    """What the command line says of one call."""

    function: str | None = None
    input: list[str] = field(default_factory=list[str])
    output: list[str] = field(default_factory=list[str])
    expected_output: list[str] = field(default_factory=list[str])
    one_of_several: bool = False
    """Whether `--call` asked for it: its results are told under its name."""


class AddToCall(argparse.Action):
    """Adds the value to the field of its name in the call that the flag follows."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """What argparse does when it meets the flag."""
        getattr(_calls(namespace)[-1], self.dest).append(values)


class NextCall(argparse.Action):
    """Begins another call."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """What argparse does when it meets the flag."""
        _calls(namespace).append(
            CallFlags(str(values).removeprefix("@") or None, one_of_several=True)
        )


def _calls(namespace: argparse.Namespace) -> list[CallFlags]:
    """The calls so far; the first has what stands before any --call."""
    calls: list[CallFlags] | None = getattr(namespace, "calls", None)
    if calls is None:
        calls = namespace.calls = [CallFlags()]
    return calls


def requested_calls(arguments: argparse.Namespace) -> list[CallFlags]:
    """The calls of a parsed command line, at least one.

    Raises:
        ToolError: flags that belong to no call.
    """
    first, *others = _calls(arguments)
    if not others:
        first.function = arguments.function
        return [first]
    if arguments.function is not None:
        raise ToolError("--function names the only call; with --call each has a name of its own")
    for name in ("input", "output", "expected_output"):
        if getattr(first, name):
            raise ToolError(f"--{name} belongs to the --call before it; there is none")
    return others


def call_specs(calls: Sequence[CallFlags]) -> list[CallSpec]:
    """The calls with their inputs; raises InputError for one that cannot be read."""
    inputs = parse_input_lists([call.input for call in calls])
    return [CallSpec(call.function, values) for call, values in zip(calls, inputs, strict=True)]


def name_calls(calls: Sequence[CallFlags], functions: Sequence[str]) -> None:
    """Name the function of calls that leave it open, where there is only one."""
    for call in calls:
        if call.function is None and len(functions) == 1:
            call.function = functions[0]
