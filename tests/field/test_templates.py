"""Threads about chat templates and special tokens."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.chat.shipped import shipped
from tests.projects import SPEC, load, write_project
from tests.test_mixes import said

BASE = 'base = "Qwen/Qwen2.5-0.5B-Instruct"'
GEMMA = 'base = "google/gemma-2-2b-it"'
SYSTEM = '[prompt]\nsystem = "Be brief."'
SFT = SPEC.partition("[stages.reasoning]")[0].replace(', "reasoning"', "")


def with_model(lines: str, spec: str = SPEC) -> str:
    return spec.replace(BASE, lines)


def tiny_base(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny model of the base's family, in the place of the base."""
    monkeypatch.syspath_prepend(project / "tests")
    sys.modules.pop("tiny_model", None)
    texts = ["Be brief. 1+1? <answer>2</answer>"]
    load(project, "tiny_model").write_tiny_model(project / "base", texts)
    return project / "base"


def tokenizer_of(project: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - as loaded
    folder = tiny_base(project, monkeypatch)
    return load(project, "tokens").load_tokenizer(str(folder))


@pytest.mark.slow
def test_field_90_a_system_prompt_is_folded_in_every_row_and_in_the_saved_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import AutoTokenizer  # noqa: PLC0415 - takes seconds

    spec = with_model(GEMMA).replace("[prompt]", SYSTEM)
    project = write_project(tmp_path / "project", spec)
    tokenizer = tokenizer_of(project, monkeypatch)
    row = load(project, "data").load_train()[0]
    folded = "<bos><start_of_turn>user\nBe brief.\n\n0+0?<end_of_turn>\n"
    opened = f"{folded}<start_of_turn>model\n"
    prompt = {"add_generation_prompt": True, "tokenize": False}
    assert tokenizer.apply_chat_template(row["prompt"], **prompt) == opened
    pair = [*row["prompt"], {"role": "assistant", "content": "0"}]
    assert tokenizer.apply_chat_template(pair, tokenize=False).startswith(f"{opened}0<end_of_turn>")
    tokenizer.save_pretrained(tmp_path / "saved")
    saved: Any = AutoTokenizer.from_pretrained(tmp_path / "saved")
    assert saved.apply_chat_template(row["prompt"], **prompt) == opened


def test_field_90_a_system_prompt_is_never_dropped_without_a_word(tmp_path: Path) -> None:
    kept = with_model(f'{GEMMA}\nsystem_role = "keep"').replace("[prompt]", SYSTEM)
    assert said(tmp_path, kept) == [
        "no-system-role: the chat template of `google/gemma-2-2b-it` has no system role"
    ]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            'base = "HuggingFaceTB/SmolLM2-135M"\nchat_template = "chatml"', id="a base model"
        ),
        pytest.param('base = "meta-llama/Llama-3.2-1B-Instruct"', id="a tokenizer without a pad"),
    ],
)
def test_field_92_93_the_trained_model_has_its_template_and_learns_to_stop(
    tmp_path: Path, lines: str
) -> None:
    """The smoke test reloads what SFT saved, and looks at the labels and at what pads and stops."""
    project = write_project(tmp_path / "project", with_model(lines, SFT))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/test_smoke.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    checks = (project / "tests/checks.py").read_text()
    for held in (
        "has another chat template",
        "does not learn to end its turn",
        "pads with its end",
    ):
        assert held in checks


def test_field_96_a_turn_that_the_next_message_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chat.jinja").write_text(
        "{% for message in messages %}{% if not loop.first %}{{ eos_token }}{% endif %}"
        "{{ '<' + message.role + '>' + message.content }}{% endfor %}"
    )
    spec = with_model('base = "acme/house-model"\nchat_template = "chat.jinja"')
    (found,) = said(tmp_path, spec)
    code = "bad-chat-template: this chat template writes nothing at the end of an answer"
    assert found == f"{code}: the model would never learn to stop"


@pytest.mark.slow
def test_field_98_a_prompt_is_a_conversation_with_one_begin_of_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write_project(tmp_path / "project", with_model(GEMMA))
    tokenizer = tokenizer_of(project, monkeypatch)
    rows = load(project, "data").load_train()
    assert [message["role"] for message in rows[0]["prompt"]] == ["user"]
    ids = tokenizer.apply_chat_template(
        rows[0]["prompt"], add_generation_prompt=True, return_dict=False
    )
    assert ids.count(tokenizer.bos_token_id) == 1
    assert ids[0] == tokenizer.bos_token_id


TURNS = """
[stages.warmup.data]
train = { path = "chats.jsonl" }
columns = { messages = "turns" }
"""
CHATS = (
    '{"turns": [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"}]}\n'
    '{"turns": [{"role": "user", "content": "1+2?"}, '
    '{"role": "assistant", "content": "<think>\\nfirst\\n</think>\\n\\n3"}, '
    '{"role": "user", "content": "3+1?"}, '
    '{"role": "assistant", "content": "<think>\\nsecond\\n</think>\\n\\n4"}]}\n'
)


@pytest.mark.slow
def test_field_99_rows_that_lose_their_reasoning_to_the_template_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = with_model('base = "./base"', SFT + TURNS)
    project = write_project(tmp_path / "project", spec, chats__jsonl=CHATS)
    folder = tiny_base(project, monkeypatch)
    (folder / "chat_template.jinja").write_text(shipped("Qwen/Qwen3-1.7B"))
    report = load(project, "data_report")
    monkeypatch.setattr(sys, "argv", ["data.py"])
    with pytest.raises(SystemExit):
        report.main()
    found = "warning: warmup train: 1 row of which the chat template cuts an earlier answer: 1"
    assert found in capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_field_50_thinking_that_is_off_is_rendered_as_the_model_renders_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = 'base = "Qwen/Qwen3-1.7B"\nthinking = "off"'
    project = write_project(tmp_path / "project", with_model(lines))
    folder = tiny_base(project, monkeypatch)
    (folder / "chat_template.jinja").write_text(shipped("Qwen/Qwen3-1.7B"))
    tokenizer = load(project, "tokens").load_tokenizer(str(folder))
    row = load(project, "data").load_train()[0]
    prompt = {"add_generation_prompt": True, "tokenize": False}
    own = tokenizer.apply_chat_template(
        row["prompt"], chat_template=shipped("Qwen/Qwen3-1.7B"), enable_thinking=False, **prompt
    )
    assert tokenizer.apply_chat_template(row["prompt"], **prompt) == own


def test_field_102_no_new_token_is_made_and_a_template_that_needs_one_is_refused(
    tmp_path: Path,
) -> None:
    asked = with_model(f'{BASE}\nspecial_tokens = ["<reasoning>"]')
    assert said(tmp_path, asked) == [
        "not-built: `special_tokens` is part of the language but not built in this version"
    ]
    named = with_model('base = "meta-llama/Llama-3.2-1B"\nchat_template = "chatml"')
    (found,) = said(tmp_path, named)
    assert found.startswith("unfit-template: the vocabulary of Llama 3 has no token `<|im_end|>`")
