"""Contexts of the files that look after a run: how it begins, goes on and may end early."""

from typing import NamedTuple

__all__ = ["ResumeFile", "StoppingFile"]


class ResumeFile(NamedTuple):
    """Context of resume.py; `reward_files` is the literal of the files that decide on rewards.

    `asks_a_machine`: a server samples on another machine, which may be another the next time.
    """

    lora: bool
    reward_files: str | None
    asks_a_machine: bool


class StoppingFile(NamedTuple):
    """Context of stopping.py: which of its two callbacks a stage asks for."""

    until: bool
    stop_when: bool
