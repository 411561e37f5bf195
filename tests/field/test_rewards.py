"""Threads about format rewards, and about what length and substring rewards really pay."""

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.projects import SPEC, load, write_project
from tests.test_mixes import said

TAGS = 'tags = ["think", "answer"]'
LAYOUT = f'[rewards]\ncorrect = 1.0\n[rewards.layout]\nkind = "xml_format"\n{TAGS}\n'
ALSO_THINKING = '[rewards.think_format]\nkind = "think_format"\n'
THINKING = "[rewards]\ncorrect = 1.0\nthink_format = 1.0\n"


def spec_of(rewards: str, assistant: str = "<think>a</think><answer>{answer}</answer>") -> str:
    spec = SPEC.replace("[rewards]\ncorrect = 1.0\n", rewards)
    return spec.replace('"<answer>{answer}</answer>"', f'"{assistant}"')


def rewards_of(tmp_path: Path, spec: str) -> ModuleType:
    return load(write_project(tmp_path / "project", spec), "rewards")


def pay(reward: Any, *completions: Any, gold: str = "5", lengths: list[int] | None = None) -> list:  # noqa: ANN401 - any function
    """Call a reward as TRL does, with one prompt and one gold for all completions."""
    count = len(completions)
    ids = [[0] * length for length in lengths or [10] * count]
    return reward(
        prompts=["2+3?"] * count,
        completions=list(completions),
        completion_ids=ids,
        gold=[gold] * count,
    )


@pytest.fixture
def layout(tmp_path: Path) -> Any:  # noqa: ANN401 - a function of the project
    return rewards_of(tmp_path, spec_of(LAYOUT)).layout


def test_field_42_line_breaks_inside_a_layout(layout: Any, tmp_path: Path) -> None:  # noqa: ANN401 - a function of the project
    text = "<think>\na\nb\n</think>\n<answer>5</answer>"
    assert pay(layout, text) == [1.0]
    pattern = '[rewards]\ncorrect = 1.0\n[rewards.shape]\nkind = "regex_format"\n'
    pattern += "pattern = '<think>.+</think>\\s*<answer>.+</answer>'\n"
    assert pay(rewards_of(tmp_path, spec_of(pattern)).shape, text) == [1.0]


def test_field_44_a_tag_that_repeats_is_not_paid(layout: Any) -> None:  # noqa: ANN401 - a function of the project
    assert (
        pay(
            layout,
            "<think>a</think><answer>1</answer></answer>",
            "<think>a</think><answer>1</answer><answer>2</answer>",
            "<think>a</think><answer></answer>",
            "<think><think>a</think></think><answer>1</answer>",
        )
        == [0.0] * 4
    )


def test_field_45_a_block_that_stands_twice_is_not_paid(layout: Any) -> None:  # noqa: ANN401 - a function of the project
    assert pay(layout, "<think>a</think><answer>5</answer>" * 2) == [0.0]


def test_field_47_an_end_token_changes_no_score(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, spec_of(LAYOUT + ALSO_THINKING))
    text = "<think>a</think><answer>1</answer>"
    for reward in (rewards.layout, rewards.think_format):
        assert pay(reward, text, text + "<|im_end|>", text + "<|endoftext|>\n") == [1.0] * 3


@pytest.mark.parametrize(("opens", "mark"), [(True, 1.0), (False, 0.0)])
def test_field_48_a_template_that_opens_the_thinking(
    opens: bool, mark: float, tmp_path: Path
) -> None:
    begun = "" if opens else "<think>\\n"
    spec = spec_of(THINKING, f"{begun}a\\n</think>\\n<answer>{{answer}}</answer>")
    spec = spec.replace("[model]", f"[model]\nopens_thinking = {str(opens).lower()}")
    think_format = rewards_of(tmp_path, spec).think_format
    assert pay(think_format, "First\u2026\n</think>\n4") == [mark]
    assert pay(think_format, "</think>\n4", "4", "First") == [0.0] * 3
    assert pay(think_format, "<think>First</think>4") == [1.0 - mark]


def test_field_48_the_ideal_completion_of_such_a_template_is_checked(tmp_path: Path) -> None:
    spec = spec_of(THINKING, "<think>a</think><answer>{answer}</answer>")
    spec = spec.replace("[model]", "[model]\nopens_thinking = true")
    assert any("the ideal completion is not paid by" in line for line in said(tmp_path, spec))


