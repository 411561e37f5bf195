"""Rewards of every kind in a compiled project: called as TRL does it, and explained."""

import json
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from compiler.resolve import gather
from compiler.resolve.rewards.scorings import SCORINGS, scorings_of
from spec_schema import TaskSpec
from spec_schema.rewards import REWARDS
from spec_schema.tables import TABLES
from tests.projects import SPEC, load, write_project

EVERY_KIND = """
[rewards]
correct = 1.0
contains = 0.1
think_format = 0.5
boxed_format = 0.5
overlong = 0.5
cosine_length = 0.2
repetition = 0.1
reasoning_steps = 0.1
copying = 0.1
[rewards.weighed]
kind = "contains"
needles = ["{gold} kg", "{{{gold}}}"]
case = "fold"
weight = 0.1
[rewards.pattern]
kind = "regex_format"
pattern = '<think>.*</think>.*\\d+.*'
[rewards.listed]
kind = "json_format"
on = "answer"
[rewards.counted]
kind = "json_schema"
schema = { type = "integer", minimum = 0 }
on = "answer"
[rewards.filed]
kind = "json_schema"
schema = { file = "schema.json" }
[rewards.english]
kind = "language"
language = "en"
on = "thinking"
[rewards.greek]
kind = "language"
language = "el"
[rewards.chinese]
kind = "language"
language = "zh"
[rewards.japanese]
kind = "language"
language = "ja"
[rewards.wording]
kind = "keywords"
keywords = ["because", "so that"]
[rewards.thoughts]
kind = "repetition"
on = "thinking"
[rewards.terse]
kind = "length"
max_characters = 3
on = "answer"
[rewards.rude]
kind = "forbidden"
patterns = ["stupid"]
on = "thinking"
"""
FORMATS = ("pattern", "listed", "counted", "filed", "weighed")
THOUGHT = "First, we add the numbers, because both of them are given."
IDEAL = "<think>\n" + THOUGHT + "\n</think>\n\nSo it is \\\\boxed{{{answer}}}."


def spec_of(rewards: str, **changes: str) -> str:
    """Write a spec of boxed answers with these rewards; a change replaces a text by another."""
    spec = SPEC.replace("[rewards]\ncorrect = 1.0\n", rewards)
    spec = spec.replace('extract = "xml"\ntag = "answer"', 'extract = "boxed"\ncompare = "number"')
    spec = spec.replace('"<answer>{answer}</answer>"', f'"""{IDEAL}"""')
    for before, after in changes.items():
        spec = spec.replace(before.replace("__", " = "), after)
    return spec


