"""Programs of the cmd phase from a few words: storages, and regions that fill and copy them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Region:
    """An execution region: its device, what it does, and the regions that it waits for."""

    name: str
    device: str
    ops: Sequence[str]
    """`fill 7 x 0 64`, `copy x 0 64 y 0`, `flush x 0 64` or `invalidate x 0 64`: value or source,
    range, target."""
    after: Sequence[str] = ()


@dataclass(frozen=True)
class Program:
    """A function @f that exports `out`, for devices @cpu and @npu over one memory."""

    storages: Mapping[str, int]
    """Bytes of each."""
    regions: Sequence[Region]
    lent: Sequence[str] = ()
    """Storages that are the caller's, one for each argument."""
    line: int = 64
    """Bytes of a cache line."""
    coherent: bool = False
    frees: Mapping[str, str] = field(default_factory=dict[str, str])
    """Storages freed in between, and the region after which they are."""
    made_after: Mapping[str, str] = field(default_factory=dict[str, str])
    """Storages that are made once another has been freed."""

    def text(self) -> str:
        """The module."""
        return "\n".join([*self._head(), *self._body(), *self._tail(), "}", "}"])

    def _head(self) -> list[str]:
        joined = f"{{unified_memory = true}}, {{coherent = {str(self.coherent).lower()}}}"
        host = ", host_coherent = true" if self.coherent else ""
        own = f"{{}}, {{cache_line = {self.line} : i64{host}}}"
        links = [f"(@cpu -> @npu = {joined})", f"(@npu -> @cpu = {joined})"]
        links += [f"(@{device} -> @{device} = {own})" for device in ("cpu", "npu")]
        arguments = ", ".join(f"%v_{name}: !hal.buffer_view" for name in self.lent)
        numbers = {0, *self.storages.values()}
        for region in self.regions:
            for op in region.ops:
                words = [int(word) for word in op.split() if word.isdigit()]
                numbers.update(words)
                numbers.update(b - a for a in words for b in words if b > a)
        return [
            f"module attributes {{stream.topology = #hal.device.topology<links = "
            f"[{', '.join(links)}]>, zc.host = {{cache_line = {self.line} : i64}}}} {{",
            'util.global private @cpu = #hal.device.target<"local"> : !hal.device',
            'util.global private @npu = #hal.device.target<"local"> : !hal.device',
            f"util.func public @f({arguments}) -> !hal.buffer_view {{",
            *(f"%c{number} = arith.constant {number} : index" for number in sorted(numbers)),
            *(f"%b{number} = arith.constant {number} : i8" for number in sorted(numbers)),
        ]

    def _body(self) -> list[str]:
        lines = [self._import(name) for name in self.lent]
        later = {*self.made_after, *self.lent}
        lines += [self._alloca(name) for name in self.storages if name not in later]
        for region in self.regions:
            lines += self._region(region)
            for name, last in self.frees.items():
                if last == region.name:
                    lines.append(
                        f"%free_{name} = stream.resource.dealloca on(#hal.device.affinity<@cpu>) "
                        f"await(%t_{last}) => %{name} : {self._type(name)} => !stream.timepoint"
                    )
                    lines += [self._alloca(n) for n, old in self.made_after.items() if old == name]
        return lines

    def _tail(self) -> list[str]:
        done = ", ".join(f"%t_{region.name}" for region in self.regions)
        size = self.storages["out"]
        return [
            f"%done = stream.timepoint.join max({done}) => !stream.timepoint",
            f"%r = stream.timepoint.await %done => %out : {self._type('out')}",
            f"%v = stream.tensor.export on(#hal.device.affinity<@cpu>) %r : tensor<{size}xi8> in "
            f"{self._type('out')} -> !hal.buffer_view",
            "util.return %v : !hal.buffer_view",
        ]

    def _type(self, name: str) -> str:
        return f"!stream.resource<external>{{%c{self.storages[name]}}}"

    def _import(self, name: str) -> str:
        return (
            f"%{name} = stream.tensor.import on(#hal.device.affinity<@cpu>) %v_{name} : "
            f"!hal.buffer_view -> tensor<{self.storages[name]}xi8> in {self._type(name)}"
        )

    def _alloca(self, name: str) -> str:
        old = self.made_after.get(name)
        wait = f" await(%free_{old}) =>" if old else " :"
        return (
            f"%{name}, %a_{name} = stream.resource.alloca uninitialized "
            f"on(#hal.device.affinity<@cpu>){wait} {self._type(name)} => !stream.timepoint"
        )

    def _region(self, region: Region) -> list[str]:
        used = dict.fromkeys(
            name for op in region.ops for name in op.split() if name in self.storages
        )
        waits = [
            *(f"%t_{name}" for name in region.after),
            *(f"%a_{name}" for name in used if name not in self.lent),
        ]
        captures = ", ".join(f"%{name} as %{name}_: {self._type(name)}" for name in used)
        return [
            f"%j_{region.name} = stream.timepoint.join max({', '.join(waits)}) "
            "=> !stream.timepoint",
            f"%t_{region.name} = stream.cmd.execute on(#hal.device.affinity<@{region.device}>) "
            f"await(%j_{region.name}) => with({captures}) {{",
            *(self._op(op) for op in region.ops),
            "} => !stream.timepoint",
        ]

    def _op(self, op: str) -> str:
        kind, what, *rest = op.split()
        if kind == "fill":
            target, start, end = rest
            span = f"[%c{start} for %c{int(end) - int(start)}]"
            return f"stream.cmd.fill %b{what}, %{target}_{span} : i8 -> {self._type(target)}"
        if kind in ("flush", "invalidate"):
            start, end = rest
            span = f"[%c{start} for %c{int(end) - int(start)}]"
            return f"stream.cmd.{kind} %{what}_{span} : {self._type(what)}"
        start, end, target, at = rest
        return (
            f"stream.cmd.copy %{what}_[%c{start}], %{target}_[%c{at}], "
            f"%c{int(end) - int(start)} : {self._type(what)} -> {self._type(target)}"
        )
