"""The simulated memory against a model that keeps one Python dictionary per byte."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import zcir.runtime.cache
import zcir.runtime.memory
from hypothesis import given, settings
from hypothesis import strategies as st
from zcir.runtime.cache import Cache
from zcir.runtime.errors import HalError
from zcir.runtime.machine import Domain, Machine, Pool, WriteBack
from zcir.runtime.memory import POISON, Memory, PoolBytes

BASE, SIZE = 4096, 256


@dataclass
class ModelCache:
    """The rules of the machine (docs/memory-model.md), a byte at a time."""

    memory: dict[int, int]
    line: int
    whole: bool
    lines: dict[int, dict[int, int]] = field(default_factory=dict)
    dirty: set[int] = field(default_factory=set)

    def touched(self, start: int, end: int) -> list[int]:
        return sorted({byte // self.line for byte in range(start, end)})

    def bytes_of(self, line: int) -> range:
        return range(line * self.line, (line + 1) * self.line)

    def fetch(self, line: int) -> None:
        if line not in self.lines:
            self.lines[line] = {byte: self.memory[byte] for byte in self.bytes_of(line)}

    def load(self, start: int, end: int) -> list[int]:
        for line in self.touched(start, end):
            self.fetch(line)
        return [self.lines[byte // self.line][byte] for byte in range(start, end)]

    def store(self, start: int, data: list[int]) -> None:
        written = range(start, start + len(data))
        for line in self.touched(start, start + len(data)):
            if not set(self.bytes_of(line)) <= set(written):
                self.fetch(line)
            self.lines.setdefault(line, {})
        for byte, value in zip(written, data, strict=True):
            self.lines[byte // self.line][byte] = value
            self.dirty.add(byte)

    def write_back(self, line: int) -> None:
        mine = [byte for byte in self.bytes_of(line) if byte in self.dirty]
        for byte in self.bytes_of(line) if self.whole and mine else mine:
            self.memory[byte] = self.lines[line][byte]
        self.dirty.difference_update(mine)

    def flush(self, start: int, end: int) -> None:
        for line in self.touched(start, end):
            self.write_back(line)

    def invalidate(self, start: int, end: int) -> None:
        for line in self.touched(start, end):
            self.lines.pop(line, None)
            self.dirty.difference_update(self.bytes_of(line))

    def evict(self, line: int) -> None:
        self.write_back(line)
        self.lines.pop(line, None)


def shared(*domains: Domain, pools: tuple[Pool, ...] = (Pool("p", "host", BASE, SIZE),)) -> Machine:
    names = frozenset(pool.name for pool in pools)
    reach = {agent: names for domain in domains for agent in domain.agents}
    return Machine(domains, pools, reach, reach)


Action = tuple[int, str, tuple[int, int], list[tuple[int, int]], int]

spans = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(lambda s: (min(s), max(s)))
run_lists = st.one_of(
    # Irregular: the gaps between sorted distinct numbers, taken every other time.
    st.lists(st.integers(0, SIZE), min_size=2, max_size=8, unique=True).map(
        lambda cuts: [(a, b) for a, b in zip(*[iter(sorted(cuts))] * 2, strict=False)]
    ),
    # Regular: rows of a two-dimensional slice.
    st.tuples(st.integers(0, 20), st.integers(1, 7), st.integers(1, 30), st.integers(1, 6)).map(
        lambda g: [(g[0] + i * (g[1] + g[2]), g[0] + i * (g[1] + g[2]) + g[1]) for i in range(g[3])]
    ),
)
actions = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(
            ["load", "store", "flush", "invalidate", "evict", "prefetch", "runs", "poison"]
        ),
        spans,
        run_lists,
        st.integers(0, 255),
    ),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(
    actions=actions,
    lines=st.tuples(*[st.sampled_from([1, 8, 16, 64])] * 3),
    modes=st.tuples(*[st.sampled_from(list(WriteBack))] * 3),
    deferred=st.sampled_from([1, 16, 1 << 18]),
    look=st.booleans(),
)
def test_caches_agree_with_a_model_kept_byte_by_byte(
    actions: list[Action],
    lines: tuple[int, ...],
    modes: tuple[WriteBack, ...],
    deferred: int,
    look: bool,
) -> None:
    """Poison that waits until someone looks is poison to all who do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zcir.runtime.memory, "_DEFERRED", deferred)
        patch.setattr(zcir.runtime.memory, "_RANGES", 3)
        patch.setattr(zcir.runtime.cache, "_MANY", 2)
        _compare(actions, lines, modes, look)


