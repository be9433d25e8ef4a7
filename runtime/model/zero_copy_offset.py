"""Addresses that stand for an input or output: its own, and those of parts that ops use.

    basic      [4096,    0, 4096]     relative   [0, 7, 256]     (GE-28, GE-29)
    an input at logical address 4096 whose memory is at 0x10000: addresses 0x10000 and 0x10100

Both lists have an entry for each part; those whose basic offset is that of the input or output
are its parts.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NoReturn

from ...dialects.io_plan import IoPlan, ModelIo
from ..host.errors import ErrorCode, HostError
from .options import OPERATION

_ADDRESS_END = 1 << 64


@dataclass(frozen=True, slots=True)
class ZeroCopyOffset:
    """The addresses of one input or output (GE-38 to GE-40)."""

    ordinal: int
    data_info: tuple[tuple[int, int], ...]
    """Size in bytes and address of the whole, or of each part."""
    relative_offsets: tuple[int, ...]
    """Bytes from the whole to each part."""
    basic_address: int
    """Address of the whole."""

    @property
    def data_count(self) -> int:
        """Number of addresses."""
        return len(self.data_info)

    @classmethod
    def of_input(
        cls,
        ordinal: int,
        size: int,
        address: int,
        offset: int = 0,
        parts: Sequence[tuple[int, int]] = (),
    ) -> ZeroCopyOffset:
        """Of an input of `size` bytes at `address`, whose logical address is `offset`.

        Args:
            parts: basic and relative offset of each.

        Raises HostError INVALID_MODEL_PARAMETER for a part before the input (GE-39), and for an
        address beyond 64 bits.
        """
        for _, relative in parts:
            if relative < 0:
                _refuse(f"relative offset {relative} of input {ordinal} is negative", relative)
        return cls._of("input", ordinal, size, address, offset, parts)

    @classmethod
    def of_output(
        cls,
        ordinal: int,
        size: int | None,
        address: int,
        offset: int = 0,
        parts: Sequence[tuple[int, int]] = (),
    ) -> ZeroCopyOffset:
        """Of an output; its parts may be before it (GE-40). Raises as `of_input` does."""
        if size is None:
            _refuse(
                f"Get input TensorSize of output {ordinal} failed: its shape is not static", size
            )
        return cls._of("output", ordinal, size, address, offset, parts)

    @classmethod
    def _of(
        cls,
        role: str,
        ordinal: int,
        size: int,
        address: int,
        offset: int,
        parts: Sequence[tuple[int, int]],
    ) -> ZeroCopyOffset:
        relative = tuple(where for basic, where in parts if basic == offset) or (0,)
        for where in relative:
            if not 0 <= address + where < _ADDRESS_END:
                _refuse(
                    f"address 0x{address:x} of {role} {ordinal} and offset {where} are no address "
                    "of 64 bits",
                    address + where,
                )
        info = tuple((size, address + where) for where in relative)
        return cls(ordinal, info, relative, address)

    @property
    def addresses(self) -> tuple[int, ...]:
        """All of them, in order."""
        return tuple(address for _, address in self.data_info)


def _refuse(message: str, value: object) -> NoReturn:
    raise HostError(
        ErrorCode.INVALID_MODEL_PARAMETER, OPERATION, message, parameter="offset", value=value
    )


def input_info(plan: IoPlan) -> dict[int, ZeroCopyOffset]:
    """Inputs by ordinal, at their logical addresses (GE-44).

    Those whose shape is only known at run time have no address, and are not among them.
    """
    return {
        io.ordinal: ZeroCopyOffset.of_input(io.ordinal, io.size, io.offset, io.offset, _parts(io))
        for io in plan.inputs
        if io.size is not None and io.offset is not None
    }


def output_info(plan: IoPlan) -> dict[int, ZeroCopyOffset]:
    """Outputs, as `input_info` gives inputs."""
    return {
        io.ordinal: ZeroCopyOffset.of_output(io.ordinal, io.size, io.offset, io.offset, _parts(io))
        for io in plan.outputs
        if io.size is not None and io.offset is not None
    }


def _parts(io: ModelIo) -> list[tuple[int, int]]:
    return list(zip(io.basic_offsets, io.relative_offsets, strict=True))


class OutsideAddresses:
    """Addresses that stand for memory of the caller, and where task arguments hold them."""

    def __init__(self) -> None:
        self.positions: dict[int, list[int]] = {}
        """By address, the places of arguments that hold it, in bytes."""
        self.copy_only: set[int] = set()
        """Addresses that are never replaced; data is copied to or from them (GE-49)."""
        self.tiled: set[int] = set()
        """The positions whose address points to tiling data."""
        self._fused: set[int] = set()
        self._lock = Lock()

    def register(self, offset: ZeroCopyOffset) -> None:
        """Let addresses stand for an input or output, each once (GE-41)."""
        for address in offset.addresses:
            self.positions.setdefault(address, [])
        if offset.data_count > 1 or offset.relative_offsets != (0,):
            self._fused.update(offset.addresses)

    def record(
        self,
        arguments: Sequence[int],
        base: int,
        offset: int = 0,
        tiling: Container[int] = (),
    ) -> None:
        """Note where the arguments of a task hold registered addresses (GE-42).

        Several threads may record at once. `tiling`: the indices of arguments that are tiling data.
        """
        with self._lock:
            for index, address in enumerate(arguments):
                if address in self.positions:
                    position = base + offset + 8 * index
                    self.positions[address].append(position)
                    if index in tiling:
                        self.tiled.add(position)

    def disable(self, address: int) -> None:
        """Make an address copy-only, if it is a registered one of a whole; else nothing (GE-49)."""
        if address in self.positions and address not in self._fused:
            self.copy_only.add(address)


def lookup(infos: Mapping[int, ZeroCopyOffset], ordinal: int, role: str) -> ZeroCopyOffset:
    """The addresses of an input or output by its ordinal; HostError where it has none (GE-44)."""
    if ordinal not in infos:
        _refuse(f"Can't find in {role}_data_info, size:{len(infos)}, Index:{ordinal}", ordinal)
    return infos[ordinal]
