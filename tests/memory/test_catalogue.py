"""What is known of GPUs and of models."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from compiler.hub_cache import model_folder
from compiler.memory import (
    DEVICES,
    LINEARS,
    Adapter,
    Job,
    architecture_of,
    device_of,
    from_config,
    known_models,
    larger_classes,
)
from compiler.memory.devices import MEMORY_CLASSES
from compiler.memory.persistent import lasting
from compiler.resolve.batch import SEQUENCES
from spec_schema.hardware import Tier

HERE = Path(__file__).parent

# Text decoders of checkpoints that see images too, and mixtures: parameters, as transformers 5.24
# builds them, and the blocks that keep keys and values.
UNUSUAL = {
    "Qwen/Qwen3.5-0.8B": (752_393_024, 6),
    "Qwen/Qwen3.5-2B": (1_881_825_088, 6),
    "Qwen/Qwen3.5-4B": (4_205_751_296, 8),
    "Qwen/Qwen3.5-9B": (8_953_803_264, 8),
    "Qwen/Qwen3.6-27B": (26_895_998_464, 16),
    "Qwen/Qwen3.6-35B-A3B": (34_660_610_688, 10),
    "openai/gpt-oss-20b": (20_914_757_184, 24),
    "openai/gpt-oss-120b": (116_829_156_672, 36),
    "google/gemma-4-E4B-it": (7_463_013_376, 24),
}
# Parameters of the published checkpoints; a LoRA adapter of rank 16 on all linear layers, in
# millions; KiB of keys and values for a token in bfloat16.
PUBLISHED = {
    "Qwen/Qwen2.5-0.5B-Instruct": (494_032_768, 8.8, 12),
    "Qwen/Qwen2.5-1.5B": (1_543_714_304, 18.5, 28),
    "Qwen/Qwen2.5-3B": (3_085_938_688, 29.9, 36),
    "Qwen/Qwen2.5-7B": (7_615_616_512, 40.4, 56),
    "Qwen/Qwen2.5-14B": (14_770_033_664, 68.8, 192),
    "Qwen/Qwen2.5-32B": (32_763_876_352, 134.2, 256),
    "Qwen/Qwen2.5-72B": (72_706_203_648, 210.5, 320),
    "Qwen/Qwen3-0.6B": (596_049_920, 10.1, 112),
    "Qwen/Qwen3-1.7B": (1_720_574_976, 17.4, 112),
    "Qwen/Qwen3-4B-Instruct-2507": (4_022_468_096, 33.0, 144),
    "Qwen/Qwen3-8B": (8_190_735_360, 43.6, 144),
    "Qwen/Qwen3-14B": (14_768_307_200, 64.2, 160),
    "Qwen/Qwen3-32B": (32_762_123_264, 134.2, 256),
    "Qwen/Qwen3-30B-A3B": (30_532_122_624, 13.4, 96),
    "Qwen/Qwen3-235B-A22B": (235_093_634_560, 50.8, 188),
    "meta-llama/Llama-3.2-1B": (1_235_814_400, 11.3, 32),
    "meta-llama/Llama-3.2-3B-Instruct": (3_212_749_824, 24.3, 112),
    "meta-llama/Llama-3.1-8B": (8_030_261_248, 41.9, 128),
    "meta-llama/Llama-3.3-70B-Instruct": (70_553_706_496, 207.1, 320),
    "google/gemma-3-270m": (268_098_176, 3.8, 18),
    "google/gemma-3-1b-it": (999_885_952, 13.0, 26),
    "google/gemma-3-4b-it": (3_880_263_168, 29.8, 136),
    "google/gemma-3-12b-it": (11_766_034_176, 65.5, 384),
    "google/gemma-3-27b-it": (27_009_346_304, 113.5, 496),
    "HuggingFaceTB/SmolLM2-135M": (134_515_008, 4.9, 22),
    "HuggingFaceTB/SmolLM2-360M-Instruct": (361_821_120, 8.7, 40),
    "HuggingFaceTB/SmolLM2-1.7B": (1_711_376_384, 18.1, 192),
    "HuggingFaceTB/SmolLM3-3B": (3_075_098_624, 30.2, 72),
    "microsoft/phi-4": (14_659_507_200, 65.5, 200),
    "microsoft/Phi-4-mini-instruct": (3_836_021_760, 27.8, 128),
    "mistralai/Mistral-7B-Instruct-v0.3": (7_248_023_552, 41.9, 128),
    "mistralai/Mistral-Nemo-Instruct-2407": (12_247_782_400, 57.0, 160),
    "mistralai/Mistral-Small-24B-Instruct-2501": (23_572_403_200, 92.4, 160),
}


@pytest.mark.parametrize("base", PUBLISHED)
def test_the_parameters_of_a_model_are_those_of_its_checkpoint(base: str) -> None:
    parameters, adapter, cache = PUBLISHED[base]
    shape = architecture_of(base, HERE)
    assert shape is not None
    assert not shape.assumed
    assert shape.parameters == parameters
    assert shape.adapter(16, frozenset(LINEARS)) / 1e6 == pytest.approx(adapter, abs=0.06)
    assert 4 * shape.layers * shape.keys / 1024 == pytest.approx(cache, abs=0.6)


@pytest.mark.parametrize("base", UNUSUAL)
def test_decoders_of_other_blocks_are_counted_by_these(base: str) -> None:
    shape = architecture_of(base, HERE)
    assert shape is not None
    assert (shape.parameters, shape.caching) == UNUSUAL[base]
    assert shape.assumed, "what their blocks save is not measured"


@pytest.mark.slow
@pytest.mark.parametrize("config", known_models(), ids=lambda config: config["names"][0])
def test_transformers_builds_each_model_with_as_many_parameters(config: dict[str, Any]) -> None:
    """On the meta device; what 4-bit loading would quantize are its linear layers but the head."""
    keys = {key: value for key, value in config.items() if key not in ("names", "model_type")}
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(config["model_type"], **keys))
    shape = from_config(config, "known")
    assert shape is not None
    assert sum(each.numel() for each in model.parameters()) == shape.parameters
    quantized = [
        module.weight.numel()
        for name, module in model.named_modules()
        if type(module) is torch.nn.Linear and name != "lm_head"
    ]
    assert sum(quantized) == shape.linear


def test_experts_stay_in_16_bits_beside_a_base_of_4_bits() -> None:
    """transformers keeps them in tensors that bitsandbytes does not look at."""
    shape = architecture_of("Qwen/Qwen3-30B-A3B", HERE)
    assert shape is not None
    weights = lasting(shape, Job(1, 1, 1, weights="nf4-double", adapter=Adapter(16)))["weights"]
    assert weights > 0.9 * 2 * shape.parameters


def test_a_model_that_is_not_known_is_looked_up_in_the_cache_of_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "models--acme--thing-14b" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (tmp_path / "models--acme--thing-14b" / "refs").mkdir()
    (tmp_path / "models--acme--thing-14b" / "refs" / "main").write_text("abc\n")
    (snapshot / "config.json").write_text(json.dumps(known_models()[0]))
    for name, value in (("HF_HUB_CACHE", str(tmp_path)), ("HF_HOME", "/nowhere")):
        monkeypatch.setenv(name, value)
    cached = model_folder("acme/thing-14b", None, HERE)
    shape = architecture_of("acme/thing-14b", HERE, cached)
    assert shape is not None
    assert (shape.parameters, shape.assumed) == (494_032_768, "")
    assert "hub's cache" in shape.found
    monkeypatch.delenv("HF_HUB_CACHE")
    assert model_folder("acme/thing-14b", None, HERE) is None


def test_every_model_of_the_catalogue_is_found_under_each_of_its_names() -> None:
    for config in known_models():
        for name in config["names"]:
            assert architecture_of(f"acme/{name}-instruct", HERE) == from_config(
                config, config["names"][0]
            )


def test_distilled_models_have_the_dimensions_of_their_base() -> None:
    found = architecture_of("deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", HERE)
    assert found is not None
    assert found.parameters == 1_777_088_000  # as Qwen2.5-Math-1.5B, which ties no embeddings


def test_a_config_beside_the_spec_is_read(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    config = {
        "model_type": "qwen2",
        "hidden_size": 896,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "intermediate_size": 4864,
        "vocab_size": 151936,
        "tie_word_embeddings": True,
    }
    (tmp_path / "model/config.json").write_text(json.dumps(config))
    shape = architecture_of("./model", tmp_path)
    assert shape is not None
    assert (shape.parameters, shape.assumed) == (494_032_768, "")


def test_of_a_model_that_sees_images_the_text_decoder_counts() -> None:
    text = {key: value for key, value in known_models()[0].items() if key != "names"}
    shape = from_config({"model_type": "acme_vl", "text_config": text}, "acme-vl")
    assert shape is not None
    assert shape.parameters == 494_032_768


def test_layers_of_a_kind_that_is_not_known_are_said_to_be_assumed() -> None:
    shape = from_config({**known_models()[0], "model_type": "nemotron_h"}, "nano")
    assert shape is not None
    assert "`nemotron_h`" in shape.assumed
    odd = from_config({**known_models()[0], "model_type": "a`\n# b"}, "odd")
    assert odd is not None
    assert odd.assumed == "the layers of its kind are taken for usual ones"


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "{}", '{"hidden_size": 64}', '{"hidden_size": "wide"}'),
        json.dumps({**known_models()[0], "num_hidden_layers": -1}),
        json.dumps({**known_models()[0], "vocab_size": 10**400}),
        json.dumps({**known_models()[0], "num_attention_heads": 0}),
        json.dumps({**known_models()[0], "head_dim": 64.5}),
    ],
)
def test_a_config_without_dimensions_tells_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text)
    assert architecture_of("./", tmp_path) is None


@pytest.mark.parametrize(
    ("base", "parameters"),
    [
        ("acme/thing-14B-chat", 14e9),
        ("acme/Tiny_350m", 350e6),
        ("acme/mix-8x7b", 56e9),
        (f"a/{9:9>999}b", 1e15),
    ],
)
def test_the_size_in_a_name_counts_and_is_said_to_be_assumed(base: str, parameters: float) -> None:
    shape = architecture_of(base, HERE)
    assert shape is not None
    assert shape.parameters == parameters
    assert "by its name alone" in shape.assumed


@pytest.mark.parametrize(
    "base", ["acme/thing", "acme/v2.5b1", "./not-there", "acme/top-8", "acme/0b"]
)
def test_a_name_without_a_size_tells_nothing(base: str) -> None:
    assert architecture_of(base, HERE) is None


def test_every_tier_but_the_cpu_is_a_device() -> None:
    assert set(get_args(Tier)) == {"cpu", *DEVICES}
    assert device_of("cpu") is None


def test_a_gpu_has_at_least_the_memory_of_its_class_and_a_batch_of_its_own() -> None:
    for device in DEVICES.values():
        assert device.usable >= DEVICES[device.memory_class].usable
        larger = [each for each in MEMORY_CLASSES if each.usable <= device.usable]
        assert device.memory_class == larger[-1].name
        assert device.memory_class in SEQUENCES


@pytest.mark.parametrize(
    ("tier", "precision", "flash", "vllm", "build"),
    [
        ("t4", "float16", (), True, None),
        ("v100", "float16", (), False, "CUDA 12"),
        ("rtx-2080-ti", "float16", (), True, None),
        ("a100-80gb", "bfloat16", (2,), True, None),
        ("h100", "bfloat16", (2, 3), True, None),
        ("b200", "bfloat16", (2,), True, None),
        ("80gb", "bfloat16", (2,), True, None),
        ("mi300x", "bfloat16", (2,), False, "ROCm"),
        ("apple", "float32", (), False, None),
    ],
)
def test_what_a_gpu_can_do_follows_from_its_generation_and_maker(
    tier: str, precision: str, flash: tuple[int, ...], vllm: bool, build: str | None
) -> None:
    device = DEVICES[tier]
    assert device.precision == precision
    assert device.flash_attention == flash
    assert device.runs_vllm is vllm
    assert device.torch_build == build


def test_what_is_reserved_is_taken_off_in_thousands_of_millions_of_bytes() -> None:
    device = DEVICES["24gb"]
    assert device.bytes - device.less(2.5).bytes == pytest.approx(2.5e9)
    assert device.less(0.0) is device


def test_larger_classes_come_in_order() -> None:
    larger = larger_classes(DEVICES["rtx-4090"])
    assert [each.name for each in larger][:2] == ["32gb", "40gb"]
    assert larger_classes(MEMORY_CLASSES[-1]) == ()
