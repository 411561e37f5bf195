"""The paths in a project's folder: files that the spec names, and files that a compile writes."""

from compiler.resolve.inputs import Inputs
from spec_schema.data import HubSource, PathSource, PythonSource
from spec_schema.prompt import TextFile
from spec_schema.rewards import PythonReward

__all__ = ["named_files", "written_files"]

ALWAYS = (
    *("README.md", "PLAN.md", "pyproject.toml", "run.sh", ".gitignore"),
    *("prompts.py", "data.py", "stages.py", "data_report.py"),
    *("tests/conftest.py", "tests/tiny_model.py", "tests/test_smoke.py", "tests/checks.py"),
    "tests/test_data.py",
)


def named_files(inputs: Inputs) -> tuple[str, ...]:
    """The files that the spec names, relative to its folder."""
    spec = inputs.spec
    paths: list[str] = []
    for source in (spec.data.train, spec.data.eval):
        match source:
            case PathSource(path=path):
                paths.append(path)
            case PythonSource(python=python):
                paths.append(python.partition(":")[0])
            case _:
                pass
    if isinstance(spec.prompt.system, TextFile):
        paths.append(spec.prompt.system.file)
    paths += [
        reward.function.partition(":")[0]
        for reward in spec.rewards.values()
        if isinstance(reward, PythonReward)
    ]
    return tuple(dict.fromkeys(paths))


def written_files(inputs: Inputs) -> frozenset[str]:
    """The files that a compile writes; a test holds them against what is planned."""
    spec = inputs.spec
    methods = {stage.method for stage in spec.stages.values()}
    sources = (spec.data.train, spec.data.eval)
    read = (source for source in sources if isinstance(source, PathSource))
    has_answers = spec.answer is not None and spec.data.gold is not None
    sometimes = {
        "readers.py": any(not source.path.lower().endswith(".parquet") for source in read),
        "answers.py": has_answers,
        "rewards.py": bool(spec.rewards),
        "evaluate.py": spec.data.eval is not None,
        "tests/test_rewards.py": bool(spec.rewards),
        "tests/crafted.py": "grpo" in methods,
        "tests/made_rows.py": any(isinstance(source, HubSource) for source in sources),
        ".github/workflows/ci.yml": spec.project.ci == "github",
    }
    return frozenset(
        {
            *ALWAYS,
            *(f"train_{name}.py" for name in inputs.stage_names),
            *(path for path, is_written in sometimes.items() if is_written),
        }
    )
