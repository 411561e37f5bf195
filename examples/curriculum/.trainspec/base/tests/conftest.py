"""Every test runs offline and on the CPU, whatever this machine has."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

# Set before torch and transformers are imported, which read them once.
os.environ.update(
    CUDA_VISIBLE_DEVICES="",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HUB_OFFLINE="1",
    TOKENIZERS_PARALLELISM="false",
)


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Refuse each connection that leaves this machine."""
    connect = socket.socket.connect

    def connect_locally(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
            raise AssertionError(f"a test tried to reach {address[0]}: tests run offline")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_locally)
        yield
