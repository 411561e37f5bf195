"""What is refused of rewards that ask models, and what is said of a mix that has one."""

import contextlib
import json
from pathlib import Path

import pytest

from compiler.diagnostics import Report, Stop
from compiler.parse import parse
from compiler.resolve import gather, outline_of
from compiler.rules import check_plan, check_spec
from compiler.source import read_source
from compiler.validate import validate
from tests.projects import ROWS, SPEC, write_project

MODEL = '[rewards.helpful]\nkind = "reward_model"\nmodel = "owner/helpful"\n'
JUDGE = (
    '[rewards.tone]\nkind = "judge"\nmodel = "grader"\nbase_url = "http://localhost:8000/v1"\n'
    'rubric = "{completion}"\nmax_calls = 100\nweight = 0.5\n'
)
STEPS = 'method = "grpo"\nsteps = 10\n'  # of 2 prompts with 4 completions each


def found_in(folder: Path, rewards: str, stage: str = "") -> list[str]:
    """The findings of a spec with these rewards, and these lines in its GRPO stage."""
    spec = SPEC.replace("[stages.warmup]", f"{rewards}[stages.warmup]")
    spec = spec.replace('method = "grpo"\n', stage or 'method = "grpo"\n')
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(spec)
    report = Report()
    with contextlib.suppress(Stop):
        document = parse(read_source(folder / "task.toml", report), report)
        checked = validate(document, report)
        check_spec(checked, document, report)
        report.stop_if_errors()
        check_plan(outline_of(gather(checked, folder)), document, report)
    return [f"{each.code}: {each.message}" for each in report.diagnostics]


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000/v1",
        "https://api.openai.com/v1/",
        "http://[::1]:8000/v1",
        "https://proxy.example.com/openai/deployments/x",
    ],
)
def test_an_endpoint_is_an_address(tmp_path: Path, address: str) -> None:
    assert found_in(tmp_path, JUDGE.replace("http://localhost:8000/v1", address)) == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("localhost:8000/v1", "is no address"),
        ("file:///etc/passwd", "is no address"),
        ("ftp://example.com", "is no address"),
        ("https://", "is no address"),
        ("http://[::1/v1", "is no address"),
        ("http://host:99999/v1", "is no address"),
        ("https://host/v 1", "a character that no address has"),
        ("https://höst/v1", "a character that no address has"),
        ("https://user:key@host/v1", "a key would stand in the project"),
        ("https://host/v1?key=abc", "a key would stand in the project"),
        ("https://host/v1/chat/completions/", "names what is added to it"),
    ],
)
def test_what_is_no_endpoint_is_refused(tmp_path: Path, address: str, said: str) -> None:
    (found,) = found_in(tmp_path, JUDGE.replace("http://localhost:8000/v1", address))
    assert found.startswith("bad-value: ")
    assert said in found
    assert "user:key" not in found


@pytest.mark.parametrize(
    ("rubric", "said"),
    [
        ("{completion} {prompt} {gold} {{x}}", None),
        ("{completion", "bad-template: the rubric is no template"),
        ("{completion} {answer}", "bad-template: `{answer}` is not known in a rubric"),
        ("Is it good?", "bad-value: the rubric has no `{completion}`"),
        ("{{completion}}", "bad-value: the rubric has no `{completion}`"),
    ],
)
def test_a_rubric_shows_the_completion(tmp_path: Path, rubric: str, said: str | None) -> None:
    found = found_in(tmp_path, JUDGE.replace("{completion}", rubric))
    assert len(found) == (said is not None)
    assert all(line.startswith(said or "") for line in found)


