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


SHORT = SPEC[: SPEC.index("[stages.reasoning]")] + SPEC[SPEC.index("[rewards.preferred]") :]
SHORT = SHORT[: SHORT.index("[stages.mark]")].replace(json.dumps(ORDER), json.dumps(CHAIN))


@pytest.mark.heavy
def test_field_108_and_110_a_chain_of_adapters_exports_what_it_trained(tmp_path: Path) -> None:
    project = write_chain(tmp_path / "project", SHORT, pairs__jsonl=PAIRS)
    train(project, *CHAIN)
    load(project, "export").export()
    check_export(project)


def check_export(project: Path) -> None:
    """The export is the last adapter on its own start, which the stages before have moved."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    outputs = project / "outputs"

    def logits(folder: Path, adapter: Path | None = None) -> "torch.Tensor":
        model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
        model = model if adapter is None else PeftModel.from_pretrained(model, str(adapter))
        with torch.inference_mode():
            return model(torch.tensor([[5, 6, 7, 8, 9]])).logits

    exported = logits(outputs / "export")
    live = logits(outputs / "lead" / "model", outputs / "prefer" / "adapter")
    assert (exported - live).abs().max() <= 1e-4
    assert (logits(outputs / "lead" / "model") - logits(project / "tiny-model")).abs().max() > 0.01
    assert (exported - logits(outputs / "lead" / "model")).abs().max() > 0.01
    first = json.loads((outputs / "prefer" / "run.json").read_text())
    assert first["start"] == str(outputs / "lead" / "model")
