"""Which version set's packages are installed, of those that decide on the fields and the losses."""

from importlib import metadata

from compiler.stack import Stack, Variant, load_stack

__all__ = ["DECIDING", "VARIANTS", "differing", "installed_set"]

VARIANTS: tuple[Variant, ...] = ("plain", "vllm", "unsloth")
DECIDING = ("trl", "transformers", "peft", "accelerate")


def differing(stack: Stack) -> str | None:
    """Name the first package that is missing, or installed in another release than the tested."""
    for name in DECIDING:
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            return f"{name} is not installed"
        if installed != stack.packages[name].tested:
            return f"{name} is {installed}, not {stack.packages[name].tested}"
    return None


def installed_set() -> Stack | None:
    """Give the version set that is installed, but for vLLM and Unsloth; None where none is."""
    stacks = (load_stack(variant=variant) for variant in VARIANTS)
    return next((stack for stack in stacks if differing(stack) is None), None)
