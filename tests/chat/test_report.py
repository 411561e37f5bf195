"""What `python data.py` says of the real chat template and tokenizer."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.chat.shipped import shipped
from tests.projects import SPEC, load, write_project

pytestmark = pytest.mark.slow  # each loads transformers
PROMPT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}]
TURN = "{{ '<' + message.role + '>' + message.content + eos_token }}"
PLAIN = f"{{% for message in messages %}}{TURN}{{% endfor %}}"
GEMMA = "google/gemma-2-2b-it"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, Any]:
    """The module of a project, and the tokenizer of its tiny model, which begins texts."""
    spec = SPEC.replace("Qwen/Qwen2.5-0.5B-Instruct", GEMMA)
    spec = spec.replace("[prompt]", '[prompt]\nsystem = "Be brief."')
    project = write_project(tmp_path / "project", spec)
    monkeypatch.syspath_prepend(project / "tests")
    sys.modules.pop("tiny_model", None)
    tokenizer = load(project, "tiny_model").tiny_tokenizer(["Be brief. 1+1? 2"])
    tokenizer.eos_token = "<end_of_turn>"
    return load(project, "template_report"), tokenizer


@pytest.mark.parametrize(
    ("template", "finding"),
    [
        ("{{ bos_token }}" + PLAIN, None),
        (
            "{{ bos_token * 2 }}" + PLAIN,
            "error: the chat template begins a prompt with <bos> twice",
        ),
        (PLAIN, "warning: the chat template begins no prompt with <bos>, as other texts begin"),
        (
            "{{ bos_token }}" + PLAIN.replace("in messages", "in messages[1:]"),
            "error: the chat template drops the system prompt, or changes its text",
        ),
        (
            "{{ bos_token }}" + PLAIN.replace("eos_token", "'\\n'"),
            "error: the chat template writes nothing at the end of an answer: nothing to learn",
        ),
        (
            "{{ bos_token }}" + PLAIN.replace("eos_token", "'<eos>'"),
            "error: an answer ends with '<eos>', which is none of the tokens that stop the model",
        ),
    ],
)
def test_a_prompt_is_looked_at_as_it_is_rendered(
    made: tuple[ModuleType, Any], template: str, finding: str | None
) -> None:
    report, tokenizer = made
    tokenizer.chat_template = template
    assert report.check_prompt(PROMPT, tokenizer) == ([] if finding is None else [finding])


def test_a_token_that_the_model_declares_stops_it_too(
    made: tuple[ModuleType, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import GenerationConfig  # noqa: PLC0415 - takes seconds

    report, tokenizer = made
    tokenizer.chat_template = "{{ bos_token }}" + PLAIN.replace("eos_token", "'<eos>'")
    ends = tokenizer.convert_tokens_to_ids(["<end_of_turn>", "<eos>"])
    GenerationConfig(eos_token_id=ends).save_pretrained(tmp_path / "base")
    monkeypatch.setattr(report, "BASE", str(tmp_path / "base"))
    assert report.check_prompt(PROMPT, tokenizer) == []


def thinking(answer: str) -> dict[str, str]:
    return {"role": "assistant", "content": f"<think>\nso\n</think>\n\n{answer}"}


def test_answers_that_a_template_cuts_are_named_by_their_rows(
    made: tuple[ModuleType, Any],
) -> None:
    report, tokenizer = made
    user = {"role": "user", "content": "1+1?"}
    rows = {
        3: [user, thinking("2")],
        4: [user, thinking("2"), user, thinking("2")],
        7: [user, {"role": "assistant", "content": "2"}],
    }
    tokenizer.chat_template = shipped("Qwen/Qwen3-1.7B")
    assert report.changed_answers("train", rows, tokenizer) == [
        "warning: train: 1 row of which the chat template cuts an earlier answer: 4"
    ]
    tokenizer.chat_template = shipped("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B")
    assert report.changed_answers("train", rows, tokenizer) == [
        "error: train: 2 rows whose answer the chat template cuts: another is learnt: 3, 4",
        "warning: train: 1 row of which the chat template cuts an earlier answer: 4",
    ]
