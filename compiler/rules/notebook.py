"""`[project] notebook`: what a notebook needs that its reader does not have."""

from compiler.closest import shortened
from compiler.rules.case import Case

__all__ = ["notebook_stands_alone"]

_KEY = ("project", "notebook")


def notebook_stands_alone(case: Case) -> None:
    """A notebook finds no folder beside it, and one GPU, which its host must have."""
    if not case.spec.project.notebook:
        return
    # Few specs ask for one.
    from compiler.resolve.notebook import COLAB
    from compiler.resolve.paths import local_models

    hardware = case.spec.hardware
    for model in local_models(case.spec):
        message = f"a notebook is opened without the folder `{shortened(model)}` beside it"
        hint = "name a model of the hub, or leave `notebook` out"
        case.error("conflicting-keys", _KEY, message, hint)
    if hardware.gpus > 1:
        message = f"a notebook trains on one GPU, and the plan is for {hardware.gpus}"
        case.error("conflicting-keys", _KEY, message, "leave `gpus` out, or leave `notebook` out")
    elif hardware.tier != "cpu" and hardware.tier not in COLAB:
        message = f"hosts of notebooks lend no `{hardware.tier}`, and a T4 where it costs nothing"
        hint = 'write `tier = "t4"`, or open the notebook where there is such a GPU'
        case.warning("notebook-gpu", _KEY, message, hint)
