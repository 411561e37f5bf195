"""Three stages, each with a mix of its own: imitate, learn the layout, then learn to be right."""

from pathlib import Path

import pytest

from tests.chains.training import smoke_test
from tests.projects import load, write_project

SPEC = (Path(__file__).parent / "curriculum" / "task.toml").read_text(encoding="utf-8")


def test_correctness_is_logged_before_it_is_paid(tmp_path: Path) -> None:
    mixes = load(write_project(tmp_path / "project", SPEC), "rewards").MIXES
    paid = {
        stage: {reward.__name__: weight for reward, weight in mix.items()}
        for stage, mix in mixes.items()
    }
    assert paid == {
        "layout": {"well_formed": 1.0, "xml_tags": 1.0, "correct": 0.0},
        "reasoning": {"correct": 2.0, "well_formed": 0.5},
    }


def test_only_the_last_stage_has_a_gate_and_a_reference(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", SPEC)
    scripts = {name: (project / f"train_{name}.py").read_text() for name in ("layout", "reasoning")}
    assert "beta=0.0," in scripts["layout"]
    assert "beta=0.02," in scripts["reasoning"]
    assert "gate" not in scripts["layout"]
    assert "gate" in scripts["reasoning"]


@pytest.mark.heavy
def test_the_stages_train_on_made_rows(tmp_path: Path) -> None:
    done = smoke_test(write_project(tmp_path / "project", SPEC))
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout
