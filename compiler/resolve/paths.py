"""The paths in a project's folder: files that the spec names, and files that a compile writes."""

from pathlib import PurePosixPath

from compiler.chat.named import NAMED, WRITTEN, is_file
from compiler.resolve.asking import asking_files
from compiler.resolve.chat import sets_up_tokens
from compiler.resolve.generated import generated_pieces
from compiler.resolve.graded import is_probed
from compiler.resolve.incompatible import engine_asked
from compiler.resolve.inputs import Inputs
from compiler.resolve.mathematics import MATH_FILES, uses_math
from compiler.resolve.methods import METHODS
from compiler.resolve.mixes import some_move
from compiler.resolve.own_data import (
    builds_prompts,
    compares_held_out,
    format_of,
    learns_answers,
    sources_of,
)
from compiler.resolve.solutions import running_files
from compiler.resolve.stage_endings import gated, stopped, timed
from spec_schema import TaskSpec
from spec_schema.data import HubSource, PathSource, PythonSource
from spec_schema.prompt import TextFile
from spec_schema.stages.rollout import RolloutStage

__all__ = ["local_models", "material_files", "named_files", "written_files"]

ALWAYS = (
    *("README.md", "PLAN.md", "pyproject.toml", "run.sh", ".gitignore"),
    *("data.py", "stages.py", "resume.py", "versions.py", "findings.py", "template_report.py"),
    *("tests/conftest.py", "tests/tiny_model.py", "tests/test_smoke.py", "tests/checks.py"),
    *("report.py", "charts.py", "report.css", "monitor.py", "alarms.py"),
)


def local_models(spec: TaskSpec) -> tuple[str, ...]:
    """The folders of models that the spec names, relative to its folder; they may lie outside."""
    named = [spec.model.base, *(stage.model for stage in spec.stages.values())]
    named += [reward.model for reward in spec.rewards.values() if reward.kind == "reward_model"]
    return tuple(model for model in named if model and model.startswith(("./", "../", "/")))


def named_files(inputs: Inputs) -> tuple[str, ...]:
    """The files that the spec names, relative to its folder."""
    others = (*_shared_file(inputs.spec), *_overlay_folder(inputs.spec))
    return tuple(dict.fromkeys((*others, *material_files(inputs))))


def material_files(inputs: Inputs) -> tuple[str, ...]:
    """Those of them that decide what is learnt: rows, texts, and code of the user's own."""
    spec = inputs.spec
    paths: list[str] = []
    for _, source in sources_of(spec):
        match source:
            case PathSource(path=path):
                paths.append(path)
            case PythonSource(python=python):
                paths.append(python.partition(":")[0])
            case _:
                pass
    paths += _prompt_files(spec)
    if spec.answer is not None and not isinstance(spec.answer.extract, str):
        paths.append(spec.answer.extract.python.partition(":")[0])
    if spec.answer is not None and not isinstance(spec.answer.compare, str):
        paths.append(spec.answer.compare.python.partition(":")[0])
    for reward in spec.rewards.values():
        if reward.kind == "python":
            paths.append(reward.function.partition(":")[0])
        elif reward.kind == "json_schema" and not isinstance(reward.schema_, dict):
            paths.append(reward.schema_.file)
    paths += [reward.database for reward in spec.rewards.values() if reward.kind == "sql"]
    return tuple(dict.fromkeys(paths))


def _prompt_files(spec: TaskSpec) -> tuple[str, ...]:
    """The chat template and the system prompt, where they are files."""
    own, system = spec.model.chat_template, spec.prompt.system
    template = (own,) if own is not None and is_file(own) else ()
    return (*template, *((system.file,) if isinstance(system, TextFile) else ()))


def _shared_file(spec: TaskSpec) -> tuple[str, ...]:
    """The house file, where it lies in the spec's folder."""
    name = spec.project.extends
    if name is None or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        return ()
    return (name,)


def _overlay_folder(spec: TaskSpec) -> tuple[str, ...]:
    """The folder of the overlay, where it lies in the spec's folder."""
    overlay = spec.project.overlay
    if overlay is None or not overlay.source.startswith("./"):
        return ()
    path = PurePosixPath(overlay.source)
    return () if ".." in path.parts else (str(path),)


