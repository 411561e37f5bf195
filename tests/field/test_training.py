"""Threads about what is learnt, from which start, and without a network."""

import json
import sys
from itertools import groupby
from pathlib import Path

import pytest

from compiler.smoke import run_smoke
from tests.chains.training import write_chain
from tests.evaluation.projects import run
from tests.field.test_templates import SFT, with_model
from tests.projects import SPEC, load, write_project
from tests.test_mixes import said

TALK = """
spec = 1
[project]
name = "tone"
[model]
base = "./tiny-model"
[hardware]
tier = "cpu"
[stages.tone]
method = "sft"
prompts_per_step = 2
assistant_only_loss = true
data = { train = { path = "talk.jsonl" }, columns = { messages = "turns" } }
"""


def turn(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


@pytest.mark.heavy
def test_field_95_only_answers_are_learnt_with_a_template_that_marks_none(tmp_path: Path) -> None:
    """Of every row something is learnt: its answers, and nothing else."""
    rows = [
        [
            turn("user", "hello"),
            turn("assistant", f"hi {number}"),
            turn("user", "more?"),
            turn("assistant", f"no, {number}"),
        ]
        for number in range(4)
    ]
    talk = "".join(json.dumps({"turns": row}) + "\n" for row in rows)
    project = write_chain(tmp_path / "project", TALK, talk__jsonl=talk)
    trainer = load(project, "train_tone").build_trainer()
    tokenizer = trainer.processing_class
    assert "generation %}" not in tokenizer.chat_template
    learnt: list[str] = []
    for batch in trainer.get_train_dataloader():
        for labels in batch["labels"].tolist():
            runs = groupby(labels, key=lambda label: label != -100)
            found = [tokenizer.decode(list(part)) for is_learnt, part in runs if is_learnt]
            assert len(found) == 1
            learnt += found
    answers = [said["content"] for row in rows for said in row if said["role"] == "assistant"]
    assert sorted(learnt) == sorted(f"{answer}<|im_end|>\n" for answer in answers)


@pytest.mark.heavy
def test_field_101_a_mask_that_trl_only_warns_of_fails_the_smoke_test(tmp_path: Path) -> None:
    """An answer that begins elsewhere than behind the prompt is learnt in another place."""
    turns = (
        "{% for message in messages %}"
        "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\nSo: ' }}{% endif %}"
    )
    spec = with_model('base = "acme/house-model"\nchat_template = "chat.jinja"', SFT)
    project = write_project(tmp_path / "project", spec, chat__jinja=turns)
    result = run_smoke(project, Path(sys.executable), print)
    assert not result.passed
    assert "`warmup` learns other tokens than it should" in result.output


@pytest.mark.heavy
def test_field_131_the_smoke_test_of_a_model_on_the_hub_connects_to_nothing(
    tmp_path: Path,
) -> None:
    project = write_project(tmp_path / "project", SFT)
    assert 'BASE = "Qwen/Qwen2.5-0.5B-Instruct"' in (project / "stages.py").read_text()
    done = run(project, "-m", "pytest", "-q", "tests/test_smoke.py")
    assert done.returncode == 0, done.stdout


def test_field_110_an_adapter_of_parameters_is_refused(tmp_path: Path) -> None:
    """PEFT holds one such adapter alone, beside which no reference can be kept."""
    adapter = '[model]\nadapter = { kind = "lora", target_parameters = ["experts.down_proj"] }'
    (found,) = said(tmp_path, SPEC.replace("[model]", adapter))
    assert found.startswith("unknown-key: unknown key `target_parameters`")
