"""What `python data.py` says of the answers that stages learn from, in projects as written."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project
from tests.test_mixes import said

HEAD = """
spec = 1
[project]
name = "tone"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[stages.tone]
method = "{method}"
prompts_per_step = 2
{more}
[stages.tone.data]
train = {{ path = "rows.jsonl" }}
columns = {{ {columns} }}
"""
PAIR = 'prompt = "asked", chosen = "good", rejected = "bad"'


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Callable[[Path], list[str]]:
    """What the report of a project finds, without a tokenizer."""

    def findings_of(project: Path) -> list[str]:
        module = load(project, "stage_report")
        with pytest.raises(SystemExit) as ended:
            load(project, "findings").end_report(module.report(None))
        printed = capsys.readouterr().out.splitlines()
        findings = [line for line in printed if line.startswith(("error: ", "warning: "))]
        assert ended.value.code == int(any(line.startswith("error") for line in findings))
        return findings

    return findings_of


@pytest.mark.parametrize(
    ("case", "finding"),
    [
        (
            ("dpo", PAIR, [("a", "x", "y"), ("b", "z", "z"), ("c", "v", "w")]),
            "warning: tone train: 1 row left out: both answers are the same: 1",
        ),
        (
            ("reward", PAIR, [("a", "x", "y"), ("b", "", "z"), ("c", "v", "w")]),
            "warning: tone train: 1 row left out: an answer is empty: 1",
        ),
        (
            ("kto", PAIR, [("a", "x", "y"), ("b", "z", "v"), ("a", "y", "x")]),
            "warning: tone train: 2 rows whose pair another row holds the other way round: 0, 2",
        ),
        (
            (
                "kto",
                'prompt = "asked", completion = "good", label = "bad"',
                [("a", "x", True), ("b", "y", True), ("c", "z", True)],
            ),
            "error: tone train: no unwanted answer, and KTO learns from both kinds",
        ),
        (
            (
                "sft",
                'prompt = "asked", completion = "good"',
                [("a", "x", 0), ("b", " ", 0), ("c", "z", 0)],
            ),
            "error: tone train: 1 row with a turn of the assistant that says nothing: 1",
        ),
        (
            ("sft", 'text = "good"', [("a", "x", 0), ("b", "\n", 0), ("c", "z", 0)]),
            "error: tone train: 1 row with an empty text: 1",
        ),
        (
            (
                "sft",
                'messages = "asked"',
                [
                    (
                        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
                        "",
                        0,
                    ),
                    ([{"role": "user", "content": "c"}], "", 0),
                    (
                        [{"role": "user", "content": "d"}, {"role": "assistant", "content": "e"}],
                        "",
                        0,
                    ),
                ],
            ),
            "error: tone train: 1 row without a turn of the assistant: 1",
        ),
    ],
)
def test_answers_that_teach_nothing_are_reported(
    case: tuple[str, str, list[tuple[object, object, object]]],
    finding: str,
    tmp_path: Path,
    report: Callable[[Path], list[str]],
) -> None:
    method, columns, rows = case
    spec = HEAD.format(method=method, columns=columns, more="")
    text = lines([{"asked": asked, "good": good, "bad": bad} for asked, good, bad in rows])
    project = write_project(tmp_path / "project", spec, rows__jsonl=text)
    assert report(project) == [finding]


def test_the_weights_of_labels_are_those_of_the_stage(
    tmp_path: Path, report: Callable[[Path], list[str]]
) -> None:
    columns = 'prompt = "asked", completion = "answer", label = "good"'
    text = lines(
        [{"asked": f"{n}?", "answer": f"{n}!", "good": n % 4 == 0} for n in range(40)],
    )
    plain = HEAD.format(method="kto", columns=columns, more="")
    project = write_project(tmp_path / "plain", plain, rows__jsonl=text)
    (finding,) = report(project)
    assert "take a desirable_weight from 3.00 to 4.00" in finding
    weighed = HEAD.format(method="kto", columns=columns, more="desirable_weight = 3.5")
    project = write_project(tmp_path / "weighed", weighed, rows__jsonl=text)
    assert report(project) == []


def test_kto_gets_both_kinds_of_answers_of_pairs_in_a_mixed_order(tmp_path: Path) -> None:
    spec = HEAD.format(method="kto", columns=PAIR, more="")
    text = lines([{"asked": f"{n}?", "good": f"yes {n}", "bad": f"no {n}"} for n in range(64)])
    project = write_project(tmp_path / "project", spec, rows__jsonl=text)
    rows = load(project, "data").load_tone_train()
    labels: list[bool] = rows["label"][:]
    assert len(labels) == 128
    assert sum(labels) == 64
    assert all(row["completion"][0]["content"].startswith("yes") is row["label"] for row in rows)
    # As TRL would unpair them, each batch would hold one kind alone.
    batches = [labels[start : start + 16] for start in range(0, 128, 16)]
    assert all(0 < sum(batch) < 16 for batch in batches)
    assert labels == load(project, "data").load_tone_train()["label"][:]


SWAPPED = "chosen scores below rejected in 100% of 40 pairs; swapped?"
SUMS = lines(
    [
        {
            "question": f"{n}+{n}?",
            "right": f"That is <answer>{2 * n}</answer>.",
            "wrong": f"It makes <answer>{2 * n + 1 + n % 3}</answer>.",
            "solution": f"twice {n} #### {2 * n}",
        }
        for n in range(40)
    ]
)
COMPARED = """
[stages.tone]
method = "dpo"
prompts_per_step = 2
[stages.tone.data]
train = {{ path = "sums.jsonl" }}
columns = {{ question = "question", chosen = "{chosen}", rejected = "{rejected}" }}
gold = {{ column = "solution", after = "####" }}
"""


def compared_spec(chosen: str, rejected: str) -> str:
    chain = SPEC.replace('["warmup", "reasoning"]', '["warmup", "tone", "reasoning"]')
    return chain + COMPARED.format(chosen=chosen, rejected=rejected)


@pytest.mark.parametrize("swapped", [False, True])
def test_field_107_a_maths_reward_tells_that_columns_are_swapped(
    swapped: bool,
    tmp_path: Path,
    report: Callable[[Path], list[str]],
) -> None:
    chosen, rejected = ("wrong", "right") if swapped else ("right", "wrong")
    spec = compared_spec(chosen, rejected)
    project = write_project(tmp_path / "project", spec, sums__jsonl=SUMS)
    found = [line for line in report(project) if "scores below" in line]
    assert found == ([f"error: tone train: by `correct` {SWAPPED}"] if swapped else [])


def test_answers_are_compared_where_no_reward_does(
    tmp_path: Path, report: Callable[[Path], list[str]]
) -> None:
    spec = compared_spec("wrong", "right").replace("correct = 1.0", "xml_tags = 1.0")
    project = write_project(tmp_path / "project", spec, sums__jsonl=SUMS)
    found = [line for line in report(project) if "scores below" in line]
    assert found == [f"error: tone train: by `[answer]` {SWAPPED}"]


@pytest.mark.parametrize(
    ("edit", "finding"),
    [
        (('"solution", after', '"solutions", after'), "unknown-column: "),
        (
            ('gold = { column = "answer" }\n', ""),
            "missing-key: the gold of pairs is compared as `[answer]` and `[data] gold` say",
        ),
        (
            ('chosen = "right", rejected = "wrong"', 'response = "right"'),
            "no-effect: stage `tone` has no pairs of answers to hold against the gold",
        ),
    ],
)
def test_a_gold_of_pairs_is_there_and_compared(
    edit: tuple[str, str], finding: str, tmp_path: Path
) -> None:
    (tmp_path / "sums.jsonl").write_text(SUMS)
    spec = compared_spec("right", "wrong").replace(*edit)
    if "response" in spec:
        spec = spec.replace('method = "dpo"', 'method = "sft"')
    found = said(tmp_path, spec)
    assert any(line.startswith(finding) for line in found), found
