"""Ask processes that may be killed whether two mathematical answers are the same.

What a model writes can keep a computer algebra system busy for ever or fill all memory
(`9^{9^{9^9}}`), and no signal stops that in a thread. So it is compared in processes of its own,
which end with this one.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, NamedTuple

PROCESSES = min(4, os.cpu_count() or 1)
# A worker ends itself after a second of the processor; this is for one that waits for it.
PATIENCE = 60.0  # seconds by the clock
FAILURES_IN_A_ROW = 5
# Whether the grader works is asked of it when it starts, and where it fails often.
PROBE = {
    "answer": ["x+\\frac{1}{2}"],
    "gold": ["\\frac{1+2x}{2}"],
    "tolerance": 0.0,
    "relative_tolerance": 0.0,
}


class Worker(NamedTuple):
    """A process of math_worker.py and the channel to it."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    replies: Any


NUMBERS = count(1)
POOLS = {}
FAILURES = deque(maxlen=FAILURES_IN_A_ROW)


@lru_cache(maxsize=10_000)
def same_mathematics(
    answer: tuple[str, ...], gold: tuple[str, ...], tolerance: float, relative_tolerance: float
) -> bool:
    """Whether the values of `answer`, each in LaTeX, are those of `gold`, in any order.

    What takes over a second of the processor or a gigabyte, or cannot be read, is not the same.
    Right from any thread. Raises `RuntimeError` where the grader itself does not work: at its
    start, or where five comparisons in a row failed and one that it must know fails, too.
    """
    limits = {"tolerance": tolerance, "relative_tolerance": relative_tolerance}
    result = ask({"answer": answer, "gold": gold, **limits})
    if isinstance(result, bool):
        FAILURES.clear()
        return result
    FAILURES.append(result or "it reached its limit of time or memory")
    if len(FAILURES) == FAILURES_IN_A_ROW:
        last = FAILURES[-1]
        FAILURES.clear()
        if ask(PROBE) is not True:
            raise RuntimeError(f"math_worker.py failed {FAILURES_IN_A_ROW} times in a row: {last}")
    return False


def ask(comparison: dict[str, Any]) -> bool | str | None:
    """What a worker says: whether both are the same, what went wrong, or None where it ended."""
    # A fork of this process has workers of its own.
    pool = POOLS.get(os.getpid()) or POOLS.setdefault(os.getpid(), new_pool())
    worker, kept = pool.get(), None
    try:
        worker = worker or start()
        result = reply(worker, comparison)
        kept = worker
    except (OSError, ValueError):  # it is gone, or was too slow
        return None
    else:
        return result
    finally:
        pool.put(kept)
        if worker is not None and kept is None:
            stop(worker)


def new_pool() -> LifoQueue[Worker | None]:
    """A place for each process, which starts where it is needed."""
    pool: LifoQueue[Worker | None] = LifoQueue()
    for _ in range(PROCESSES):
        pool.put(None)
    return pool


def start() -> Worker:
    """Start a process, and see that it compares."""
    ours, theirs = socket.socketpair()
    # -P: modules of this folder must not stand in the way of those that the libraries import. A
    # session of its own, so that the process and its child are killed together.
    command = [sys.executable, "-P", str(Path(__file__).with_name("math_worker.py"))]
    with theirs:
        process = subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=theirs.fileno(), start_new_session=True
        )
    ours.settimeout(PATIENCE)
    worker = Worker(process, ours, ours.makefile("rb"))
    with suppress(OSError, ValueError):
        if reply(worker, PROBE) is True:
            return worker
    stop(worker)
    raise RuntimeError("math_worker.py does not compare; `python -P math_worker.py` may say why")


def reply(worker: Worker, comparison: dict[str, Any]) -> bool | str | None:
    """What a worker says of a comparison; raises `OSError` or `ValueError` where it does not."""
    number = next(NUMBERS)
    line = json.dumps({"number": number, "comparison": comparison}) + "\n"
    worker.channel.sendall(line.encode())
    while True:
        message = json.loads(worker.replies.readline())
        # None: its child was killed. A reply to an earlier comparison, which was given up, is no
        # reply to this one.
        if message["number"] in (number, None):
            return message["result"]


def stop(worker: Worker) -> None:
    """Kill a process with its child."""
    with suppress(ProcessLookupError):
        os.killpg(worker.process.pid, signal.SIGKILL)
    worker.process.wait()
    worker.replies.close()
    worker.channel.close()


@atexit.register
def stop_all() -> None:
    """Kill the processes that wait."""
    pool = POOLS.pop(os.getpid(), None) or new_pool()
    with suppress(Empty):
        while True:
            worker = pool.get_nowait()
            if worker is not None:
                stop(worker)
