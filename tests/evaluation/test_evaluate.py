"""`python evaluate.py` on tiny models: tables, the JSON file, exit codes, and no network."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.projects import SPEC, write_project

EVALUATED = (
    SPEC.replace(
        'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 4 }'
    ).replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model")
    + "[eval]\nsamples = 2\nmax_completion_length = 8\n"
)
NO_SOCKETS = """
import socket

def refuse(self, address):
    raise AssertionError(f"{address} is asked")

socket.socket.connect = refuse
"""
TINY = (
    "import pathlib, tiny_model; tiny_model.write_tiny_model(pathlib.Path('tiny-model'), ['1+1?'])"
)


def run(project: Path, *command: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the project, where no connection can be opened."""
    blocked = project / "blocked"
    blocked.mkdir(exist_ok=True)
    (blocked / "sitecustomize.py").write_text(NO_SOCKETS)
    variables = {"HF_HUB_OFFLINE": "1", "PYTHONPATH": f"{blocked}{os.pathsep}{project / path}"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def with_models(folder: Path, spec: str, *stages: str) -> Path:
    """A project whose base and stages are one tiny model."""
    project = write_project(folder, spec)
    made = run(project, "-c", TINY, path="tests")
    assert made.returncode == 0, made.stderr
    for stage in stages:
        shutil.copytree(project / "tiny-model", project / "outputs" / stage / "model")
    return project


def report_of(project: Path, name: str = "evaluation.json") -> dict[str, Any]:
    return json.loads((project / "outputs" / name).read_text(encoding="utf-8"))


@pytest.mark.heavy
def test_field_185_models_are_scored_offline_and_held_against_the_minimum(tmp_path: Path) -> None:
    spec = f"{EVALUATED}minimum = {{ correct = 0.5 }}\n"
    project = with_models(tmp_path / "project", spec, "warmup", "reasoning")
    done = run(project, "evaluate.py")
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith("reasoning: correct is 0.0, below the minimum of 0.5\n")
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
    assert "reasoning: not there yet" in whole.stderr
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
