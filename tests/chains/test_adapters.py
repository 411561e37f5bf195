"""The adapter of each stage: what its script says of it, and what the plan makes of it."""

import ast
import re
from pathlib import Path

import pytest

from tests.chains.training import CHAIN, smoke_test, write_chain
from tests.projects import SPEC, write_project


def mixed(warmup: str, reasoning: str, tier: str = "24gb") -> str:
    """The usual spec with these adapters of its stages."""
    spec = SPEC.replace('tier = "cpu"', f'tier = "{tier}"')
    spec = spec.replace("[stages.warmup]", f"[stages.warmup]\nadapter = {{ {warmup} }}")
    return spec.replace("[stages.reasoning]", f"[stages.reasoning]\nadapter = {{ {reasoning} }}")


def arguments_of(script: Path, function: str) -> dict[str, object]:
    """The literal keyword arguments of the one call of a function."""
    calls = [
        node
        for node in ast.walk(ast.parse(script.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == function
    ]
    (call,) = calls
    return {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}


def test_a_dora_adapter_decomposes_the_weights(tmp_path: Path) -> None:
    spec = mixed('kind = "dora", r = 8', 'kind = "lora", use_rslora = true')
    project = write_project(tmp_path / "project", spec)
    warmup = arguments_of(project / "train_warmup.py", "LoraConfig")
    assert (warmup["use_dora"], warmup["r"]) == (True, 8)
    reasoning = arguments_of(project / "train_reasoning.py", "LoraConfig")
    assert reasoning["use_rslora"] is True
    assert "use_dora" not in reasoning


def test_a_qlora_adapter_is_trained_beside_4_bit_weights(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", mixed('kind = "qlora"', 'kind = "qlora"'))
    for stage in ("warmup", "reasoning"):
        assert arguments_of(project / f"train_{stage}.py", "BitsAndBytesConfig") == {
            "load_in_4bit": True,
            "bnb_4bit_quant_type": "nf4",
            "bnb_4bit_use_double_quant": True,
            "bnb_4bit_compute_dtype": "bfloat16",
        }
    assert "BitsAndBytesConfig(" in (project / "export.py").read_text()
    assert "4bit" not in (project / "stages.py").read_text()  # merged into the start as it is
    assert '"bitsandbytes' in (project / "pyproject.toml").read_text()


def test_a_stage_may_train_all_weights_beside_adapters(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", mixed('kind = "none"', 'kind = "lora"'))
    warmup = (project / "train_warmup.py").read_text()
    assert "LoraConfig" not in warmup
    assert 'model_init_kwargs={"dtype": "float32"}' in warmup
    assert "learning_rate=2e-5" in warmup
    reasoning = (project / "train_reasoning.py").read_text()
    assert 'model_init_kwargs={"dtype": "bfloat16"}' in reasoning
    assert "learning_rate=1e-5" in reasoning


def test_4_bit_weights_are_what_the_memory_plan_counts(tmp_path: Path) -> None:
    pages = []
    for kind in ("lora", "qlora"):
        project = write_project(tmp_path / kind, mixed(f'kind = "{kind}"', f'kind = "{kind}"'))
        text = (project / "PLAN.md").read_text()
        pages.append(
            [float(size) for size in re.findall(r"^weights +([\d.]+) GiB", text, re.MULTILINE)]
        )
    assert len(pages[0]) == len(pages[1]) == 2
    for whole, quantized in zip(*pages, strict=True):
        assert quantized < 0.75 * whole  # the embeddings keep 16 bit


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("warmup", "reasoning", "tier"),
    [
        ('kind = "qlora"', 'kind = "dora"', "24gb"),
        ('kind = "none"', 'kind = "lora", use_rslora = true', "cpu"),
        ('kind = "dora"', 'kind = "none"', "cpu"),
    ],
)
def test_chains_of_any_adapters_hand_over_and_export(
    warmup: str, reasoning: str, tier: str, tmp_path: Path
) -> None:
    """The smoke test says of each stage that it starts where the one before ended."""
    spec = mixed(warmup, reasoning, tier)
    project = write_chain(tmp_path / "project", spec)
    done = smoke_test(project)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


@pytest.mark.heavy
def test_a_stage_may_start_from_a_model_of_its_own(tmp_path: Path) -> None:
    spec = CHAIN.replace("[stages.reasoning]", '[stages.reasoning]\nmodel = "./tiny-model"')
    spec = spec.replace("[model]", '[model]\nadapter = { kind = "lora" }')
    project = write_chain(tmp_path / "project", spec)
    script = (project / "train_reasoning.py").read_text()
    assert 'MODEL = str(HERE / "./tiny-model")' in script
    assert "start = MODEL" in script
    done = smoke_test(project)
    assert done.returncode == 0, done.stdout
