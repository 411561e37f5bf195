"""Files and folders that are on the disk when a call returns."""

import os
from pathlib import Path

__all__ = ["sync_folder", "write_synced"]


def write_synced(path: Path, data: bytes, *, executable: bool = False) -> None:
    """Write a new file and wait until it is on the disk."""
    try:
        with path.open("wb") as stream:
            stream.write(data)
            stream.flush()
            if executable:
                # Who may read a script may run it.
                mode = os.fstat(stream.fileno()).st_mode
                os.fchmod(stream.fileno(), mode | (mode & 0o444) >> 2)
            os.fsync(stream.fileno())
    except OSError as error:
        # A full disk does not name the file.
        error.filename = error.filename or str(path)
        raise


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
