"""Which files a project has, and the context and pieces of each."""

import json
from pathlib import PurePosixPath

from compiler.pieces import with_needs
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.plan.texts import GitignoreFile, PyprojectFile, WorkflowFile
from compiler.resolve.answers import math_files, plan_answers
from compiler.resolve.generated import generated_pieces
from compiler.resolve.inputs import Inputs
from compiler.resolve.launch import plan_launch
from compiler.resolve.life import plan_life
from compiler.resolve.mathematics import MATH_PACKAGE, uses_math
from compiler.resolve.mixes.files import plan_weights
from compiler.resolve.prompts import plan_prompts, prompt_pieces
from compiler.resolve.rewards import packages_of, plan_rewards
from compiler.resolve.rewards.code import confined_files
from compiler.resolve.rewards.model import plan_asking
from compiler.resolve.rows import plan_rows
from compiler.resolve.sources import reader_pieces
from compiler.resolve.stages_file import plan_stages_file
from compiler.resolve.starts import uses_unsloth
from compiler.resolve.tokens import token_files
from compiler.resolve.version_set import packages_of_machine, packages_of_project
from compiler.resolve.watching import plan_watching

__all__ = ["module_names", "plan_modules", "plan_texts"]

# The packages of the trackers, from the versions on that were tried.
TRACKERS = {
    "tensorboard": "tensorboard>=2.20",
    "trackio": "trackio>=0.43,<1",
    "wandb": "wandb>=0.31,<1",
}


def plan_modules(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The project's Python files."""
    spec = inputs.spec
    rows, row_pieces = plan_rows(inputs)
    provided: dict[str, str] = {}
    answers: list[PlannedFile] = []
    if spec.answer is not None and spec.data.gold is not None:
        context, pieces = plan_answers(spec, spec.answer)
        graders = math_files(spec.answer)
        own = {PurePosixPath(file.path).stem: PurePosixPath(file.path).stem for file in graders}
        answers = [PlannedFile("answers.py", "answers.py.jinja", context, pieces, own), *graders]
        provided = dict.fromkeys(with_needs(pieces), "answers")
    prompts = _prompts(inputs)
    provided |= {piece: "prompts" for file in prompts for piece in with_needs(file.pieces)}
    files = [
        *prompts,
        PlannedFile("data.py", "data.py.jinja", rows, row_pieces, provided),
        PlannedFile("stages.py", "stages.py.jinja", plan_stages_file(inputs)),
        *plan_life(inputs),
        *token_files(inputs),
    ]
    files += _sources(inputs)
    provided |= dict.fromkeys(generated_pieces(spec), "generated")
    files += answers
    if spec.rewards:
        rewards, pieces = plan_rewards(inputs)
        running = confined_files(spec)
        asking = plan_asking(spec)
        provided = provided | dict(running[0].provided) if running else provided
        own = {PurePosixPath(file.path).stem: PurePosixPath(file.path).stem for file in asking}
        provided |= own
        files.append(PlannedFile("rewards.py", "rewards.py.jinja", rewards, pieces, provided))
        files += [*running, *asking]
        files += plan_weights(inputs, rewards)
    files += plan_watching(inputs, stages)
    files += [
        PlannedFile(f"train_{stage.name}.py", _script_template(stage), stage) for stage in stages
    ]
    return tuple(files)


def _script_template(stage: StagePlan) -> str:
    folder = "" if stage.unsloth is None else "unsloth/"
    return f"{folder}train_{stage.method}.py.jinja"


def _sources(inputs: Inputs) -> tuple[PlannedFile, ...]:
    """The files that read rows, and that make them."""
    spec = inputs.spec
    pieces = {"readers.py": reader_pieces(spec), "generated.py": generated_pieces(spec)}
    return tuple(
        PlannedFile(path, f"{path}.jinja", None, needed)
        for path, needed in pieces.items()
        if needed
    )


def _prompts(inputs: Inputs) -> tuple[PlannedFile, ...]:
    """prompts.py, where something makes the prompt of a row."""
    context = plan_prompts(inputs)
    if context is None:
        return ()
    return (PlannedFile("prompts.py", "prompts.py.jinja", context, prompt_pieces(inputs)),)


def plan_texts(
    inputs: Inputs, stages: tuple[StagePlan, ...], modules: tuple[str, ...]
) -> tuple[PlannedFile, ...]:
    """The project's files of other kinds, but for its two pages."""
    spec = inputs.spec
    ignored = GitignoreFile(spec.hardware.launcher == "slurm", uses_unsloth(spec))
    files = [
        PlannedFile("pyproject.toml", "pyproject.toml.jinja", _pyproject(inputs, modules)),
        *plan_launch(inputs, stages),
        PlannedFile("report.css", "report.css.jinja", None),
        PlannedFile(".gitignore", "gitignore.jinja", ignored),
    ]
    if spec.project.ci == "github":
        tested = inputs.stack.packages
        pins = tuple(f"{name}=={tested[name].tested}" for name in packages_of_project(inputs))
        workflow = PlannedFile(".github/workflows/ci.yml", "ci.yml.jinja", WorkflowFile(pins))
        files.append(workflow)
    return tuple(files)


def _pyproject(inputs: Inputs, modules: tuple[str, ...]) -> PyprojectFile:
    spec = inputs.spec
    versions = inputs.stack.versions
    requirements = [versions[name] for name in packages_of_project(inputs)]
    requirements.append("packaging>=24")  # with which versions.py reads the others
    if spec.run.tracker in TRACKERS:
        requirements.append(TRACKERS[spec.run.tracker])
    machine = packages_of_machine(inputs)
    requirements += [versions[name] for name in machine if name != "vllm"]
    requirements += packages_of(spec)
    if uses_math(spec.answer):
        requirements.append(MATH_PACKAGE)
    return PyprojectFile(
        name=_toml_text(spec.project.name.lower()),
        description=_toml_text(spec.project.description),
        python=inputs.stack.python,
        dependencies=tuple(requirements),
        vllm=versions["vllm"] if "vllm" in machine else None,
        modules=tuple(map(_toml_text, modules)),
        unsloth=uses_unsloth(spec),
    )


def module_names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The import names of the project's own Python files, the user's among them."""
    return tuple(sorted(PurePosixPath(path).stem for path in paths if path.endswith(".py")))


def _toml_text(text: str) -> str:
    """A basic TOML string; JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
