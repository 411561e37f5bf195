# ruff: noqa: PLC0415 - torch takes seconds, which collecting the tests need not wait for
"""A chain of LoRA stages, really trained: each merged into its own start, and exported as it is."""

import json
from pathlib import Path

import pytest

from tests.chains.test_methods import EVERY_METHOD, ORDER, PAIRS
from tests.chains.training import train, write_chain
from tests.projects import load

CHAIN = ["warmup", "judge", "lead", "prefer"]
SPEC = EVERY_METHOD.replace("[model]", '[model]\nadapter = { kind = "lora", r = 4 }')


@pytest.mark.heavy
def test_field_108_and_110_a_chain_of_adapters_exports_what_it_trained(tmp_path: Path) -> None:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    short = SPEC[: SPEC.index("[stages.mark]")]
    start, end = short.index("[stages.reasoning]"), short.index("[rewards.preferred]")
    short = short[:start] + short[end:]
    project = write_chain(
        tmp_path / "project",
        short.replace(json.dumps(ORDER), json.dumps(CHAIN)),
        pairs__jsonl=PAIRS,
    )
    train(project, *CHAIN)
    load(project, "export").export()
    outputs = project / "outputs"

    def logits(folder: Path, adapter: Path | None = None) -> "torch.Tensor":
        model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
        model = model if adapter is None else PeftModel.from_pretrained(model, str(adapter))
        with torch.inference_mode():
            return model(torch.tensor([[5, 6, 7, 8, 9]])).logits

    exported = logits(outputs / "export")
    live = logits(outputs / "lead" / "model", outputs / "prefer" / "adapter")
    assert (exported - live).abs().max() <= 1e-4
    # The reference of the last stage is its start, which the stages before have moved.
    assert (logits(outputs / "lead" / "model") - logits(project / "tiny-model")).abs().max() > 0.01
    assert (exported - logits(outputs / "lead" / "model")).abs().max() > 0.01
    first = json.loads((outputs / "prefer" / "run.json").read_text())
    assert first["start"] == str(outputs / "lead" / "model")
