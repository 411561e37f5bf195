"""The questions of `trainspec new`, asked by Copier; the answers make a spec with its files."""

import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, get_args

from compiler.closest import closest
from compiler.memory import device_of
from compiler.places import templates_folder
from spec_schema.hardware import Tier

__all__ = ["QUESTIONS", "BadAnswer", "draft", "read_answers"]

# As in `templates/new/copier.yml`, which a test compares.
QUESTIONS = ("task", "name", "tier", "base", "adapter", "own_reward")
_NAMELESS = "my-task"
# The models of a free licence that are suggested, and the memory in GiB that each wants with the
# recipe that is suggested: what the memory plan predicts for the longest rows, rounded up.
_BASES = (
    (106.0, "Qwen/Qwen2.5-32B-Instruct"),
    (55.0, "Qwen/Qwen2.5-14B-Instruct"),
    (27.0, "Qwen/Qwen2.5-7B-Instruct"),
    (9.0, "Qwen/Qwen2.5-1.5B-Instruct"),
    (0.0, "Qwen/Qwen2.5-0.5B-Instruct"),
)
_BASE_ON_A_CPU = "HuggingFaceTB/SmolLM2-135M-Instruct"


class BadAnswer(Exception):
    """An answer is wrong, or there is none; the message says which and why."""


def read_answers(path: Path) -> dict[str, Any]:
    """Read answers by the names of their questions from a TOML file.

    Raises `BadAnswer` where it cannot be read or answers what is not asked.
    """
    try:
        answers = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"`{path}` cannot be read: {(error.strerror or str(error)).lower()}"
        raise BadAnswer(message) from error
    except ValueError as error:
        message = f"`{path}` is no TOML: {error}"
        raise BadAnswer(message) from error
    for name in answers:
        if name not in QUESTIONS:
            near = closest(name, QUESTIONS)
            suggested = f"; did you mean `{near}`?" if near else ""
            message = f"`{path}` answers `{name}`, which is not asked{suggested}"
            raise BadAnswer(message)
    return answers


def draft(
    folder: Path, target: Path | None, answers: Mapping[str, Any], *, defaults: bool, ask: bool
) -> str:
    """Write the spec that the answers make, and the files that it names; give the project's name.

    `target` is the project's folder, whose name is suggested for it. What `answers` leave open is
    asked on the terminal, or with `defaults` answered as suggested. Without both, `ask` being
    False, `BadAnswer` names the open questions; it is raised for a wrong answer as well.
    """
    given = {**answers, **_suggested(target)}
    answered, hidden = _run_copier(folder, given, defaults=defaults or not ask)
    for name in answers:
        if name in hidden:
            message = f"`{name}` is not asked for this `task`"
            raise BadAnswer(message)
    unanswered = [name for name in QUESTIONS if name not in answers and name not in hidden]
    if unanswered and not (defaults or ask):
        names = ", ".join(f"`{name}`" for name in unanswered)
        message = (
            f"there is no terminal to ask on, and no answer to {names}; `--defaults` takes what is "
            "suggested, `--answers FILE` reads them from a file"
        )
        raise BadAnswer(message)
    return str(answered["name"])


def _run_copier(
    folder: Path, given: dict[str, Any], *, defaults: bool
) -> tuple[Mapping[str, Any], Collection[str]]:
    """Give the answers by name, and the names of questions that these make idle."""
    # Only this and overlays need it, and it takes longer to load than a check.
    import copier
    from copier.errors import CopierError

    template = str(templates_folder() / "new")
    # What its user has set up for other templates has no say here.
    settings = copier.Settings()
    try:
        worker = copier.run_copy(
            template, folder, given, settings=settings, defaults=defaults, quiet=True
        )
    except KeyboardInterrupt as error:  # Copier's own kind is one of its errors as well
        raise KeyboardInterrupt from error
    except (CopierError, ValueError) as error:
        raise BadAnswer(str(error)) from error
    return worker.answers.combined, worker.answers.hidden


def _suggested(target: Path | None) -> dict[str, Any]:
    """Give what the questions are made with."""
    tiers = get_args(Tier)
    return {
        "folder_name": _suggested_name(target),
        "tiers": list(tiers),
        "suggestions": {tier: _suggested_base(tier) for tier in tiers},
    }


def _suggested_base(tier: str) -> str:
    device = device_of(tier)
    if device is None:
        return _BASE_ON_A_CPU
    # The bases are weighed in 16 bits.
    usable = device.usable / 2 if device.precision == "float32" else device.usable
    return next(base for wanted, base in _BASES if wanted <= usable)


def _suggested_name(target: Path | None) -> str:
    if target is None:
        return _NAMELESS
    # A project's name is a distribution's name, which a folder's need not be.
    return re.sub(r"[^A-Za-z0-9._-]+", "-", target.absolute().name).strip("._-") or _NAMELESS
