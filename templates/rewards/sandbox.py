"""Run a function in a process that is shut off from this machine, and never wait long for it."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, Literal, Self

HERE = Path(__file__).parent
START_SECONDS = 60.0  # for the interpreter, on a machine that is busy with training
GRACE_SECONDS = 5.0  # beyond what a process times itself, before it is ended from here
TICK_SECONDS = 0.1  # between two looks at how much a folder holds
FOLDER_BYTES = 64 * 2**20
FOLDER_FILES = 1000
OUTPUT_BYTES = 16 * 2**20
LIBRARIES = "LD_LIBRARY_PATH"  # which some installations of Python need to start
# Processes at once. Where several processes train on this machine, each takes its share of cores.
WORKERS = max(1, (os.cpu_count() or 1) // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))
SLOTS = BoundedSemaphore(WORKERS)
SAID: set[str] = set()
SAYING = Lock()

MEANS = {
    "bubblewrap": "in namespaces of its own (bubblewrap)",
    "seccomp": "without other processes or a network (seccomp)",
    "landlock": "without files but its own (Landlock)",
    "user": "as the user nobody",
    "limits": "with limits of time, memory, file size and output",
}
OPEN = "NOT shut off from the files, the network and the other processes of this user"

Isolation = Literal["required", "limits"]


class SandboxError(RuntimeError):
    """Code of completions cannot be run on this machine as it has to be."""


class Confined:
    """One process with a folder of its own; both are gone when its block ends.

    `in_force` names what shuts it off, as in MEANS. Raises SandboxError where that is too little.
    """

    def __init__(
        self, function: str, job: dict[str, Any], isolation: Isolation, readable: str = ""
    ) -> None:
        """Start a function of one of these modules, such as `code_runner.run_tests`.

        It is sent the job, with the path of its folder as `folder`, and may read the file
        `readable`. With the isolation `limits` it runs even where it cannot be shut off.
        """
        self.unsent = bytearray()
        self.got = bytearray()
        self.at_end = False
        self.selector = selectors.DefaultSelector()
        self.folder = tempfile.mkdtemp(prefix="confined-")
        SLOTS.acquire()
        try:
            self.process = started(function, self.folder, readable)
        except OSError:
            self.leave()
            raise
        pipes = self.process.stdin, self.process.stdout, self.process.stderr
        self.stdin, self.stdout, self.stderr = (pipe for pipe in pipes if pipe is not None)
        os.set_blocking(self.stdin.fileno(), False)
        self.selector.register(self.stdout, selectors.EVENT_READ)
        try:
            self.send({"folder": self.folder, **job})
            self.in_force = self.checked(self.receive(START_SECONDS), isolation)
        except BaseException:
            self.close()
            raise

    def checked(self, in_force: Any, isolation: Isolation) -> tuple[str, ...]:
        """What shuts the process off; raises SandboxError where that is too little."""
        if not isinstance(in_force, list):
            self.kill()
            said = self.stderr.read(2000).decode(errors="replace").strip()
            raise SandboxError(f"a process for the code of completions does not start: {said}")
        found = ("bubblewrap", *in_force) if has_bubblewrap() else tuple(in_force)
        shut_off = "seccomp" in found and {"bubblewrap", "landlock", "user"}.intersection(found)
        if isolation == "required" and not shut_off:
            raise SandboxError(
                f"code of completions would run {told(found)}. It needs seccomp, and one of "
                "Landlock, bubblewrap and root; Linux 5.13 and newer have seccomp and Landlock. "
                'In a machine that holds nothing else, `isolation="limits"` does without.'
            )
        say_once(f"code of completions runs {told(found)}")
        return found

    def __enter__(self) -> Self:
        """Give the running process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process and all that it started, and remove its folder."""
        self.close()

    def send(self, message: object) -> None:
        """Have a message sent as soon as the process reads it."""
        content = json.dumps(message).encode()
        self.send_bytes(len(content).to_bytes(4, "big") + content)

    def send_bytes(self, content: bytes) -> None:
        """Have bytes sent as soon as the process reads them."""
        self.unsent += content
        if self.stdin not in self.selector.get_map():
            self.selector.register(self.stdin, selectors.EVENT_WRITE)

    def receive(self, seconds: float) -> Any:
        """The next message; None where the time or the space is up, or the process has ended."""
        end = time.monotonic() + seconds
        if not self.wait_until(lambda: len(self.got) >= 4, end):
            return None
        length = int.from_bytes(self.got[:4], "big")
        if length > OUTPUT_BYTES or not self.wait_until(lambda: len(self.got) >= 4 + length, end):
            return None
        content = bytes(self.got[4 : 4 + length])
        del self.got[: 4 + length]
        return json.loads(content)

    def receive_all(self, seconds: float) -> bytes | None:
        """All that the process still writes until it ends well; None where it does not.

        Nothing more can be sent.
        """
        end = time.monotonic() + seconds
        self.wait_until(lambda: self.at_end, end, closes=True)
        try:
            code = self.process.wait(max(0.1, end - time.monotonic())) if self.at_end else None
        except subprocess.TimeoutExpired:
            return None
        return bytes(self.got) if code == 0 else None

    def wait_until(self, done: Callable[[], bool], end: float, *, closes: bool = False) -> bool:
        """Write and read until `done`; False where the time or the space is up, or all is read."""
        while not done():
            left = end - time.monotonic()
            if left <= 0 or self.at_end or len(self.got) > OUTPUT_BYTES or self.is_full():
                return False
            if closes and not self.unsent:
                self.stdin.close()
                closes = False
            for key, _ in self.selector.select(min(left, TICK_SECONDS)):
                if key.fileobj is self.stdout:
                    part = os.read(key.fd, 2**16)
                    self.got += part
                    self.at_end = not part
                else:
                    self.write_some(key.fd)
        return True

    def write_some(self, place: int) -> None:
        """Write as much as the process takes now; what it never reads is dropped."""
        try:
            del self.unsent[: os.write(place, self.unsent[: 2**16])]
        except BrokenPipeError:
            self.unsent.clear()
        if not self.unsent:
            self.selector.unregister(self.stdin)

    def is_full(self) -> bool:
        """Whether the folder holds more than it may; there are no folders in it."""
        sizes = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            sizes = [entry.stat(follow_symlinks=False).st_blocks * 512 for entry in entries]
        return len(sizes) > FOLDER_FILES or sum(sizes) > FOLDER_BYTES

    def finish(self, seconds: float) -> None:
        """Give the process time to end those that it started, and itself."""
        self.wait_until(lambda: self.at_end, time.monotonic() + seconds)

    def kill(self) -> None:
        """End the process and all that it started: the code cannot leave its group."""
        # Once it was waited for, another group may have its number.
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process and all that it started, and remove its folder."""
        self.kill()
        self.process.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                pipe.close()
        self.selector.close()
        self.leave()

    def leave(self) -> None:
        """Remove the folder, and let another process have its turn."""
        end = time.monotonic() + GRACE_SECONDS
        # What was killed may write one more file before it is gone.
        while os.path.exists(self.folder) and time.monotonic() < end:
            shutil.rmtree(self.folder, ignore_errors=True)
        SLOTS.release()


