"""The lock that keeps two compiles of one project apart."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Generator
from pathlib import Path

from compiler.manifest import STATE_FOLDER, refuse_no_folder
from compiler.unsettled import Locked

__all__ = ["LOCK", "locked", "refuse_while_locked"]

LOCK = "lock"


@contextlib.contextmanager
def locked(project: Path) -> Generator[None, None, None]:
    """Hold the project's lock; raises `Locked` where another process has it."""
    refuse_no_folder(project)
    state = project / STATE_FOLDER
    path = state / LOCK
    descriptor = _acquire(state, path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)
        # A run that wrote nothing leaves nothing; a state folder in use is not empty.
        with contextlib.suppress(OSError):
            state.rmdir()


def refuse_while_locked(project: Path) -> None:
    """Raise `Locked` where another process writes into the project; writes nothing."""
    try:
        descriptor = os.open(project / STATE_FOLDER / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise _held(descriptor) from error
    finally:
        os.close(descriptor)


def _held(descriptor: int) -> Locked:
    holder = os.read(descriptor, 200).decode("utf-8", "replace").strip()
    message = f"another compile of this project is running: {holder or 'just started'}"
    return Locked(message)


def _acquire(state: Path, path: Path) -> int:
    while True:
        state.mkdir(exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            held = _held(descriptor)
            os.close(descriptor)
            raise held from error
        if _still_there(path, descriptor):
            holder = f"process {os.getpid()} on {socket.gethostname()}\n"
            # Who holds the lock is only told to others, and a full disk keeps no one from it.
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, 0)
                os.write(descriptor, holder.encode())
            return descriptor
        os.close(descriptor)


def _still_there(path: Path, descriptor: int) -> bool:
    # The holder before may have removed the file between our open and our lock.
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
