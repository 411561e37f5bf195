"""Brings the commit of a repository into the cache, from which every later compile takes it."""

import hashlib
import os
import re
import secrets
import shutil
import subprocess
from pathlib import Path

from compiler.unsettled import Unreachable, Unsettled

__all__ = ["cached_commit", "fetch", "without_git_variables"]

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# What a hook of git sets for the repository that it runs in, which is not the overlay's.
_GIT_VARIABLES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS"),
    *("GIT_CONFIG_COUNT", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"),
)


def without_git_variables() -> dict[str, str]:
    """Give the environment without what binds git to another repository."""
    return {name: value for name, value in os.environ.items() if name not in _GIT_VARIABLES}


def cached_commit(url: str, commit: str | None) -> Path | None:
    """Give the folder with the files of a commit, where an earlier compile brought it here."""
    if commit is None or not _COMMIT.fullmatch(commit):
        return None
    place = _place(url) / commit
    return place if place.is_dir() else None


def fetch(url: str, ref: str | None) -> tuple[Path, str]:
    """Clone a repository and keep the files of `ref`; give their folder and the commit.

    `ref` is a branch, a tag or a commit; None for the main branch. Raises `Unreachable` where git
    cannot clone it, and `Unsettled` where it has no such `ref`.
    """
    place = _place(url)
    place.mkdir(parents=True, exist_ok=True)
    clone = place / f".{secrets.token_hex(4)}"
    try:
        _git(["clone", "--quiet", "--no-checkout", "--", url, str(clone)], place, url)
        commit = _resolved(clone, ref, url)
        _git(["checkout", "--quiet", "--detach", commit], clone, url)
        shutil.rmtree(clone / ".git")
        if not (place / commit).is_dir():
            clone.replace(place / commit)
        return place / commit, commit
    finally:
        # After the rename there is nothing of that name.
        shutil.rmtree(clone, ignore_errors=True)


def _place(url: str) -> Path:
    caches = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    return Path(caches) / "trainspec" / "overlays" / digest


def _resolved(clone: Path, ref: str | None, url: str) -> str:
    # A branch has its name only behind that of the remote: a clone makes just the main one.
    names = ["HEAD"] if ref is None else [f"refs/tags/{ref}", f"refs/remotes/origin/{ref}", ref]
    for name in names:
        done = _run(["rev-parse", "--quiet", "--verify", f"{name}^{{commit}}"], clone)
        if done.returncode == 0:
            return done.stdout.strip()
    what = f"no branch, tag or commit `{ref}`" if ref else "no commit"
    lines = (f"error: the overlay `{url}` has {what}", "nothing was written")
    raise Unsettled((*lines, "hint: write another `ref`, or push it there"))


def _git(arguments: list[str], folder: Path, url: str) -> None:
    done = _run(arguments, folder)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        reason = said[-1] if said else f"git ended with {done.returncode}"
        message = f"the overlay `{url}` cannot be fetched: {reason}"
        raise Unreachable(message)


def _run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # The files of a commit are the same for every user, whatever their settings of line ends.
    plain = ("-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c", "advice.detachedHead=false")
    try:
        return subprocess.run(
            ["git", *plain, *arguments],  # noqa: S607 - the git of the user's PATH is meant
            cwd=folder,
            env=without_git_variables(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        message = "the program `git`, which fetches overlays, is not there"
        raise Unreachable(message) from error