def started(function: str, folder: str, readable: str) -> "subprocess.Popen[bytes]":
    """The process of a function, with a clean environment and in a session of its own."""
    return subprocess.Popen(
        [*bubblewrap(folder, readable), *interpreter(function)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={
            "PATH": os.defpath,
            "HOME": folder,
            "TMPDIR": folder,
            "PYTHONHASHSEED": "0",  # so that the order of a set is always the same
            LIBRARIES: os.environ.get(LIBRARIES, ""),
        },
        start_new_session=True,
    )


def interpreter(function: str) -> list[str]:
    """The command for a function of a module beside this one, on the standard library alone."""
    module, _, name = function.partition(".")
    start = f"import sys; sys.path.append({str(HERE)!r}); import {module}; sys.path.pop()"
    options = ["-S", "-s", "-P", "-X", "utf8"]
    return [os.path.realpath(sys.executable), *options, "-c", f"{start}; {module}.{name}()"]


def bubblewrap(folder: str, readable: str) -> list[str]:
    """The beginning of a command that runs in namespaces of its own; nothing where it cannot."""
    return bubblewrap_command(folder, readable) if has_bubblewrap() else []


@cache
def has_bubblewrap() -> bool:
    """Whether bubblewrap is there and may make namespaces here."""
    if shutil.which("bwrap") is None:
        return False
    tried = [*bubblewrap_command("/", ""), "true"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def bubblewrap_command(folder: str, readable: str) -> list[str]:
    """All but Python, these modules, the folder and a file is left out of what can be seen."""
    libraries = filter(None, os.environ.get(LIBRARIES, "").split(":"))
    shown = ["/usr", "/lib", "/lib64", "/bin", sys.base_prefix, *libraries]
    shown += [*map(str, HERE.glob("*.py")), *([readable] if readable else [])]
    files = [part for path in shown for part in ("--ro-bind-try", path, path)]
    system = ["--proc", "/proc", "--dev", "/dev"]
    own = [] if folder == "/" else ["--bind", folder, folder, "--chdir", folder]
    shut = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    return [shutil.which("bwrap") or "bwrap", *shut, *files, *system, *own]


def told(in_force: Iterable[str]) -> str:
    """What shuts code off, in words."""
    means = [MEANS[name] for name in MEANS if name in in_force]
    return ", ".join(means if "seccomp" in in_force else [*means, OPEN])


def say_once(text: str) -> None:
    """Print a line, once in a training and not once for each of its processes."""
    with SAYING:
        if text not in SAID and os.environ.get("RANK", "0") == "0":
            print(text, file=sys.stderr, flush=True)
        SAID.add(text)