def two_limits(spec: str) -> str:
    """Put a stage with another completion limit in front of the last one."""
    layout = '[stages.layout]\nmethod = "grpo"\nprompts_per_step = 2\nnum_generations = 4\n'
    spec = spec.replace('["warmup", "reasoning"]', '["warmup", "layout", "reasoning"]')
    return spec.replace(
        "[stages.reasoning]", f"{layout}max_completion_length = 100\n[stages.reasoning]"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with a reward of every kind, and two stages with limits of their own."""
    folder = tmp_path_factory.mktemp("kinds") / "project"
    schema = json.dumps({"type": "object", "required": ["total"]})
    return write_project(folder, two_limits(spec_of(EVERY_KIND)), schema__json=schema)


@pytest.fixture
def rewards(project: Path) -> ModuleType:
    return load(project, "rewards")


def text_of(answer: str, thought: str = THOUGHT) -> str:
    return f"<think>\n{thought}\n</think>\n\nSo it is \\boxed{{{answer}}}."


TEXTS = [
    *(text_of("14"), text_of("15"), "", "I cannot say", text_of("14") * 2, text_of("14")[:-40]),
    *('{"total": 1}', "<think>\na\n</think>\n\n[1]", text_of("14", "stupid stupid stupid stupid")),
    *("7+7? so 14 kg {14}", "\u7b54\u6848\u662f14\u3002", "\u7b54\u3048\u306f14\u3067\u3059\u3002"),
]


def call(
    reward: Callable[..., list[Any]], completions: list[Any], lengths: list[int] | None = None
) -> list[Any]:
    count = len(completions)
    ids = [list(range(length)) for length in lengths or [40] * count]
    return reward(
        prompts=[[{"role": "user", "content": "7+7?"}]] * count,
        completions=completions,
        completion_ids=ids,
        gold=["14"] * count,
        answer=["14"] * count,
        trainer_state=None,
        log_extra=None,
        log_metric=None,
    )


def as_messages(texts: list[str]) -> list[list[dict[str, str]]]:
    return [[{"role": "assistant", "content": text}] for text in texts]


def names_and_functions(rewards: ModuleType) -> dict[str, Any]:
    return {reward.__name__: reward for mix in rewards.MIXES.values() for reward in mix}


def test_every_kind_scores_both_shapes_alike_and_within_its_range(rewards: ModuleType) -> None:
    penalties = {"overlong", "overlong_100", "repetition", "copying", "thoughts", "rude"}
    for name, reward in names_and_functions(rewards).items():
        marks = call(reward, as_messages(TEXTS))
        assert marks == call(reward, TEXTS), name
        assert marks == call(reward, as_messages(TEXTS)), name
        low, high = (-1.0, 0.0) if name in penalties else (0.0, 1.0)
        low = -1.0 if name.startswith("cosine") else low
        assert all(mark is None or low <= mark <= high for mark in marks), name
        assert call(reward, TEXTS[::-1]) == marks[::-1], name


def test_every_kind_scores_in_a_thread_as_elsewhere(rewards: ModuleType) -> None:
    functions = names_and_functions(rewards)
    found: dict[str, list[Any]] = {}
    thread = threading.Thread(
        target=lambda: found.update({name: call(functions[name], TEXTS) for name in functions})
    )
    thread.start()
    thread.join()
    assert found == {name: call(functions[name], TEXTS) for name in functions}


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("correct", [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
        ("contains", [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1]),
        ("weighed", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]),
        ("think_format", [1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]),
        ("boxed_format", [1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
        ("pattern", [1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0]),
        ("counted", [1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
        ("listed", [0] * 12),
        ("filed", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]),
        ("rude", [0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0]),
        ("wording", [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]),
        ("chinese", [0, 0, None, 0, 0, 0, 0, None, 0, 0, 1, 0]),
        ("japanese", [0, 0, None, 0, 0, 0, 0, None, 0, 0, 0, 1]),
    ],
)
def test_what_each_kind_pays(rewards: ModuleType, name: str, marks: list[float | None]) -> None:
    assert call(getattr(rewards, name), TEXTS) == marks


def test_the_parts_that_on_names_are_looked_at(rewards: ModuleType) -> None:
    texts = [text_of("14", "aa bb cc aa bb cc"), "aa bb cc aa bb cc"]
    assert call(rewards.thoughts, texts) == [-0.25, 0.0]
    assert call(rewards.terse, [text_of("123"), text_of("1234567"), ""]) == [1.0, 0.0, 1.0]


def test_each_stage_has_its_own_limit(rewards: ModuleType) -> None:
    limits = [0, 80, 90, 100, 410, 461, 512, 4096]
    texts = [""] * len(limits)
    assert call(rewards.overlong_100, texts, limits) == [0, 0, -0.5, -1, -1, -1, -1, -1]
    marks = call(rewards.overlong, texts, limits)
    assert marks[:5] == [0.0] * 5
    assert -0.51 < marks[5] < -0.49
    assert marks[6:] == [-1.0, -1.0]
    layout, reasoning = rewards.MIXES["layout"], rewards.MIXES["reasoning"]
    assert rewards.overlong_100 in layout
    assert rewards.cosine_length_100 in layout
    assert rewards.overlong in reasoning
    assert rewards.overlong not in layout
    assert layout[rewards.overlong_100] == reasoning[rewards.overlong] == 0.5


def test_a_reward_says_why(rewards: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = SimpleNamespace(encode=lambda text, **_: text.split())
    monkeypatch.setattr(rewards, "tokenizer", lambda: encode)
    row = {"prompt": [{"role": "user", "content": "7+7?"}], "gold": "14"}
    why = rewards.reasons(text_of("14"), row)
    assert set(why) == set(rewards.score(text_of("14"), row | {"row_number": 0}))
    assert why["think_format"] == "one thinking block, then an answer"
    assert why["overlong"].startswith("length 17, the penalty grows from 410 to 512")
    assert why["counted"] == "JSON that the schema allows"
    assert why["english"] == "100% of the letters"
    assert rewards.reasons("", row)["boxed_format"] == "`\\boxed{}` is missing"


def test_the_project_is_clean_and_names_the_packages_that_it_needs(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "."],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    needed = (project / "pyproject.toml").read_text()
    for package in ('"jsonschema>=', '"referencing>=', '"py3langid>='):
        assert package in needed


@pytest.mark.heavy
def test_the_project_is_clean_under_its_own_pyright(project: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_each_kind_has_a_table_a_scoring_and_one_range() -> None:
    assert set(SCORINGS) == set(REWARDS)
    assert {kind.chosen for kind in TABLES if kind.paths == (("rewards", "*"),)} == set(REWARDS)
    spec = TaskSpec.model_validate(tomllib.loads(two_limits(spec_of(EVERY_KIND))))
    inputs = gather(spec, Path())
    for name, reward in spec.rewards.items():
        for function, scoring in scorings_of(name, inputs).items():
            assert (scoring.lowest, scoring.highest) == reward.bounds(), function
            assert function.startswith(name)


def test_plain_rewards_need_no_package(tmp_path: Path) -> None:
    greek = '[rewards]\ncorrect = 1.0\n[rewards.greek]\nkind = "language"\nlanguage = "el"\n'
    project = write_project(tmp_path / "project", spec_of(greek))
    needed = (project / "pyproject.toml").read_text()
    assert "jsonschema" not in needed
    assert "py3langid" not in needed


def test_fields_are_paid_by_their_share_as_the_answer_compares_them(tmp_path: Path) -> None:
    spec = SPEC.replace('extract = "xml"\ntag = "answer"', 'extract = "json"\ncompare = "json"')
    spec = spec.replace('assistant = "<answer>{answer}</answer>"', 'assistant = "{answer}"')
    spec = spec.replace("correct = 1.0", "fields = 1.0")
    rows = [
        {"question": f"invoice {n}?", "answer": json.dumps({"total": n, "vendor": f"shop {n}"})}
        for n in range(12)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    project = write_project(tmp_path / "project", spec, train__jsonl=text)
    rewards = load(project, "rewards")
    gold = rows[1]["answer"]
    texts = [gold, '{"total": 1, "vendor": "other"}', '{"total": 2}', "none", ""]
    columns = {"completions": texts, "completion_ids": [[]] * 5, "prompts": [""] * 5}
    assert rewards.fields(**columns, gold=[gold] * 5) == [1.0, 0.5, 0.0, 0.0, 0.0]
    assert rewards.fields(**columns, gold=["no JSON"] * 5) == [None] * 5
    assert rewards.reasons(texts[1], {"gold": gold})["fields"] == "wrong: `vendor`"
    assert rewards.reasons(gold, {"gold": gold})["fields"] == "all 2 fields are right"


R1 = {"Qwen/Qwen2.5-0.5B-Instruct": "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B"}
THINKING = "[rewards]\ncorrect = 1.0\nthink_format = 1.0\nboxed_format = 1.0\n"
THINKING += '[rewards.layout]\nkind = "xml_tags"\ntags = ["think"]\n'
THINKING += '[rewards.thoughts]\nkind = "repetition"\non = "thinking"\n'
OPENED = "First, add.\n</think>\n\nSo it is \\boxed{14}."


def without_assistant(spec: str) -> str:
    head, _, rest = spec.partition("assistant = ")
    return head + rest.partition("[answer]")[0][-1] + "[answer]" + rest.partition("[answer]")[2]


def test_a_prompt_that_opens_the_thinking_is_known_by_the_base(tmp_path: Path) -> None:
    spec = without_assistant(spec_of(THINKING, **R1))
    project = write_project(tmp_path / "project", spec)
    rewards = load(project, "rewards")
    texts = [OPENED, "<think>\n" + OPENED, "So it is \\boxed{14}.", "First, \\boxed{14}"]
    assert call(rewards.think_format, texts) == [1.0, 0.0, 0.0, 0.0]
    assert call(rewards.layout, texts) == [1.0, 0.5, 0.5, 0.5]
    assert call(rewards.boxed_format, texts) == [1.0, 1.0, 0.0, 0.0]
    assert call(rewards.correct, texts) == [1.0, 1.0, 0.0, 0.0]
    again = OPENED.replace("First, add.", "a a a a a a")
    assert call(rewards.thoughts, [again]) == [-0.75]
    parsed = {"role": "assistant", "reasoning_content": "First, add.", "content": "\\boxed{14}"}
    assert call(rewards.think_format, [[parsed]]) == [1.0]
    ideal = load(project, "prompts").ideal_completion({"gold": "14"})
    assert ideal == "...\n</think>\n\n\\boxed{14}"
    assert call(rewards.think_format, [ideal]) == [1.0]


def test_the_spec_overrules_what_the_base_is_known_for(tmp_path: Path) -> None:
    closed = {'base = "deepseek': 'opens_thinking = false\nbase = "deepseek'}
    spec = without_assistant(spec_of(THINKING, **R1, **closed))
    rewards = load(write_project(tmp_path / "project", spec), "rewards")
    assert call(rewards.think_format, [OPENED, "<think>\n" + OPENED]) == [0.0, 1.0]
    assert load(tmp_path / "project", "prompts").ideal_completion({"gold": "14"}) == (
        "<think>\n...\n</think>\n\n\\boxed{14}"
    )


@pytest.mark.parametrize(("opens", "tail"), [(True, "<think>\n"), (False, "")])
def test_the_data_report_holds_the_prompt_against_what_is_expected(
    opens: bool, tail: str, tmp_path: Path
) -> None:
    said = {'base = "Qwen': f'opens_thinking = {str(opens).lower()}\nbase = "Qwen'}
    spec = without_assistant(spec_of(THINKING, **said))
    report = load(write_project(tmp_path / "project", spec), "data_report")

    def tokenizer(end: str) -> Any:  # noqa: ANN401 - stands in for a tokenizer
        return SimpleNamespace(apply_chat_template=lambda *_, **__: f"<|assistant|>\n{end}")

    rows = [{"prompt": []}]
    assert report.opening(rows, tokenizer(tail)) == []
    assert report.opening(rows, None) == []
    (finding,) = report.opening(rows, tokenizer("" if opens else "<think>\n\n"))
    assert finding.startswith("error: the chat template")
    assert finding.endswith(f"`[model] opens_thinking = {str(not opens).lower()}`")


def test_a_reward_that_waits_for_a_count_of_tokens_is_given_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = '[rewards.brief]\nkind = "length"\nmax_tokens = 3\n[rewards.named]\nkind = "keywords"\n'
    chain += 'keywords = ["so"]\nonly_if = "brief"\n[rewards.last]\nkind = "contains"\n'
    chain += 'only_if = "named"\n'
    project = write_project(
        tmp_path / "project", SPEC.replace("[rewards]\ncorrect = 1.0\n", f"[rewards]\n{chain}")
    )
    rewards = load(project, "rewards")
    encoder = SimpleNamespace(encode=lambda text, **_: text.split())
    monkeypatch.setattr(rewards, "tokenizer", lambda: encoder)
    row = {"prompt": [], "gold": "4"}
    assert rewards.score("so 4", row) == {"brief": 1.0, "named": 1.0, "last": 1.0}
    assert rewards.score("so 4 " + "on " * 9, row) == {"brief": 0.0, "named": 0.0, "last": 0.0}
