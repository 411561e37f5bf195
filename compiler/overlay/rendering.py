"""Renders the template of an overlay with a plan, by Copier, in a folder of its own."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from compiler.manifest import plain_text
from compiler.overlay.fetching import without_git_variables
from compiler.unsettled import Unsettled

__all__ = ["Rendered", "render"]


class Rendered(NamedTuple):
    """The texts that an overlay writes, by their paths, and the paths that it may replace."""

    files: Mapping[str, str]
    replaces: frozenset[str]


def render(template: Path, plan: Mapping[str, Any], source: str, *, trust: bool) -> Rendered:
    """Render the template in a folder with `plan`; its questions are answered by their defaults.

    `source` is what messages call it. Without `trust`, a template that runs commands or loads
    extensions is refused. Raises `Unsettled` for that and for what is wrong with the template.
    """
    with tempfile.TemporaryDirectory(prefix="trainspec-") as place:
        copied, target = Path(place) / "template", Path(place) / "files"
        # Copier would take the newest tag of a repository instead of the files that are there.
        shutil.copytree(template, copied, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        answers_file, replaces = _run_copier(copied, target, plan, source, trust=trust)
        files = dict(_texts(target, source))
    # It names the folder where the template lay, which is on no other machine.
    files.pop(answers_file, None)
    return Rendered(files, frozenset(replaces))


def _run_copier(
    template: Path, target: Path, plan: Mapping[str, Any], source: str, *, trust: bool
) -> tuple[str, list[str]]:
    with _outside_of_any_repository():
        # Only this and `new` need it, and it takes longer to load than a check.
        import copier
        from copier.errors import CopierError, UnsafeTemplateError
        from jinja2 import TemplateError

        try:
            worker = copier.run_copy(
                str(template),
                target,
                {"plan": plan},
                # What its user has set up or trusts elsewhere has no say here.
                settings=copier.Settings(),
                defaults=True,
                quiet=True,
                unsafe=trust,
            )
            answers_file = worker.answers_relpath.as_posix()
        except UnsafeTemplateError as error:
            raise _untrusted(source) from error
        except subprocess.CalledProcessError as error:
            raise _wrong(source, f"its task `{error.cmd}` ended with {error.returncode}") from error
        except (CopierError, TemplateError, ValueError) as error:
            reason = f"{str(error).strip() or type(error).__name__}"
            raise _wrong(source, reason.splitlines()[0]) from error
    return answers_file, _replaced(worker.answers.combined.get("replace", []), source)


def _replaced(value: object, source: str) -> list[str]:
    paths = cast("list[object]", value) if isinstance(value, list) else [None]
    if not all(isinstance(path, str) for path in paths):
        raise _wrong(source, "`replace` in its copier.yml is no list of paths")
    return [str(path) for path in paths]


def _texts(folder: Path, source: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or not path.is_file():
            raise _wrong(source, f"`{name}` is no regular file")
        text = plain_text(path.read_bytes())
        if text is None:
            raise _wrong(source, f"`{name}` is not UTF-8; only texts can be merged")
        yield name, text


@contextlib.contextmanager
def _outside_of_any_repository() -> Generator[None]:
    """Take from the environment what a hook of git has put there: Copier asks git as well."""
    before = dict(os.environ)
    for name in before.keys() - without_git_variables().keys():
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(before)


def _untrusted(source: str) -> Unsettled:
    return Unsettled(
        (
            f"error: the overlay `{source}` runs commands, or loads extensions of Jinja",
            "nothing was written",
            "hint: read its copier.yml; `--trust` lets it",
        )
    )


def _wrong(source: str, reason: str) -> Unsettled:
    return Unsettled(
        (f"error: the overlay `{source}` cannot be used: {reason}", "nothing was written")
    )
