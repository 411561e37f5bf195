"""Contexts of the files that look after a run: how it begins, goes on and may end early."""

from typing import NamedTuple

__all__ = ["GateFile", "ResumeFile", "StoppingFile", "VersionsFile"]


class VersionsFile(NamedTuple):
    """Context of versions.py; `vllm`: a stage samples with it.

    `beside` is the literal of what is required of other packages only where they are installed.
    """

    vllm: bool
    beside: str | None


class ResumeFile(NamedTuple):
    """Context of resume.py; `reward_files` is the literal of the files that decide on rewards.

    `vllm`: a stage samples with it, and may do so elsewhere the next time.
    `distributed`: several processes train.
    """

    lora: bool
    vllm: bool
    reward_files: str | None
    distributed: bool = False

    @property
    def say(self) -> str:
        """What prints a line, once for all processes of a machine."""
        return "trainer.accelerator.print" if self.distributed else "print"


class GateFile(NamedTuple):
    """Context of gate.py; `distributed`: several processes train.

    `vllm`: a stage samples with it, whose trainer has no other config.
    """

    vllm: bool
    distributed: bool

    @property
    def say(self) -> str:
        """What prints a line, once for all processes of a machine."""
        return "self.trainer.accelerator.print" if self.distributed else "print"


class StoppingFile(NamedTuple):
    """Context of stopping.py: which of its two callbacks a stage asks for.

    `distributed`: several processes train.
    """

    until: bool
    stop_when: bool
    distributed: bool = False
