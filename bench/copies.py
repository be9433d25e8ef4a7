"""Copies of the host API against the same copies made with numpy.

`python bench/copies.py` prints for 10,000 small asynchronous copies and for 1 GiB of large ones how
long they take, issue and synchronization together, and how many times that of numpy. The first is
what a call costs; the second should be little more than the bytes.
"""

import numpy as np
from timing import fastest
from zcir.runtime.host import MemcpyKind, Runtime

SMALL, SMALL_COPIES = 64, 10_000
"""Bytes of a small copy, and how many."""
LARGE, LARGE_COPIES = 1 << 26, 16
REPEATS = 2


def with_numpy(size: int, count: int) -> float:
    """Seconds for `count` copies of `size` bytes between two arrays, in turn or all alike."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)

    def copy() -> None:
        for _ in range(count):
            target[:] = source

    return fastest(copy, REPEATS)


def with_runtime(size: int, count: int) -> float:
    """The same with asynchronous copies of page-locked memory to a device."""
    with Runtime() as rt:
        source, target, stream = rt.malloc_host(size), rt.malloc(size), rt.create_stream()
        source.view()[:] = 1

        def copy() -> None:
            for _ in range(count):
                rt.memcpy_async(target, size, source, size, MemcpyKind.HOST_TO_DEVICE, stream)
            rt.synchronize_stream(stream)

        return fastest(copy, REPEATS)


def main() -> None:
    print("  copies  bytes each   numpy s  host API s   ratio   us/copy")
    for size, count in ((SMALL, SMALL_COPIES), (LARGE, LARGE_COPIES)):
        base, ours = with_numpy(size, count), with_runtime(size, count)
        print(
            f"{count:>8}{size:>12}{base:>10.4f}{ours:>12.4f}{ours / base:>8.1f}"
            f"{ours / count * 1e6:>10.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