def _compare(
    actions: list[Action], lines: tuple[int, ...], modes: tuple[WriteBack, ...], look: bool
) -> None:
    domains = [Domain((f"d{i}",), lines[i], modes[i]) for i in range(3)]
    memory = Memory(shared(*domains))
    memory.pools["p"].reserve(BASE + SIZE)
    contents = dict.fromkeys(range(BASE, BASE + SIZE), POISON)
    models = [ModelCache(contents, d.cache_line, d.write_back is WriteBack.LINE) for d in domains]
    for number, (who, what, (start, end), runs, value) in enumerate(actions):
        cache, model = memory.port(who, "p"), models[who]
        assert isinstance(cache, Cache)
        start, end = start + BASE, end + BASE
        absolute = np.array(runs, dtype=np.int64) + BASE
        touched = np.arange(*cache.span(start, end))
        offset = BASE // model.line
        match what:
            case "load":
                assert cache.load(start, end).tolist() == model.load(start, end)
                want = [byte for s, e in absolute.tolist() for byte in model.load(s, e)]
                assert cache.load_runs(absolute).tolist() == want
            case "store":
                data = [(value + i) % 256 for i in range(end - start)]
                cache.store(start, end, np.array(data, dtype=np.uint8))
                model.store(start, data)
            case "runs":
                size = sum(e - s for s, e in runs)
                data = np.array([(value + i) % 256 for i in range(size)], dtype=np.uint8)
                cache.store_runs(absolute, data)
                for s, e in absolute.tolist():
                    model.store(s, data[: e - s].tolist())
                    data = data[e - s :]
            case "flush":
                assert cache.flush(start, end) == len(model.touched(start, end)) * model.line
                model.flush(start, end)
            case "invalidate":
                assert cache.invalidate(start, end) == len(model.touched(start, end)) * model.line
                model.invalidate(start, end)
            case "poison":
                memory.pools["p"].poison(start, end)
                contents.update(dict.fromkeys(range(start, end), POISON))
            case "evict":
                cache.evict(touched)
                for line in touched.tolist():
                    model.evict(line + offset)
            case _:
                cache.prefetch(touched)
                for line in touched.tolist():
                    model.fetch(line + offset)
        _same_bytes(memory.pools["p"], contents, look=look or number == len(actions) - 1)
        held = [line - offset for line in model.lines]
        assert sorted(held) == np.flatnonzero(cache.present[: SIZE // model.line]).tolist()


def _same_bytes(pool: PoolBytes, contents: dict[int, int], *, look: bool) -> None:
    if look:
        pool.settle(0, SIZE)
        assert pool.data[:SIZE].tolist() == list(contents.values())


def two(line: int = 64, mode: WriteBack = WriteBack.BYTES) -> tuple[Memory, Cache, Cache]:
    memory = Memory(shared(Domain(("a",), line, mode), Domain(("b",), line, mode)))
    memory.pools["p"].reserve(BASE + SIZE)
    a, b = memory.port(0, "p"), memory.port(1, "p")
    assert isinstance(a, Cache)
    assert isinstance(b, Cache)
    return memory, a, b


def test_fresh_memory_is_poisoned() -> None:
    _, a, _ = two()
    assert set(a.load(BASE, BASE + SIZE).tolist()) == {0xCD}


def test_unflushed_store_is_seen_by_no_other_domain() -> None:
    # IR-35: both halves, flush and invalidate, are needed.
    _, a, b = two()
    b.load(BASE, BASE + 4)
    a.store(BASE, BASE + 4, np.full(4, 7, np.uint8))
    assert b.load(BASE, BASE + 4).tolist() == [0xCD] * 4
    a.flush(BASE, BASE + 4)
    assert b.load(BASE, BASE + 4).tolist() == [0xCD] * 4
    b.invalidate(BASE, BASE + 4)
    assert b.load(BASE, BASE + 4).tolist() == [7] * 4


def test_whole_line_write_back_carries_stale_neighbours() -> None:
    # IR-54: false sharing is real where the write-back is by line.
    for mode, want in ((WriteBack.BYTES, [1, 2]), (WriteBack.LINE, [0xCD, 2])):
        memory, a, b = two(mode=mode)
        b.load(BASE, BASE + 1)
        a.store(BASE, BASE + 1, np.array([1], np.uint8))
        a.flush(BASE, BASE + 1)
        b.store(BASE + 1, BASE + 2, np.array([2], np.uint8))
        b.flush(BASE + 1, BASE + 2)
        assert memory.pools["p"].data[:2].tolist() == want


def test_maintenance_acts_on_whole_lines() -> None:
    # IR-53: 16 bytes at offset 100 with 64-byte lines maintain [64, 128). K6 B27: the dirty
    # neighbour of an invalidated range is lost.
    _, a, _ = two()
    assert a.flush(BASE + 100, BASE + 116) == 64
    a.store(BASE + 64, BASE + 65, np.array([9], np.uint8))
    assert a.invalidate(BASE + 100, BASE + 116) == 64
    assert a.load(BASE + 64, BASE + 65).tolist() == [0xCD]
    assert a.flush(BASE + 70, BASE + 70) == 0


def test_memory_that_one_domain_reaches_has_no_cache() -> None:
    machine = shared(Domain(("cpu", "host"), 64))
    memory = Memory(machine)
    assert memory.caches == []
    memory.pools["p"].reserve(BASE + SIZE)
    port = memory.port(0, "p")
    assert port is not None
    assert not port.cached
    runs = np.array([[BASE, BASE + 4], [BASE + 8, BASE + 12]])
    port.store_runs(runs, np.arange(8, dtype=np.uint8))
    assert port.load_runs(runs).tolist() == list(range(8))
    # Invalidating would lose a dirty byte had there been a cache; here nothing is lost.
    assert port.invalidate(BASE, BASE + 4) == 0
    assert port.load(BASE, BASE + 2).tolist() == [0, 1]


def test_a_large_pool_costs_what_is_used() -> None:
    pool = PoolBytes(Pool("p", "host", 0, 1 << 40))
    pool.reserve(100)
    assert len(pool.data) < 1 << 30
    assert set(pool.data[:4096].tolist()) == {0xCD}
    small = PoolBytes(Pool("p", "host", 0, 5000))
    small.reserve(5000)
    assert len(small.data) == 8192


def test_growth_keeps_memory_and_cached_lines() -> None:
    memory, a, _ = two()
    a.store(BASE, BASE + 4, np.arange(4, dtype=np.uint8))
    before = memory.pools["p"].data
    memory.pools["p"].reserve(BASE + 2 * len(before))
    assert memory.pools["p"].data is not before
    assert a.load(BASE, BASE + 4).tolist() == [0, 1, 2, 3]
    a.flush(BASE, BASE + 4)
    assert memory.pools["p"].data[:4].tolist() == [0, 1, 2, 3]


def test_line_size_must_be_a_power_of_two() -> None:
    with pytest.raises(HalError, match="cache line of a is 48 bytes; expected a power of two"):
        Memory(shared(Domain(("a",), 48)))


@settings(max_examples=60, deadline=None)
@given(actions=actions)
def test_memory_without_caches_agrees_with_its_bytes(actions: list[Action]) -> None:
    """Poison that waits included: what is claimed whole is written whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zcir.runtime.memory, "_DEFERRED", 1)
        memory = Memory(shared(Domain(("cpu", "host"), 64)))
        memory.pools["p"].reserve(BASE + SIZE)
        port, contents = memory.port(0, "p"), np.full(SIZE, POISON, np.uint8)
        assert port is not None
        for _, what, (start, end), runs, value in actions:
            absolute = np.array(runs, dtype=np.int64) + BASE
            mask = np.zeros(SIZE, np.bool_)
            for s, e in runs:
                mask[s:e] = True
            match what:
                case "store":
                    port.store(start + BASE, end + BASE, np.full(end - start, value, np.uint8))
                    contents[start:end] = value
                case "runs" if runs:
                    port.store_runs(absolute, np.full(int(mask.sum()), value, np.uint8))
                    contents[mask] = value
                case "poison":
                    memory.pools["p"].poison(start + BASE, end + BASE)
                    contents[start:end] = POISON
                case "load" if runs:
                    assert port.load_runs(absolute).tolist() == contents[mask].tolist()
                case _:
                    loaded = port.load(start + BASE, end + BASE)
                    assert loaded.tolist() == contents[start:end].tolist()
