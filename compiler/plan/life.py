"""Contexts of the files that look after a run: how it goes on and how it may end early."""

from typing import NamedTuple

__all__ = ["ResumeFile"]


class ResumeFile(NamedTuple):
    """Context of resume.py; `reward_files` is the literal of the files that decide on rewards."""

    lora: bool
    reward_files: str | None
