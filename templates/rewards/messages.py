"""Send JSON through a pipe, message by message.

Runs inside a confined process, on the standard library alone.
"""

import json
import os
from typing import Any

LONGEST_MESSAGE = 16 * 2**20


class Gone(BaseException):
    """The other process has ended, or does not keep to the form of messages.

    No `Exception`, so that a test that expects one does not take it for that.
    """


def read_message(place: int) -> Any:
    """One message from a pipe, and not a byte of the next; raises Gone."""
    length = int.from_bytes(read_exactly(place, 4), "big")
    if length > LONGEST_MESSAGE:
        raise Gone(f"a value of {length} bytes is too large")
    try:
        return json.loads(read_exactly(place, length))
    except (ValueError, RecursionError) as error:
        raise Gone("a message is not readable") from error


def read_exactly(place: int, length: int) -> bytes:
    """So many bytes from a pipe; raises Gone where it ends before."""
    found = bytearray()
    while len(found) < length:
        part = os.read(place, min(length - len(found), 2**16))
        if not part:
            raise Gone("the process ended")
        found += part
    return bytes(found)


def write_message(place: int, message: object) -> None:
    """Write one message to a pipe; raises Gone where nobody reads it any more."""
    content = json.dumps(message).encode()
    left = memoryview(len(content).to_bytes(4, "big") + content)
    while left:
        try:
            left = left[os.write(place, left) :]
        except BrokenPipeError as error:
            raise Gone("the process ended") from error
