"""GPUs without bfloat16, and Apple's: what their scripts compute in, and that it works there."""

import ast
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from transformers import PreTrainedModel, Trainer

from compiler.memory import known_models
from tests.chains.test_methods import ANSWERS, PAIRS, ROWS, STEPS
from tests.chains.training import CHAIN, smoke_test, write_chain
from tests.memory.test_planning import outlined
from tests.projects import SPEC, load, write_project

FROM_BASE = 'from = "base"\n'
STAGES = f"""
[stages.judge]
method = "reward"
{STEPS}{FROM_BASE}{ANSWERS}
[stages.lead]
method = "rloo"
num_generations = 4
max_completion_length = 8
{STEPS}{FROM_BASE}
[stages.prefer]
method = "dpo"
{STEPS}{FROM_BASE}{ANSWERS}
[stages.mark]
method = "kto"
{STEPS}{FROM_BASE}{ROWS.format('completion = "good", label = "liked"')}
"""
ORDER = ["warmup", "judge", "lead", "prefer", "mark", "reasoning"]
QLORA = '[model]\nadapter = { kind = "qlora" }'
LORA = '[model]\nadapter = { kind = "lora" }'


def on(tier: str, spec: str = SPEC, model: str = "[model]", base: str = "") -> str:
    spec = spec.replace('tier = "cpu"', f'tier = "{tier}"').replace("[model]", model)
    return spec.replace("Qwen/Qwen2.5-0.5B-Instruct", base) if base else spec


