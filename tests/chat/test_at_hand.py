"""The chat template of the base, where it lies in a folder or in the hub's cache."""

import json
from pathlib import Path

import pytest

from tests.chat.shipped import shipped
from tests.projects import SPEC
from tests.test_mixes import said

BASE = 'base = "Qwen/Qwen2.5-0.5B-Instruct"'
SYSTEM = '[prompt]\nsystem = "Be brief."'
TURN = "{{ '<' + message.role + '>' + message.content + eos_token }}"
PLAIN = f"{{% for message in messages %}}{TURN}{{% endfor %}}<assistant>"


def write_tokenizer(folder: Path, template: str | None, **settings: object) -> None:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    written = {"bos_token": "<s>", "eos_token": {"content": "</s>"}, **settings}
    (folder / "tokenizer_config.json").write_text(json.dumps(written))
    if template is not None:
        (folder / "chat_template.jinja").write_text(template)


def faults(tmp_path: Path, spec: str, base: str = "./house") -> list[str]:
    return said(tmp_path, spec.replace(BASE, f'base = "{base}"'))


def codes(found: list[str]) -> list[str]:
    return [line.partition(":")[0] for line in found]


def test_a_template_that_bears_the_prompt_is_fine(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", PLAIN)
    assert faults(tmp_path, SPEC.replace("[prompt]", SYSTEM)) == []


def test_a_template_is_tried_where_the_rows_hold_the_whole_prompt(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", PLAIN)
    columns = '{ prompt = "question", chosen = "answer", rejected = "level" }'
    data = f'[stages.tone.data]\ntrain = {{ path = "train.jsonl" }}\ncolumns = {columns}\n'
    stage = '[stages.tone]\nmethod = "dpo"\nprompts_per_step = 2\n'
    head = SPEC.partition("[data]")[0].replace('stages = ["warmup", "reasoning"]', "")
    assert faults(tmp_path, head + stage + data) == []


@pytest.mark.parametrize("place", ["folder", "cache"])
def test_the_real_template_is_rendered_with_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    base, spec = "./house", SPEC.replace("[prompt]", SYSTEM)
    if place == "cache":
        base, model = "acme/house", tmp_path / "hub/models--acme--house"
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
        (model / "refs").mkdir(parents=True)
        (model / "refs/main").write_text("0a1b")
        write_tokenizer(model / "snapshots/0a1b", shipped("google/gemma-2-2b-it"))
    else:
        write_tokenizer(tmp_path / "house", shipped("google/gemma-2-2b-it"))
    assert faults(tmp_path, spec, base) == [
        f"no-system-role: the chat template of `{base}` refuses a system message, or drops it"
    ]
    folded = spec.replace("[model]", '[model]\nsystem_role = "fold"')
    assert faults(tmp_path, folded, base) == []


def test_a_template_may_stand_among_the_settings_of_the_tokenizer(tmp_path: Path) -> None:
    templates = [{"name": "tool_use", "template": "{{"}, {"name": "default", "template": PLAIN}]
    write_tokenizer(tmp_path / "house", None, chat_template=templates)
    assert faults(tmp_path, SPEC) == []


def test_a_tokenizer_without_a_template_needs_one(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", None)
    assert codes(faults(tmp_path, SPEC)) == ["no-chat-template"]
    named = SPEC.replace("[model]", '[model]\nchat_template = "zephyr"')
    assert faults(tmp_path, named) == []


def test_a_begin_of_text_is_there_once(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", "{{ bos_token + bos_token }}" + PLAIN)
    assert faults(tmp_path, SPEC) == [
        "bad-chat-template: the chat template of `./house` begins a prompt with `<s>` twice"
    ]


def test_a_prompt_that_opens_the_thinking_is_said_to(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", shipped("Qwen/Qwen3.5-4B"))
    assert codes(faults(tmp_path, SPEC)) == ["template-differs"]
    opened = SPEC.replace("[model]", "[model]\nopens_thinking = true")
    assert faults(tmp_path, opened) == []
    closed = SPEC.replace("[model]", '[model]\nthinking = "off"')
    assert faults(tmp_path, closed) == []


def test_a_switch_that_does_nothing_is_no_switch(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", PLAIN)
    spec = SPEC.replace("[model]", '[model]\nthinking = "off"')
    assert codes(faults(tmp_path, spec)) == ["no-thinking-switch"]


def test_the_thinking_of_worked_examples_is_lost_in_a_template_that_forgets(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "house", shipped("Qwen/Qwen3-1.7B"))
    answer = "<think>\\n2\\n</think>\\n\\n<answer>2</answer>"
    shot = f'[[prompt.shots]]\nuser = "1+1?"\nassistant = "{answer}"\n'
    found = faults(tmp_path, SPEC.replace("[answer]", f"{shot}[answer]"))
    assert codes(found) == ["lost-text"]
    assert "worked examples" in found[0]


def test_what_cannot_be_read_is_left_to_the_scripts(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house/config.json").write_text("{}")
    (tmp_path / "house/tokenizer_config.json").write_bytes(b"\xff")
    assert faults(tmp_path, SPEC) == []
