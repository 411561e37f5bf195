"""What a project says of its engine, what it installs for it, and that its tests do without."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from compiler.smoke import run_smoke
from tests.projects import load, write_project
from tests.rollout.specs import sampling_spec
from tests.rollout.test_arguments import COLOCATE, SERVER, with_end

PLAIN = 'engine = "transformers"'


def written(folder: Path, text: str, *names: str) -> list[str]:
    project = write_project(folder, text)
    return [(project / name).read_text() if (project / name).exists() else "" for name in names]


def test_vllm_is_an_extra_that_the_readme_asks_for_where_training_runs(tmp_path: Path) -> None:
    text = sampling_spec(COLOCATE)
    pyproject, readme, plan = written(
        tmp_path / "vllm", text, "pyproject.toml", "README.md", "PLAN.md"
    )
    project = tomllib.loads(pyproject)["project"]
    assert not [each for each in project["dependencies"] if each.startswith("vllm")]
    assert [each for each in project["optional-dependencies"]["vllm"] if "vllm" in each]
    assert '`pip install ".[vllm]"`' in readme
    assert "serve.sh" not in readme
    assert "`reasoning` samples with vLLM beside the trainer, in 40% of a GPU's memory" in plan


def test_a_project_without_vllm_has_no_trace_of_it(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", sampling_spec(PLAIN))
    # versions.py looks at a vLLM that is installed all the same, since TRL imports it.
    aside = ("task.toml", "test_smoke.py", "versions.py")
    named = {
        path.name
        for path in project.rglob("*")
        if path.is_file() and path.name not in aside
        if "vllm" in path.read_text(encoding="utf-8").lower()
    }
    assert named == set()


def test_the_page_of_a_server_names_its_script_and_its_gpus(tmp_path: Path) -> None:
    text = sampling_spec(SERVER, tier="80gb", hardware="gpus = 6")
    readme, plan = written(tmp_path / "project", text, "README.md", "PLAN.md")
    assert "`serve.sh` starts it on GPUs of its own" in readme
    assert "bash serve.sh reasoning " in " ".join(readme.split())
    assert "`reasoning` samples with vLLM on 2 GPUs of its own, 90% of their memory" in plan


@pytest.mark.parametrize(
    ("tier", "adapter", "why"),
    [
        ("24gb", "qlora", "the 4-bit weights of `qlora`"),
        ("v100", "lora", "its wheels have no kernels for `v100`"),
    ],
)
def test_the_plan_says_why_vllm_is_not_taken(
    tmp_path: Path, tier: str, adapter: str, why: str
) -> None:
    (plan,) = written(tmp_path / "project", sampling_spec(tier=tier, adapter=adapter), "PLAN.md")
    assert "`reasoning` samples with transformers, not with vLLM: " in plan
    assert why in plan


# A model whose training leaves too little beside it for vLLM to stay awake.
LARGE = sampling_spec('engine = "vllm-colocate"', tier="32gb").replace("2.5-0.5B", "2.5-7B")


def test_memory_grows_in_place_where_vllm_and_the_trainer_take_turns(tmp_path: Path) -> None:
    run, plan = written(tmp_path / "turns", LARGE, "run.sh", "PLAN.md")
    assert "expandable_segments:True" in run
    assert "which it gives back while the stage trains" in plan
    (run,) = written(tmp_path / "apart", sampling_spec(COLOCATE), "run.sh")
    assert "expandable_segments" not in run


def test_a_run_goes_on_in_another_share_of_the_memory(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", LARGE)
    may_differ = load(project, "resume").MAY_DIFFER
    tree = ast.parse((project / "train_reasoning.py").read_text())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = {each.arg or "" for call in calls for each in call.keywords}
    free = {name for name in names if name.startswith(may_differ)}
    machine = {"vllm_gpu_memory_utilization", "vllm_enable_sleep_mode", "vllm_max_model_length"}
    assert machine <= free
    assert not {"use_vllm", "vllm_mode", "vllm_importance_sampling_mode"} & free


@pytest.mark.heavy
def test_the_smoke_test_samples_with_transformers_and_needs_no_vllm(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", with_end(sampling_spec(COLOCATE)))
    result = run_smoke(project, Path(sys.executable), print)
    assert result.passed, result.output
    assert "use_vllm True -> False" in result.output
    assert "generation_kwargs" in result.output
