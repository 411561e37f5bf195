"""`model.attention`: what reaches transformers, and what would end a run when it loads a model."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from transformers import Gemma3TextConfig, PreTrainedConfig, Qwen3Config

from compiler.memory import known_models
from tests.precision.test_old_gpus import LORA, config_of, on
from tests.projects import SPEC, write_project
from tests.test_mixes import said

FLASH, THIRD = "flash_attention_2", "flash_attention_3"


def with_attention(attention: str, tier: str = "24gb", base: str = "", model: str = LORA) -> str:
    return on(tier, model=f'{model}\nattention = "{attention}"', base=base)


@pytest.mark.parametrize(
    ("tier", "attention"),
    [("cpu", "eager"), ("t4", "sdpa"), ("24gb", FLASH), ("h100", THIRD), ("mi300x", FLASH)],
)
def test_the_attention_is_how_transformers_is_told_to_load(
    tier: str, attention: str, tmp_path: Path
) -> None:
    project = write_project(tmp_path / "project", with_attention(attention, tier))
    for stage in ("warmup", "reasoning"):
        kwargs = config_of(project / f"train_{stage}.py")["model_init_kwargs"]
        assert kwargs["attn_implementation"] == attention
    page = (project / "PLAN.md").read_text("utf-8")
    assert ("transformers[kernels]" in page) == attention.startswith("flash")


def test_a_spec_without_one_leaves_it_to_the_model(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", on("24gb", model=LORA))
    assert config_of(project / "train_warmup.py")["model_init_kwargs"] == {"dtype": "bfloat16"}


@pytest.mark.parametrize(
    ("tier", "attention", "base", "message"),
    [
        ("cpu", FLASH, "", "FlashAttention has no kernels for `cpu`"),
        ("t4", FLASH, "", "FlashAttention has no kernels for `t4`"),
        ("apple", FLASH, "", "FlashAttention has no kernels for `apple`"),
        ("80gb", THIRD, "", "which `80gb` need not be"),
        ("a100-80gb", THIRD, "", "`a100-80gb` is another GPU"),
        ("80gb", "sdpa", "openai/gpt-oss-20b", "has sinks"),
        ("80gb", FLASH, "openai/gpt-oss-20b", "has sinks"),
        ("24gb", "sdpa", "google/gemma-2-2b-it", "caps its scores"),
        ("24gb", FLASH, "google/gemma-3-4b-it", "transformers refuses it"),
        ("80gb", FLASH, "google/gemma-4-E4B-it", "transformers refuses it"),
    ],
)
def test_what_would_end_the_run_is_refused_with_a_way_out(
    tier: str, attention: str, base: str, message: str, tmp_path: Path
) -> None:
    found = said(tmp_path, with_attention(attention, tier, base))
    assert any(message in each for each in found), found


def test_heads_wider_than_the_kernels_are_seen_in_a_config(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    config = {**known_models()[0], "head_dim": 512}
    (tmp_path / "base" / "config.json").write_text(json.dumps(config))
    found = said(tmp_path, with_attention(FLASH, base="./base"))
    assert any("are 512 wide" in each for each in found), found


def test_unsloth_has_an_attention_of_its_own(tmp_path: Path) -> None:
    spec = with_attention("sdpa").replace("[data]", 'backend = "unsloth"\n[data]')
    found = said(tmp_path, spec)
    assert any("`attention` does not change it" in each for each in found), found


@pytest.mark.parametrize(
    ("loaded", "sdpa", "flash"),
    [
        ("Gemma2ForCausalLM", False, True),
        ("GptOssForCausalLM", False, True),
        ("Gemma3ForCausalLM", True, True),
        ("Gemma3ForConditionalGeneration", True, False),
        ("Gemma4ForConditionalGeneration", True, False),
    ],
)
def test_the_table_is_what_transformers_says_of_its_classes(
    loaded: str, sdpa: bool, flash: bool
) -> None:
    model = getattr(transformers, loaded)
    assert model._supports_flash_attn is flash  # noqa: SLF001 - it says so nowhere else
    if loaded != "Gemma4ForConditionalGeneration":  # which leaves that to its parts
        assert model._supports_sdpa is sdpa  # noqa: SLF001 - it says so nowhere else


@pytest.mark.parametrize("config", [Qwen3Config, Gemma3TextConfig])
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_packed_rows_do_not_see_each_other_without_flash_attention(
    config: type[PreTrainedConfig], attention: str
) -> None:
    """transformers masks them by their positions, which TRL hands over."""
    sizes: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 2, "head_dim": 16, "num_hidden_layers": 2, "vocab_size": 128}
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(
        config(**sizes), attn_implementation=attention
    ).train()
    first, second = torch.randint(3, 128, (1, 7)), torch.randint(3, 128, (1, 5))
    positions = torch.cat([torch.arange(7), torch.arange(5)])[None]
    packed = model(torch.cat([first, second], 1), position_ids=positions, use_cache=False)
    assert torch.allclose(packed.logits[0, 7:], model(second).logits[0], atol=1e-5)


def test_packed_rows_of_gated_delta_net_need_its_kernels(tmp_path: Path) -> None:
    packed = SPEC.replace('method = "sft"', 'method = "sft"\npacking = true')
    found = said(tmp_path, on("80gb", packed, base="Qwen/Qwen3.5-4B"))
    assert any("kept apart by `flash-linear-attention` alone" in each for each in found), found
    assert not any("kept apart" in each for each in said(tmp_path, on("80gb", packed)))