def written_files(inputs: Inputs) -> frozenset[str]:
    """The files that a compile writes; a test holds them against what is planned."""
    spec = inputs.spec
    samples = any(isinstance(stage, RolloutStage) for stage in spec.stages.values())
    has_answers = spec.answer is not None and spec.data.gold is not None
    sometimes = {
        **_row_files(spec),
        "answers.py": has_answers,
        "tokens.py": sets_up_tokens(spec),
        WRITTEN: spec.model.chat_template in NAMED,
        **dict.fromkeys(MATH_FILES, has_answers and uses_math(spec.answer)),
        **dict.fromkeys(running_files(spec), True),
        **dict.fromkeys(asking_files(spec), True),
        "rewards.py": bool(spec.rewards),
        "probes.py": is_probed(inputs),
        **dict.fromkeys(("schedules.py", "weights.py"), some_move(spec)),
        "gate.py": any(gated(spec, name) for name in spec.stages),
        "stopping.py": any(timed(spec, name) or stopped(spec, name) for name in spec.stages),
        "rescore.py": samples,
        "samples.py": samples,
        "export.py": any(METHODS[stage.method].trains_policy for stage in spec.stages.values()),
        "scores.py": spec.data.eval is not None,
        "completion_tables.py": _writes_completions(spec),
        "tracking.py": spec.run.tracker == "wandb",
        **_evaluation_files(spec),
        "grading.py": spec.data.eval is not None and (has_answers or bool(spec.rewards)),
        **_test_files(spec),
        "notebook.ipynb": spec.project.notebook,
        ".github/workflows/ci.yml": spec.project.ci == "github",
        **_launch_files(spec, samples=samples),
    }
    return frozenset(
        {
            *ALWAYS,
            *(f"train_{name}.py" for name in inputs.stage_names),
            *(path for path, is_written in sometimes.items() if is_written),
        }
    )


def _launch_files(spec: TaskSpec, *, samples: bool) -> dict[str, bool]:
    """The files that start the stages beside run.sh."""
    ended = any(gated(spec, name) or stopped(spec, name) for name in spec.stages)
    return {
        "accelerate.yaml": spec.hardware.gpus > 1,
        "launch.py": spec.hardware.gpus > 1 and ended,
        "serve.sh": samples and engine_asked(spec) == "vllm-server",
        "slurm.sh": spec.hardware.launcher == "slurm",
        "sky.yaml": spec.hardware.launcher == "skypilot",
    }


def _test_files(spec: TaskSpec) -> dict[str, bool]:
    """The files of tests that only some projects have, but for those of rows."""
    return {
        "tests/test_rewards.py": bool(spec.rewards),
        "tests/stand_ins.py": bool(asking_files(spec)),
        "tests/crafted.py": any(isinstance(stage, RolloutStage) for stage in spec.stages.values()),
        "tests/unsloth_on_cpu.py": spec.hardware.backend == "unsloth",
    }


def _evaluation_files(spec: TaskSpec) -> dict[str, bool]:
    """The files that score models on held-out rows, but for those of rewards."""
    sampled = spec.data.eval is not None
    methods = {stage.method for name, stage in spec.stages.items() if compares_held_out(spec, name)}
    return {
        **dict.fromkeys(("evaluate.py", "estimates.py", "tables.py"), sampled or bool(methods)),
        "sampling.py": sampled or any(gated(spec, name) for name in spec.stages),
        "preferences.py": bool(methods),
        "models.py": sampled or bool(methods - {"reward"}),
        "reward_models.py": "reward" in methods or "reward_models.py" in asking_files(spec),
    }


def _row_files(spec: TaskSpec) -> dict[str, bool]:
    """The files that read, make or check rows, and whether each is written."""
    sources = tuple(source for _, source in sources_of(spec))
    read = (source for source in sources if isinstance(source, PathSource))
    has_own = any(stage.data is not None for stage in spec.stages.values())
    shared = spec.data.train is not None
    return {
        "prompts.py": builds_prompts(spec),
        "data_report.py": shared,
        "stage_report.py": any(format_of(spec, name) for name in spec.stages),
        "answer_report.py": any(learns_answers(spec, name) for name in spec.stages),
        "readers.py": any(not source.path.lower().endswith(".parquet") for source in read),
        "generated.py": bool(generated_pieces(spec)),
        "tests/test_data.py": shared,
        "tests/test_stage_rows.py": has_own,
        "tests/made_rows.py": any(isinstance(source, HubSource) for source in sources),
    }


def _writes_completions(spec: TaskSpec) -> bool:
    """Whether completions are logged of a trainer that leaves no tables of its own."""
    rloo = any(stage.method == "rloo" for stage in spec.stages.values())
    return rloo and spec.run.log_completions_every is not None
