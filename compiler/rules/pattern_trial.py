"""Measures how the cost of a regular expression grows: a program of its own, which may be killed.

Reads JSON, `[pattern, flags, method, [[head, body, tail], ...]]`, and writes a line for each step:
the position of a pump before it is tried, and `explodes` behind that of the first one on which the
cost grows exponentially. Run by its path, so that it imports nothing of ours.
"""

import json
import re
import sys
import time
import warnings
from collections.abc import Callable

__all__: list[str] = []

# Bodies in a text. At the last of them, what grows with the fourth power takes a tenth of a second.
TIMES = range(4, 66, 2)
LONG = 0.05  # seconds of the processor, far above what a clock cannot tell from nothing
# From half of the bodies to all of them a power of six makes 64 times the cost.
RATIO = 100
PROCESSOR_SECONDS = 10


def _limit() -> None:
    """End this process once it has taken its time, where the system can do that."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))


def _explodes(match: Callable[[str], object], head: str, body: str, tail: str) -> bool:
    """Whether the cost grows exponentially with the number of bodies."""
    costs: dict[int, float] = {}
    for times in TIMES:
        text = head + body * times + tail
        started = time.process_time()
        match(text)
        costs[times] = time.process_time() - started
        if costs[times] >= LONG:
            half = max((each for each in costs if each <= times // 2), default=times)
            return costs[times] >= RATIO * max(costs[half], 1e-6)
    return False


def _main() -> None:
    _limit()
    warnings.simplefilter("ignore")
    pattern, flags, method, pumps = json.load(sys.stdin)
    match = getattr(re.compile(pattern, flags), method)
    for position, (head, body, tail) in enumerate(pumps):
        sys.stdout.write(f"{position}\n")
        sys.stdout.flush()
        if _explodes(match, head, body, tail):
            sys.stdout.write("explodes\n")
            return


if __name__ == "__main__":
    _main()
