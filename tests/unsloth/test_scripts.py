"""What a training script says with `backend = "unsloth"`, beside what it says without."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unsloth.specs import METHODS, project, spec_of

# What a backend decides; all else is the recipe, and what is logged and saved.
MECHANICS = {
    "activation_checkpointing",
    "bf16",
    "fp16",
    "gradient_accumulation_steps",
    "model_init_kwargs",
    "optim",
    "per_device_train_batch_size",
}
# TRL's defaults, which Unsloth's script has to write out.
KEPT = {
    "epsilon_high": 0.2,
    "mask_truncated_completions": False,
    "warmup_steps": 0,
    "weight_decay": 0.0,
}


def script(folder: Path) -> ast.Module:
    return ast.parse((folder / "train_only.py").read_text("utf-8"))


def call(tree: ast.Module, ending: str) -> dict[str, Any]:
    """The keyword arguments of the one call of a function whose name ends so."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(ending)
    ]
    assert len(found) == 1, [ast.unparse(node) for node in found]
    return {keyword.arg or "**": _value(keyword.value) for keyword in found[0].keywords}


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


@pytest.mark.parametrize("adapter", ["lora", "qlora", ""])
@pytest.mark.parametrize("method", METHODS)
def test_the_recipe_is_that_of_trl(tmp_path: Path, method: str, adapter: str) -> None:
    if not adapter and method in ("dpo", "kto"):
        pytest.skip("refused: the reference would be a second model")
    config = f"{method.upper()}Config"
    engine = "transformers" if method in ("grpo", "rloo") else ""
    spec = spec_of(method, adapter=adapter, engine=engine)
    own = call(script(project(tmp_path / "own", spec)), config)
    spec = spec_of(method, adapter=adapter, engine=engine, backend="trl")
    plain = call(script(project(tmp_path / "plain", spec)), config)
    written = {name: value for name, value in own.items() if name not in MECHANICS}
    expected = {name: value for name, value in plain.items() if name not in MECHANICS}
    assert written == {name: KEPT[name] for name in written if name in KEPT} | expected


@pytest.mark.parametrize("method", METHODS)
def test_unsloth_is_imported_first_and_ruff_leaves_it_there(tmp_path: Path, method: str) -> None:
    folder = project(tmp_path / "sums", spec_of(method))
    before = (folder / "train_only.py").read_bytes()
    for command in (["check", "--fix", "--quiet"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, "."], cwd=folder, check=True)
    assert (folder / "train_only.py").read_bytes() == before
    imports = [
        node for node in script(folder).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert ast.unparse(imports[0]) == "from unsloth import FastLanguageModel"


@pytest.mark.parametrize(
    ("adapter", "expected"),
    [
        ("lora", {"load_in_4bit": False}),
        ("qlora", {"load_in_4bit": True}),
        ("dora", {"load_in_4bit": False}),
        (
            "",
            {"load_in_4bit": False, "full_finetuning": True, "float32_mixed_precision": True},
        ),
    ],
)
def test_the_adapter_decides_how_the_model_is_loaded(
    tmp_path: Path, adapter: str, expected: dict[str, Any]
) -> None:
    tree = script(project(tmp_path / "sums", spec_of("sft", adapter=adapter)))
    loading = {"model_name": "start", "max_seq_length": 1024} | expected
    assert call(tree, "Model.from_pretrained") == loading
    assert "peft_config" not in call(tree, "SFTTrainer")
    if not adapter:
        assert "get_peft_model" not in ast.unparse(tree)
        return
    given = call(tree, "get_peft_model")
    assert given["use_gradient_checkpointing"] == "unsloth"
    assert given["random_state"] == 42
    assert (given["r"], given["lora_alpha"]) == (16, 32)
    assert given.get("use_dora", False) == (adapter == "dora")


def test_a_prompt_and_its_completion_fit_into_the_model(tmp_path: Path) -> None:
    tree = script(project(tmp_path / "sums", spec_of("grpo", stage="max_completion_length = 300")))
    assert call(tree, "Model.from_pretrained")["max_seq_length"] == 512 + 300


def test_a_project_of_trl_has_no_trace_of_unsloth(tmp_path: Path) -> None:
    folder = project(tmp_path / "sums", spec_of("grpo", backend="trl"))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "task.toml"]
    assert not [path for path in files if "unsloth" in path.read_text("utf-8").lower()]