def config_of(script: Path) -> dict[str, Any]:
    """The literal keyword arguments of a script's config."""
    calls = {
        node.func.id: {
            keyword.arg or "": ast.literal_eval(keyword.value)
            for keyword in node.keywords
            if isinstance(keyword.value, (ast.Constant, ast.Dict))
        }
        for node in ast.walk(ast.parse(script.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return next(call for name, call in calls.items() if name in ("SFTConfig", "GRPOConfig"))


@pytest.mark.parametrize("tier", ["t4", "v100", "v100-32gb", "rtx-2080-ti"])
def test_field_80_a_gpu_without_bfloat16_computes_in_float16(tier: str, tmp_path: Path) -> None:
    """Trained weights stay float32, which the scaler of float16 gradients asks for."""
    lora = write_project(tmp_path / "lora", on(tier, model=LORA))
    full = write_project(tmp_path / "full", on(tier))
    for stage in ("warmup", "reasoning"):
        found = config_of(lora / f"train_{stage}.py")
        assert (found["model_init_kwargs"], found["fp16"]) == ({"dtype": "float16"}, True)
        found = config_of(full / f"train_{stage}.py")
        assert (found["model_init_kwargs"], found["fp16"]) == ({"dtype": "float32"}, True)
        assert "bf16" not in found
        assert "parameter.data" not in (lora / f"train_{stage}.py").read_text("utf-8")
    assert 'DTYPE = "float16"' in (lora / "export.py").read_text("utf-8")


@pytest.mark.heavy
def test_field_80_the_smoke_test_of_a_t4_passes_on_a_cpu(tmp_path: Path) -> None:
    project = write_chain(tmp_path / "project", on("t4", CHAIN, QLORA))
    result = smoke_test(project)
    assert result.returncode == 0, result.stdout


@pytest.mark.heavy
def test_what_trl_makes_bfloat16_is_float32_again_before_any_method_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TRL's own cast is run: every model says of itself that it was loaded in 4 bit."""
    spec = on("t4", CHAIN, QLORA).replace('["warmup", "reasoning"]', json.dumps(ORDER)) + STAGES
    spec = spec.replace("[stages.reasoning]", f"[stages.reasoning]\n{FROM_BASE}")
    project = write_chain(tmp_path / "project", spec, pairs__jsonl=PAIRS)
    monkeypatch.setattr(PreTrainedModel, "is_loaded_in_4bit", True, raising=False)
    for stage in ORDER:
        script = load(project, f"train_{stage}")
        on_the_cpu(script, monkeypatch)
        trainer = script.build_trainer()
        assert trainable(trainer) == {"torch.bfloat16"}, stage
        monkeypatch.setattr(script, "build_trainer", lambda trainer=trainer: trainer)
        trained: list[Trainer] = []
        monkeypatch.setattr(
            script, "train", lambda given, *_, trained=trained: trained.append(given)
        )
        monkeypatch.setattr(script, "save_result", lambda *_: None)
        script.main()
        assert trained == [trainer]
        assert trainable(trainer) == {"torch.float32"}, stage


def on_the_cpu(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a CPU cannot do: weights of 4 bit, and a scaler of float16."""
    monkeypatch.setattr(script, "BitsAndBytesConfig", lambda **_: None)
    name = next(
        name
        for name in vars(script)
        if name.endswith("Config") and name not in ("LoraConfig", "BitsAndBytesConfig")
    )
    config = getattr(script, name)
    cpu = {"use_cpu": True, "fp16": False, "bf16": False}
    monkeypatch.setattr(script, name, lambda **given: config(**{**given, **cpu}))


def trainable(trainer: Trainer) -> set[str]:
    """The dtypes of what is trained."""
    assert trainer.model is not None
    return {str(each.dtype) for each in trainer.model.parameters() if each.requires_grad}


@pytest.mark.parametrize(
    "base", ["google/gemma-3-1b-it", "google/gemma-2-2b-it", "zai-org/GLM-4-9B"]
)
def test_a_model_that_leaves_the_range_of_float16_is_computed_in_float32(
    base: str, tmp_path: Path
) -> None:
    project = write_project(tmp_path / "project", on("t4", model=QLORA, base=base))
    script = project / "train_warmup.py"
    assert config_of(script)["model_init_kwargs"] == {"dtype": "float32"}
    assert config_of(script)["bf16"] is False
    text = script.read_text("utf-8")
    assert 'bnb_4bit_compute_dtype="float32"' in text
    assert "the model leaves the range of float16" in text
    assert "fp16" not in text


def test_what_a_config_beside_the_spec_says_tells_the_range_as_a_name_does(tmp_path: Path) -> None:
    config = next(each for each in known_models() if "gemma-3-1b" in each["names"])
    (tmp_path / "project" / "base").mkdir(parents=True)
    (tmp_path / "project" / "base" / "config.json").write_text(json.dumps(config))
    project = write_project(tmp_path / "project", on("t4", model=LORA, base="./base"))
    assert config_of(project / "train_warmup.py")["model_init_kwargs"] == {"dtype": "float32"}


def test_an_apple_chip_computes_in_float32_on_its_own_device(tmp_path: Path) -> None:
    spec = on("apple", model=LORA).replace(
        'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 0.5 }'
    )
    project = write_project(tmp_path / "project", spec)
    found = config_of(project / "train_warmup.py")
    assert found["model_init_kwargs"] == {"dtype": "float32"}
    assert found["bf16"] is False
    assert "use_cpu" not in found
    assert 'device_map="mps"' in (project / "models.py").read_text("utf-8")
    assert 'DEVICE = "mps"' in (project / "export.py").read_text("utf-8")


def test_float32_throughout_needs_more_than_16_bits_of_the_same_model(tmp_path: Path) -> None:
    found: list[dict[str, int]] = []
    for tier in ("t4", "16gb"):
        outline, _ = outlined(tmp_path, on(tier, model=LORA, base="google/gemma-3-1b-it"))
        assert outline is not None
        memory = outline.stages[0].memory
        assert memory is not None
        found.append({**dict(memory.parts), "peak": memory.peak})
    old, new = found
    assert old["weights"] == pytest.approx(2 * new["weights"])
    assert old["adapter"] == new["adapter"]
    assert old["peak"] > 1.5 * new["peak"]