@pytest.mark.parametrize(("calls", "warned"), [(80, False), (79, True)])
def test_calls_are_counted_where_the_steps_are_known(
    tmp_path: Path, calls: int, *, warned: bool
) -> None:
    judge = JUDGE.replace("100", str(calls))
    found = found_in(tmp_path, judge, STEPS)
    text = "too-few-calls: `reasoning` asks about 80 completions, and the run ends after 79 calls"
    assert found == ([text] if warned else [])
    assert found_in(tmp_path, judge) == []  # epochs of rows that only a run may count
    assert found_in(tmp_path, judge + 'only_if = "correct"\n', STEPS) == []
    assert found_in(tmp_path, judge, STEPS + 'rewards = ["correct"]\n') == [
        "unused-reward: no stage calls the reward `tone`"
    ]


def test_calls_are_not_repeated_for_a_batch_that_is_used_again(tmp_path: Path) -> None:
    judge = JUDGE.replace("100", "40")
    again = STEPS + "trainer = { num_iterations = 2 }\n"
    assert [line for line in found_in(tmp_path, judge, again) if "too-few" in line] == []


def test_a_reward_without_bounds_can_beat_what_is_right(tmp_path: Path) -> None:
    (found,) = found_in(tmp_path, MODEL)
    assert found == (
        "wrong-beats-right: `reasoning` pays a reward without bounds: a wrong answer can earn more "
        "than a right one"
    )
    assert found_in(tmp_path, MODEL + "weight = 0.0\n") == []
    # A gate does not help: a right answer with a negative logit earns less than a closed gate.
    (found,) = found_in(tmp_path, MODEL + 'only_if = "correct"\n')
    assert found.startswith("wrong-beats-right")
    assert found_in(tmp_path, MODEL + 'squash = "sigmoid"\nweight = 0.5\n') == []


def test_plan_says_that_a_reward_has_no_bounds(tmp_path: Path) -> None:
    spec = SPEC.replace("[stages.warmup]", f"{MODEL}[stages.warmup]")
    page = (write_project(tmp_path, spec) / "PLAN.md").read_text("utf-8")
    assert "| `helpful` | reward_model | -inf to inf | 1 |" in page
    assert "A reward without bounds is paid, so that a wrong answer can earn more" in page


def test_a_judge_that_sees_the_gold_looks_at_it(tmp_path: Path) -> None:
    only = STEPS + 'rewards = ["tone"]\n'
    roomy = JUDGE.replace("max_calls = 100", "max_calls = 1000")
    blind = [line for line in found_in(tmp_path, roomy, only) if "unpaid-correctness" in line]
    assert len(blind) == 1
    seeing = roomy.replace("{completion}", "{completion} {gold}")
    assert not any("unpaid-correctness" in line for line in found_in(tmp_path, seeing, only))


@pytest.mark.parametrize(
    ("config", "refused"),
    [
        ({"architectures": ["Qwen2ForCausalLM"]}, True),
        ({"architectures": ["GPT2LMHeadModel"]}, True),
        ({"architectures": ["Qwen2ForSequenceClassification"]}, False),
        ({"architectures": None}, False),
        ({}, False),
        ([], False),
    ],
)
def test_the_head_of_a_folder_is_looked_at(
    tmp_path: Path, config: object, *, refused: bool
) -> None:
    (tmp_path / "rm").mkdir()
    (tmp_path / "rm" / "config.json").write_text(json.dumps(config))
    squashed = MODEL.replace("owner/helpful", "./rm") + 'squash = "sigmoid"\nweight = 0.5\n'
    found = found_in(tmp_path, squashed)
    assert [line for line in found if "its scoring head would be random" in line] == found
    assert bool(found) is refused


def test_a_folder_that_is_not_there_yet_is_let_pass_and_one_that_is_no_model_is_not(
    tmp_path: Path,
) -> None:
    squashed = MODEL.replace("owner/helpful", "./rm") + 'squash = "sigmoid"\nweight = 0.5\n'
    assert found_in(tmp_path, squashed) == []
    (tmp_path / "rm").mkdir()
    assert found_in(tmp_path, squashed) == [
        "bad-value: `./rm` has no `config.json`, and is no model"
    ]
    named = squashed.replace("./rm", "rm")
    assert found_in(tmp_path, named) == [
        "bad-value: `rm` is a folder beside the spec, and is written as an id of the hub"
    ]
