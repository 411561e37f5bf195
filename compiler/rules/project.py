"""`[project]`: its name is free, and its stack is known."""

import re

from compiler.closest import closest, quoted_list, shortened
from compiler.rules.case import Case
from compiler.stack import STACKS

__all__ = ["name_is_free", "stack_is_known"]

# What a project is installed with: pip could not tell the project from what it depends on.
INSTALLED = {
    *("accelerate", "datasets", "huggingface-hub", "numpy", "pandas", "peft", "pyarrow", "pytest"),
    *("ruff", "safetensors", "tensorboard", "tokenizers", "torch", "transformers", "trl"),
}


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
    if stack is not None and stack not in STACKS:
        meant = closest(stack, STACKS)
        hint = f"did you mean `{meant}`?" if meant else f"it has {quoted_list(STACKS, 'and')}"
        message = f"there is no stack `{shortened(stack)}` in this trainspec"
        case.error("bad-value", ("project", "stack"), message, hint)