def test_field_50_without_thinking_no_reward_asks_for_a_block(tmp_path: Path) -> None:
    spec = spec_of("[rewards]\ncorrect = 1.0\n").replace("[model]", '[model]\nthinking = "on"')
    assert [line for line in said(tmp_path, spec) if "thinking" in line], "Qwen2.5 has no switch"
    plain = rewards_of(tmp_path, spec_of("[rewards]\ncorrect = 1.0\n"))
    assert pay(plain.correct, "<answer>5</answer>") == [1.0]


def test_field_51_a_limit_below_the_reference_solutions_is_warned_of(tmp_path: Path) -> None:
    spec = spec_of("[rewards]\ncorrect = 1.0\n", "{worked} <answer>{answer}</answer>")
    spec = spec.replace("num_generations = 4", "num_generations = 4\nmax_completion_length = 256")
    rows = "".join(
        f'{{"question": "{n}+{n}?", "answer": "{2 * n}", "worked": "{"so " * 600}"}}\n'
        for n in range(12)
    )
    project = write_project(tmp_path / "project", spec, train__jsonl=rows)
    report = load(project, "data_report")
    tokenizer = SimpleNamespace(
        encode=lambda text, add_special_tokens: text.split(),  # noqa: ARG005 - as a tokenizer's
        apply_chat_template=lambda *_, **__: [0] * 20,
    )
    rows = load(project, "data").load_train().to_list()
    findings = load(project, "data_report").lengths("train", rows, tokenizer)
    assert any(
        finding.startswith("warning: train") and "256 tokens of `reasoning`" in finding
        for finding in findings
    ), (findings, report)


def test_field_59_a_limit_in_tokens_is_measured_in_tokens(tmp_path: Path) -> None:
    brief = '[rewards]\ncorrect = 1.0\n[rewards.brief]\nkind = "length"\nmax_tokens = 1000\n'
    reward = rewards_of(tmp_path, spec_of(brief)).brief
    texts = ["word" * tokens for tokens in (10, 800, 1000, 1500, 4000)]
    assert len(texts[1]) == 3200
    marks = pay(reward, *texts, lengths=[len(text) // 4 for text in texts])
    assert marks == [1.0, 1.0, 1.0, 0.5, 0.0]


def test_field_60_beyond_the_limit_a_cosine_stays_where_it_is(tmp_path: Path) -> None:
    spec = spec_of("[rewards]\ncosine_length = 1.0\n")
    spec = spec.replace("num_generations = 4", "num_generations = 4\nmax_completion_length = 1000")
    reward = rewards_of(tmp_path, spec).cosine_length
    lengths = [0, 500, 1000, 1500, 2000, 4096]
    right = pay(reward, *["<answer>5</answer>"] * 6, lengths=lengths)
    wrong = pay(reward, *["<answer>4</answer>"] * 6, lengths=lengths)
    assert right == [1.0, 0.75, 0.5, 0.5, 0.5, 0.5]
    assert wrong == [-1.0, -0.75, -0.5, -0.5, -0.5, -0.5]
    assert min(right) >= max(wrong)


def test_field_60_a_limit_below_that_of_the_stage_is_warned_of(tmp_path: Path) -> None:
    limit = '[rewards]\n[rewards.pace]\nkind = "cosine_length"\nmax_tokens = 100\n'
    found = said(tmp_path, spec_of(limit))
    assert any(
        "pays all lengths from 100 to the 512 of `reasoning` alike" in line for line in found
    )


def test_field_65_strings_messages_and_nothing_at_all(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, spec_of(LAYOUT + ALSO_THINKING))
    text = "<think>a</think><answer>5</answer>"
    shapes = [text, [{"role": "assistant", "content": text}]]
    nothing = [[], [{"role": "assistant", "content": None}], [{"role": "assistant"}]]
    for reward in (rewards.correct, rewards.layout, rewards.think_format):
        assert [pay(reward, shape) for shape in shapes] == [[1.0], [1.0]]
        assert [pay(reward, shape) for shape in nothing] == [[0.0], [0.0], [0.0]]


def test_field_69_a_gold_inside_a_number_is_not_contained(tmp_path: Path) -> None:
    contains = rewards_of(tmp_path, spec_of("[rewards]\ncontains = 1.0\n")).contains
    assert pay(contains, "there are 14 ways", gold="4") == [0.0]
    assert pay(contains, "there are 4 ways", "x = 4.", "-4", "4.5", gold="4") == [1, 1, 0, 0]
