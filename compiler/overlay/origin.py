"""What the source of an overlay means: a folder, or a repository that git clones."""

import re

__all__ = ["is_folder", "repository_url"]

_HOSTS = {"gh": "https://github.com", "gl": "https://gitlab.com"}
_SHORT = re.compile(r"(gh|gl):/?([\w.-]+(?:/[\w.-]+)+?)(?:\.git)?/?", re.ASCII)
# Only these: git has transports that run a command.
_URL = re.compile(
    r"(?:https?|ssh|git|file)://[^\s-]\S*|[\w.][\w.-]*@[\w.][\w.-]*:[^\s-]\S*", re.ASCII
)


def is_folder(source: str) -> bool:
    """Whether the source is a path, and not a repository's name or URL."""
    return source.startswith(("./", "../", "/")) or source in (".", "..")


def repository_url(source: str) -> str | None:
    """Give the URL that git clones, with `gh:` and `gl:` written out; None where it is none."""
    if short := _SHORT.fullmatch(source):
        return f"{_HOSTS[short[1]]}/{short[2]}.git"
    return source if _URL.fullmatch(source) else None
