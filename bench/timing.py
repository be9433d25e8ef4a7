"""How long an action takes, on a machine that does other things too."""

import time
from collections.abc import Callable


def fastest(action: Callable[[], object], runs: int) -> float:
    """Seconds of the fastest of several runs: what else a machine does only adds."""
    times: list[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)