def test_what_the_user_writes_is_not_written_twice(tmp_path: Path) -> None:
    stage = "epsilon = 0.1\nmask_truncated_completions = true\n[stages.only.trainer]\n"
    stage += "warmup_steps = 5\nweight_decay = 0.1"
    given = call(script(project(tmp_path / "sums", spec_of("grpo", stage=stage))), "GRPOConfig")
    assert (given["warmup_steps"], given["weight_decay"]) == (5, 0.1)
    assert given["mask_truncated_completions"] is True
    assert given["epsilon_high"] == 0.1  # as TRL takes it from `epsilon`


def test_field_89_a_stage_starts_from_merged_weights(tmp_path: Path) -> None:
    """A second adapter is never put on a model that has one: Unsloth refuses that."""
    chain = spec_of("grpo").replace(
        "[stages.only]",
        '[stages.warmup]\nmethod = "sft"\nadapter = { kind = "lora", r = 32 }\n[stages.only]',
    )
    chain = chain.replace('name = "sums"', 'name = "sums"\nstages = ["warmup", "only"]')
    folder = project(tmp_path / "sums", chain)
    tree = script(folder)
    assert "start = result_of('warmup')" in ast.unparse(tree)
    assert call(tree, "Model.from_pretrained")["model_name"] == "start"
    saved = call(ast.parse((folder / "stages.py").read_text("utf-8")), "save_pretrained_merged")
    assert saved == {"save_method": "merged_16bit"}


def test_vllm_is_loaded_with_the_model_and_sleeps(tmp_path: Path) -> None:
    spec = spec_of("grpo", adapter="qlora", tier="t4", engine="vllm-colocate")
    folder = project(tmp_path / "sums", spec)
    tree = script(folder)
    loading = call(tree, "Model.from_pretrained")
    assert loading["fast_inference"] is True
    assert loading["max_lora_rank"] == 16
    assert loading["gpu_memory_utilization"] == 0.4
    given = call(tree, "GRPOConfig")
    assert given["use_vllm"] is True
    assert given["vllm_importance_sampling_correction"] is True, "the default of TRL"
    assert not given.keys() & {"vllm_mode", "vllm_gpu_memory_utilization", "vllm_enable_sleep_mode"}
    first = [ast.unparse(node) for node in tree.body[1:4]]
    assert first[0] == "import os"
    assert first[1] == "os.environ['UNSLOTH_VLLM_STANDBY'] = '1'"
    assert first[2] == "from unsloth import FastLanguageModel"
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "."], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_a_gpu_without_bfloat16_computes_in_float16(tmp_path: Path) -> None:
    given = call(script(project(tmp_path / "sums", spec_of("sft", tier="t4"))), "SFTConfig")
    assert given["fp16"] is True
    assert "bf16" not in given


def test_the_memory_of_a_long_context_is_that_of_unsloth(tmp_path: Path) -> None:
    """Its activations wait on the host, and a micro-batch is none the smaller for it."""
    spec = spec_of("sft", adapter="qlora", tier="16gb", stage="max_length = 20000")
    spec = spec.replace("Qwen2.5-0.5B", "Qwen2.5-7B")
    page = (project(tmp_path / "sums", spec) / "PLAN.md").read_text("utf-8")
    assert "it fits" in page
    assert "recomputed layer" in page
    assert "activations" not in page


@pytest.mark.parametrize(("base", "share"), [("Qwen2.5-0.5B", 0.2), ("Qwen2.5-7B", 0.5)])
def test_vllm_has_room_for_weights_of_4_bit_and_counts_them_once(
    tmp_path: Path, base: str, share: float
) -> None:
    """In 16 bits those of 7B would not fit on a T4 at all."""
    spec = spec_of("grpo", adapter="qlora", tier="t4", engine="vllm-colocate")
    spec = spec.replace(", share = 0.4", "").replace("Qwen2.5-0.5B", base)
    folder = project(tmp_path / "sums", spec)
    solved = call(script(folder), "Model.from_pretrained")["gpu_memory_utilization"]
    assert share - 0.05 <= solved <= share + 0.1
    assert "it fits" in (folder / "PLAN.md").read_text("utf-8")


def test_a_share_that_does_not_hold_the_weights_is_refused(tmp_path: Path) -> None:
    spec = spec_of("grpo", adapter="qlora", tier="t4", engine="vllm-colocate")
    spec = spec.replace("share = 0.4", "share = 0.3").replace("Qwen2.5-0.5B", "Qwen2.5-7B")
    with pytest.raises(AssertionError, match=r"share = 0\.3.*does not hold.*which take 0\.5"):
        project(tmp_path / "sums", spec)
