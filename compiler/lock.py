"""The lock that keeps two compiles of one project apart."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Generator
from pathlib import Path

from compiler.manifest import STATE_FOLDER, damaged
from compiler.unsettled import Locked

__all__ = ["locked"]

_LOCK = "lock"


@contextlib.contextmanager
def locked(project: Path) -> Generator[None, None, None]:
    """Hold the project's lock; raises `Locked` where another process has it."""
    state = project / STATE_FOLDER
    path = state / _LOCK
    descriptor = _acquire(state, path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)
        # A run that wrote nothing leaves nothing; a state folder in use is not empty.
        with contextlib.suppress(OSError):
            state.rmdir()


def _acquire(state: Path, path: Path) -> int:
    if state.is_symlink():
        message = f"`{STATE_FOLDER}` is a symbolic link"
        raise damaged(message)
    while True:
        state.mkdir(exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, 200).decode("utf-8", "replace").strip()
            os.close(descriptor)
            message = f"another compile of this project is running: {holder or 'just started'}"
            raise Locked(message) from error
        if _still_there(path, descriptor):
            os.ftruncate(descriptor, 0)
            os.write(
                descriptor,
                f"process {os.getpid()} on {socket.gethostname()}\n".encode(),
            )
            return descriptor
        os.close(descriptor)


def _still_there(path: Path, descriptor: int) -> bool:
    # The holder before may have removed the file between our open and our lock.
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
