"""Which files a project has, and the context and pieces of each."""

import json
from pathlib import PurePosixPath

from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.plan.texts import PyprojectFile, RunFile
from compiler.resolve.answers import plan_answers
from compiler.resolve.inputs import Inputs
from compiler.resolve.prompts import plan_prompts
from compiler.resolve.rewards import plan_rewards
from compiler.resolve.rows import plan_rows, reader_pieces
from compiler.resolve.stages import plan_stages_file
from spec_schema.model import LoraAdapter

__all__ = ["module_names", "plan_modules", "plan_texts"]


def plan_modules(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The project's Python files."""
    spec = inputs.spec
    rows, row_pieces = plan_rows(inputs)
    files = [
        PlannedFile("prompts.py", "prompts.py.jinja", plan_prompts(inputs)),
        PlannedFile("data.py", "data.py.jinja", rows, row_pieces),
        PlannedFile("stages.py", "stages.py.jinja", plan_stages_file(inputs)),
    ]
    if readers := reader_pieces(inputs):
        files.append(PlannedFile("readers.py", "readers.py.jinja", None, readers))
    provided: dict[str, str] = {}
    if spec.answer is not None and spec.data.gold is not None:
        answers, pieces = plan_answers(spec.answer)
        files.append(PlannedFile("answers.py", "answers.py.jinja", answers, pieces))
        provided = dict.fromkeys(pieces, "answers")
    if spec.rewards:
        rewards, pieces = plan_rewards(inputs)
        files.append(PlannedFile("rewards.py", "rewards.py.jinja", rewards, pieces, provided))
    files += [
        PlannedFile(f"train_{stage.name}.py", f"train_{stage.method}.py.jinja", stage)
        for stage in stages
    ]
    return tuple(files)


def plan_texts(
    inputs: Inputs, stages: tuple[StagePlan, ...], modules: tuple[str, ...]
) -> tuple[PlannedFile, ...]:
    """The project's files of other kinds, but for its two pages."""
    spec = inputs.spec
    run = RunFile(
        stages=tuple(stage.name for stage in stages),
        gpu=spec.hardware.tier != "cpu",
        evaluates=spec.data.eval is not None,
    )
    files = [
        PlannedFile("pyproject.toml", "pyproject.toml.jinja", _pyproject(inputs, stages, modules)),
        PlannedFile("run.sh", "run.sh.jinja", run),
        PlannedFile(".gitignore", "gitignore.jinja", None),
    ]
    if spec.project.ci == "github":
        files.append(PlannedFile(".github/workflows/ci.yml", "ci.yml.jinja", None))
    return tuple(files)


def _pyproject(
    inputs: Inputs, stages: tuple[StagePlan, ...], modules: tuple[str, ...]
) -> PyprojectFile:
    spec = inputs.spec
    versions = inputs.stack.versions
    packages = ["trl", "transformers", "datasets", "torch"]
    if isinstance(spec.model.adapter, LoraAdapter):
        packages.append("peft")
    requirements = [versions[name] for name in packages]
    if any(stage.value("report_to") == "tensorboard" for stage in stages):
        requirements.append("tensorboard>=2.20")
    return PyprojectFile(
        name=_toml_text(spec.project.name.lower()),
        description=_toml_text(spec.project.description),
        python=inputs.stack.python,
        dependencies=tuple(requirements),
        modules=tuple(map(_toml_text, modules)),
    )


def module_names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The import names of the project's own Python files, the user's among them."""
    return tuple(sorted(PurePosixPath(path).stem for path in paths if path.endswith(".py")))


def _toml_text(text: str) -> str:
    """A basic TOML string; JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
