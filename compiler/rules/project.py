"""`[project]`: its name is free, its stack is known, and its overlay can be found."""

import re

from compiler.closest import closest, quoted_list, shortened
from compiler.rules.case import Case
from compiler.stack import known_stacks

__all__ = ["name_is_free", "overlay_has_a_source", "stack_is_known"]

# What a project is installed with: pip could not tell the project from what it depends on.
INSTALLED = {
    *("accelerate", "datasets", "huggingface-hub", "numpy", "pandas", "peft", "pyarrow", "pytest"),
    *("ruff", "safetensors", "tensorboard", "tokenizers", "torch", "transformers", "trl"),
}

_SOURCE = ("project", "overlay", "source")


def name_is_free(case: Case) -> None:
    """The project is not called like a package that it needs."""
    name = re.sub(r"[-_.]+", "-", case.spec.project.name).lower()
    if name in INSTALLED:
        case.error(
            "reserved-name",
            ("project", "name"),
            f"a project cannot be called `{case.spec.project.name}`: it needs the package `{name}`",
            f"call it by its task, such as `{name}-sums`",
        )


def stack_is_known(case: Case) -> None:
    """`[project] stack` is a version set that this trainspec has."""
    stack = case.spec.project.stack
    if stack is not None and stack not in known_stacks():
        meant = closest(stack, known_stacks())
        known = quoted_list(known_stacks(), "and")
        hint = f"did you mean `{meant}`?" if meant else f"it has {known}"
        message = f"there is no stack `{shortened(stack)}` in this trainspec"
        case.error("unknown-stack", ("project", "stack"), message, hint)


def overlay_has_a_source(case: Case) -> None:
    """The source names a repository, or a folder that is there and is not the project's own."""
    overlay = case.spec.project.overlay
    if overlay is None:
        return
    from compiler.overlay.origin import is_folder, repository_url  # few specs have one

    source, shown = overlay.source, shortened(overlay.source)
    if not is_folder(source):
        if repository_url(source) is None:
            hint = f"write `gh:acme/overlay`, or `./{shown.lstrip('./~')}` where it is a folder"
            message = f"`{shown}` is neither a repository nor the path of a folder"
            case.error("bad-value", _SOURCE, message, hint)
        return
    folder = case.folder / source
    try:
        is_there, is_a_folder = folder.exists(), folder.is_dir()
        holds_project = case.folder.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        is_there = is_a_folder = holds_project = False
    if not is_there:
        message = f"there is no folder `{shown}`"
        case.error("file-not-found", _SOURCE, message, "paths are relative to the spec's folder")
    elif not is_a_folder:
        message = f"`{shown}` is no folder"
        case.error("bad-value", _SOURCE, message, "name the folder with the copier.yml")
    elif holds_project:
        message = f"the folder `{shown}` holds the project that it would write into"
        case.error("bad-value", _SOURCE, message, "move the template to a folder of its own")
