"""The scripts against Unsloth itself, on a machine without a GPU: `make unsloth` installs it.

Its kernels do not run here. What does: each call is bound to the signature of the classes for GPUs,
each script is imported, and each is trained by Unsloth's own backend for CPUs.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.unsloth.specs import METHODS, project, spec_of

ROOT = Path(__file__).parents[2]
PYTHON = Path(os.environ.get("UNSLOTH_PYTHON", ROOT / "build/unsloth/bin/python"))
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not PYTHON.exists(), reason="Unsloth is not installed: `make unsloth`"),
]
# Defaults that Unsloth changes and scripts leave to it: none is a part of the recipe.
LEFT = {
    "eval_accumulation_steps",
    "generation_kwargs",  # none, by either name
    "include_num_input_tokens_seen",  # off, by either name
    "padding_free",  # the same tokens in another layout
    "per_device_eval_batch_size",  # written where something is evaluated
    "router_aux_loss_coef",  # its forward pass of a mixture of experts has no such loss
    "torch_empty_cache_steps",
    "vllm_importance_sampling_correction",  # written beside vLLM
}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("projects")
    kinds = [(method, adapter) for method in METHODS for adapter in ("lora", "qlora", "dora", "")]
    specs = {
        f"{method}-{adapter or 'all'}": spec_of(method, adapter=adapter)
        for method, adapter in kinds
        if adapter or method not in ("dpo", "kto")  # refused: they need a second model
    }
    specs["grpo-vllm"] = spec_of("grpo", adapter="qlora", engine="vllm-colocate")
    return {name: project(folder / name, spec) for name, spec in specs.items()}


@pytest.fixture(scope="module")
def bound(projects: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    script = Path(__file__).with_name("bind_calls.py")
    done = subprocess.run(
        [PYTHON, script, *projects.values()],
        cwd=tmp_path_factory.mktemp("cache"),
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_every_call_binds_to_its_signature(
    projects: dict[str, Path], bound: dict[str, Any]
) -> None:
    assert bound["faults"] == []
    assert bound["bound"]["from_pretrained"] == len(projects)
    assert bound["bound"]["save_pretrained_merged"] == bound["bound"]["get_peft_model"]
    for method in METHODS:
        scripts = sum(name.startswith(f"{method}-") for name in projects)
        for kind in ("Config", "Trainer"):
            assert bound["bound"][f"{method.upper()}{kind}"] == scripts


def test_no_default_of_unsloth_changes_the_recipe(
    projects: dict[str, Path], bound: dict[str, Any]
) -> None:
    for method in METHODS:
        text = (projects[f"{method}-lora"] / "train_only.py").read_text("utf-8")
        changed = set(bound["defaults"][method.upper()])
        assert changed >= {"optim", "warmup_steps", "weight_decay"}
        assert [name for name in changed - LEFT if f" {name}=" not in text] == []


@pytest.mark.parametrize(
    "name", ["sft-qlora", "sft-all", "dpo-lora", "kto-lora", "grpo-dora", "rloo-lora"]
)
def test_the_smoke_test_trains_with_the_backend_for_cpus(
    projects: dict[str, Path], name: str
) -> None:
    done = subprocess.run(
        [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=projects[name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "its kernels for GPUs -> its backend for CPUs" in done.stdout
    assert not (projects[name] / "unsloth_compiled_cache").exists()
