"""A gate tries the start of a stage with transformers, whatever samples while the stage trains."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl.trainer.grpo_config import GRPOConfig

from tests.chains.training import write_chain
from tests.projects import load
from tests.rollout.specs import sampling_spec

GATE = 'gate = { reward = "correct", pass_at = 3, at_least = 0.5, rows = 2 }'
ROLLOUT = 'engine = "vllm-colocate"'


@pytest.mark.heavy
def test_the_gate_of_a_stage_that_vllm_samples_for_samples_as_the_stage_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = sampling_spec(ROLLOUT, stage=f"temperature = 0.7\nmax_completion_length = 8\n{GATE}")
    project = write_chain(
        tmp_path / "project", spec.replace('"Qwen/Qwen2.5-0.5B-Instruct"', '"./tiny-model"')
    )
    gate, rewards = load(project, "gate"), load(project, "rewards")
    start = str(project / "tiny-model")
    config = GRPOConfig(
        output_dir=str(tmp_path),
        use_cpu=True,
        bf16=False,
        use_vllm=True,
        temperature=0.7,
        max_completion_length=8,
    )
    # As TRL leaves it where vLLM samples: without a generation config of its own.
    trainer = SimpleNamespace(
        args=config,
        model=AutoModelForCausalLM.from_pretrained(start),
        processing_class=AutoTokenizer.from_pretrained(start),
    )
    asked = []
    generate = trainer.model.generate
    monkeypatch.setattr(
        trainer.model,
        "generate",
        lambda **options: asked.append(options["generation_config"]) or generate(**options),
    )
    mix = rewards.MIXES["reasoning"]
    tried = gate.Gate(trainer, mix, "correct", full=1.0, pass_at=3, at_least=0.5, rows=2)
    rows = [{"prompt": [{"role": "user", "content": "1+1?"}], "gold": "2", "answer": "2"}] * 2
    marks = tried.full_marks(rows)
    assert len(marks) == len(rows)
    assert all(0 <= each <= 3 for each in marks)
    (config,) = asked
    assert (config.temperature, config.max_new_tokens) == (0.7, 8)
    assert (config.do_sample, config.num_return_sequences) == (True, 3)
