"""The context of serve.sh."""

from typing import NamedTuple

__all__ = ["ServeFile", "ServedStage"]


class ServedStage(NamedTuple):
    """A stage that a server samples for; `model` is a word of shell.

    `served` are the GPUs of the server, `longest` the tokens of a prompt with its completion.
    """

    name: str
    model: str
    served: int
    longest: int


class ServeFile(NamedTuple):
    """Context of serve.sh.

    `devices` are the numbers of all `gpus` of a machine, `listens` is the address that the server
    listens at where others ask it, `revision` is a word of shell or None, `patience` the
    seconds that a server has to start.
    """

    stages: tuple[ServedStage, ...]
    gpus: int
    devices: str
    host: str
    listens: str
    port: int
    share: str
    dtype: str
    seed: int
    revision: str | None
    patience: int
