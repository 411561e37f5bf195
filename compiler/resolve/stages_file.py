"""What the stages of a project share: its base model, its adapters, what decides its runs."""

from compiler.literals import literal, text_literal
from compiler.plan.modules import AdapterUse, StagesFile
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.paths import material_files, written_files
from compiler.resolve.processes import is_distributed
from compiler.resolve.starts import adapter_of, uses_unsloth
from compiler.resolve.version_set import packages_of_project

__all__ = ["plan_stages_file"]

# What decides a run beside the training script, of which run.json keeps the digests.
SOURCES = (
    *(
        "prompts.py",
        "tokens.py",
        "chat_template.jinja",
        "data.py",
        "readers.py",
        "generated.py",
        "answers.py",
        "rewards.py",
    ),
    *("schedules.py", "weights.py", "reward_models.py", "judges.py"),
)


def plan_stages_file(inputs: Inputs) -> StagesFile:
    """The context of stages.py."""
    spec = inputs.spec
    base = spec.model.base
    local = base.startswith(("./", "../", "/"))
    written = written_files(inputs)
    sources = [path for path in SOURCES if path in written]
    sources += material_files(inputs)
    adapters = _adapter_use(inputs)
    unsloth = ("unsloth",) if uses_unsloth(spec) else ()
    return StagesFile(
        base=f"str(HERE / {text_literal(base)})" if local else text_literal(base),
        revision=None if spec.model.revision is None else text_literal(spec.model.revision),
        sources=literal(tuple(sources)),
        packages=literal((*packages_of_project(inputs), *unsloth)),
        adapters=adapters,
        distributed=is_distributed(inputs),
    )


def _adapter_use(inputs: Inputs) -> AdapterUse:
    spec = inputs.spec
    stages = [
        name for name in inputs.stage_names if METHODS[spec.stages[name].method].trains_policy
    ]
    last = None if not stages else adapter_of(spec, stages[-1])
    unsloth = uses_unsloth(spec)
    adapted = [name for name in spec.stages if adapter_of(spec, name) is not None]
    return AdapterUse(
        any=bool(adapted),
        all=len(adapted) == len(spec.stages),
        classifies=any(spec.stages[name].method == "reward" for name in adapted),
        unsloth=unsloth and bool(adapted),
        exported=last is not None,
    )
