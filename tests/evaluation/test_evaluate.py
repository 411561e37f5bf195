"""`python evaluate.py` on tiny models: tables, the JSON file, exit codes, and no network."""

import shutil
from pathlib import Path

import pytest

from tests.evaluation.projects import TINY, report_of, run
from tests.projects import SPEC, write_project

EVALUATED = (
    SPEC.replace(
        'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 4 }'
    ).replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model")
    + "[eval]\nsamples = 2\nmax_completion_length = 8\n"
)


def with_models(folder: Path, spec: str, *stages: str) -> Path:
    """A project whose base and stages are one tiny model."""
    project = write_project(folder, spec)
    made = run(project, "-c", TINY, path="tests")
    assert made.returncode == 0, made.stderr
    for stage in stages:
        shutil.copytree(project / "tiny-model", project / "outputs" / stage / "model")
    return project


@pytest.mark.heavy
def test_field_185_models_are_scored_offline_and_held_against_the_minimum(tmp_path: Path) -> None:
    spec = f"{EVALUATED}minimum = {{ correct = 0.5 }}\n"
    project = with_models(tmp_path / "project", spec, "warmup", "reasoning")
    done = run(project, "evaluate.py")
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith("reasoning: correct is 0, and the minimum is 0.5\n")
    assert max(map(len, done.stdout.partition("written to")[0].splitlines())) <= 100
    report = report_of(project)
    assert (report["version"], report["sampling"]["max_new_tokens"]) == (1, 8)
    assert list(report["models"]) == ["base", "warmup", "reasoning"]
    for result in report["models"].values():
        assert result["rows"] == 4
        assert result["pass_at"]["1"]["low"] == 0
        assert 0.2 < result["pass_at"]["2"]["high"] < 1
        assert result["tokens"]["longest"] <= 8
        assert 0 <= result["truncated"]["mean"] <= 1
        assert len(result["examples"]) == 3
    same = report["models"]["reasoning"]["against"]["warmup"]["measures"]["pass@1"]
    assert (same["better"], same["worse"], same["alike"], same["p"]) == (0, 0, 4, 1.0)


@pytest.mark.heavy
def test_a_part_is_looked_at_without_a_verdict(tmp_path: Path) -> None:
    spec = f"{EVALUATED}minimum = {{ correct = 0.5 }}\n"
    project = with_models(tmp_path / "project", spec, "warmup")
    part = run(project, "evaluate.py", "--stage", "warmup", "--rows", "2")
    assert part.returncode == 0, part.stderr
    models = report_of(project, "evaluation-part.json")["models"]
    assert list(models) == ["warmup"]
    assert (models["warmup"]["rows"], models["warmup"]["against"]) == (2, {})
    assert not (project / "outputs" / "evaluation.json").exists()
    whole = run(project, "evaluate.py")
    assert whole.returncode == 1
    assert whole.stderr.endswith("correct is not known, and the minimum is 0.5\n")
    assert list(report_of(project)["models"]) == ["base", "warmup"]


@pytest.mark.heavy
def test_what_has_no_score_has_lengths(tmp_path: Path) -> None:
    start, end = EVALUATED.index("[answer]"), EVALUATED.index("[stages.warmup]")
    spec = EVALUATED[:start] + EVALUATED[end:]
    spec = spec.replace(', "reasoning"', "").replace('gold = { column = "answer" }\n', "")
    spec = spec[: spec.index("[stages.reasoning]")] + spec[spec.index("[eval]") :]
    project = with_models(tmp_path / "project", spec)
    done = run(project, "evaluate.py")
    assert done.returncode == 0, done.stderr
    base = report_of(project)["models"]["base"]
    assert set(base) == {"rows", "tokens", "truncated", "examples"}
    assert not (project / "grading.py").exists()
