"""Replaying a witness on the simulator, and what its read then gives."""

from dataclasses import dataclass

from .hal.script import Script, Watch
from .kernels.api import Bytes
from .witness import Witness


@dataclass(slots=True, eq=False)
class Replay:
    """A script made of a witness, and what it samples on the way."""

    witness: Witness
    script: Script
    _read: Watch
    _expected: Watch | None
    _got: Watch | None

    @classmethod
    def of(cls, witness: Witness) -> "Replay":
        """The replay of `witness`, for one run."""
        span = witness.span
        read = Watch(witness.read, span, before=True)
        expected = Watch(witness.expected, span, before=False) if witness.expected else None
        got = Watch(witness.got, span, before=False) if witness.got else None
        watches = [watch for watch in (read, expected, got) if watch is not None]
        script = Script(witness.schedule, witness.line, watches)
        return cls(witness, script, read, expected, got)

    @property
    def read(self) -> Bytes | None:
        """The bytes that the reader sees; None before it was reached."""
        return self._read.sample

    @property
    def expected(self) -> Bytes | None:
        """The bytes that the last write before the read left; None where there is none."""
        return self._expected.sample if self._expected else None

    @property
    def got(self) -> Bytes | None:
        """The bytes that the write left whose value is read; None for initial contents."""
        return self._got.sample if self._got else None

    @property
    def wrong(self) -> bool:
        """Whether the read gave another value than that of the last write before it."""
        if self.read is None:
            return False
        if self.expected is not None:
            return self.read.tobytes() != self.expected.tobytes()
        return self.got is not None and self.read.tobytes() == self.got.tobytes()
