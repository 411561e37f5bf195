"""Contexts of the files that look after a run: how it begins, goes on and may end early."""

from typing import NamedTuple

__all__ = ["ResumeFile", "StoppingFile"]


class ResumeFile(NamedTuple):
    """Context of resume.py; `reward_files` is the literal of the files that decide on rewards."""

    lora: bool
    reward_files: str | None


class StoppingFile(NamedTuple):
    """Context of stopping.py: which of its two callbacks a stage asks for."""

    until: bool
    stop_when: bool
