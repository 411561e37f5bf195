"""What hand-made completions are worth, and how two models are held against each other."""

from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.projects import SPEC, load, write_project

EVAL = SPEC.replace(
    'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 4 }'
)
LABELLED = (
    EVAL.replace("[prompt]", 'options = ["spam", "ham"]\n[prompt]')
    .replace('compare = "number"', "")
    .replace('tag = "answer"', 'tag = "answer"\ncompare = "text"\ncase = "fold"')
)
MAIL = "".join(
    f'{{"question": "mail {number}", "answer": "{("spam", "ham")[number % 2]}"}}\n'
    for number in range(12)
)


def said(answer: object) -> str:
    return f"<answer>{answer}</answer>"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = EVAL.replace("correct = 1.0", "correct = 1.0\nxml_tags = 0.5")
    return write_project(tmp_path_factory.mktemp("evaluation") / "project", spec)


def graded(project: Path, texts: list[list[str]]) -> tuple[Any, Any]:
    grading = load(project, "grading")
    rows: list[dict[str, Any]] = load(project, "data").load_eval().to_list()
    golds = [row["gold"] for row in rows]
    filled = [
        [text.replace("GOLD", gold) for text in said]
        for said, gold in zip(texts, golds, strict=True)
    ]
    return grading, grading.grade(rows, filled)


RIGHT, WRONG, NONE = said("GOLD"), said("no"), "no idea"


def test_figures_are_means_over_rows(project: Path) -> None:
    texts = [[RIGHT, RIGHT], [RIGHT, WRONG], [WRONG, NONE], [NONE, NONE]]
    grading, found = graded(project, texts)
    figures = grading.figures(found)
    assert figures["pass_at"]["1"]["mean"] == pytest.approx(3 / 8)
    assert figures["pass_at"]["2"]["mean"] == pytest.approx(2 / 4)
    assert figures["unreadable"]["mean"] == pytest.approx(3 / 8)
    assert figures["rewards"]["correct"]["mean"] == pytest.approx(3 / 8)
    assert figures["rewards"]["xml_tags"]["mean"] == pytest.approx(5 / 8)


def test_the_interval_is_of_rows_and_not_of_their_completions(project: Path) -> None:
    grading, once = graded(project, [[RIGHT], [WRONG], [RIGHT], [WRONG]])
    _, often = graded(project, [[RIGHT] * 8, [WRONG] * 8, [RIGHT] * 8, [WRONG] * 8])
    for measure in ("rewards", "pass_at"):
        first = next(iter(grading.figures(once)[measure].values()))
        assert next(iter(grading.figures(often)[measure].values())) == first


def test_rows_are_won_and_lost(project: Path) -> None:
    grading, before = graded(project, [[WRONG, WRONG], [RIGHT, NONE], [RIGHT, RIGHT], [NONE, NONE]])
    _, after = graded(project, [[RIGHT, WRONG], [RIGHT, RIGHT], [WRONG, RIGHT], [WRONG, WRONG]])
    found = grading.compare(after, before)
    measure = found["measures"]["pass@1"]
    assert (measure["better"], measure["worse"], measure["alike"]) == (2, 1, 1)
    assert measure["p"] == 1.0
    assert measure["difference"]["mean"] == pytest.approx(fmean([0.5, 0.5, -0.5, 0.0]))
    rows = [row["row_number"] for row in after.rows]
    assert {example["row"] for example in found["won"]} == {rows[0], rows[1]}
    (lost,) = found["lost"]
    assert (lost["row"], lost["completion"]) == (rows[2], WRONG)
    assert lost["before"] == said(lost["gold"])
    won = next(example for example in found["won"] if example["row"] == rows[1])
    assert (won["completion"], won["before"]) == (said(won["gold"]), NONE)


def test_labels_have_f1_and_a_table_of_which_was_given(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", LABELLED, train__jsonl=MAIL)
    grading = load(project, "grading")
    rows: list[dict[str, Any]] = [
        {"gold": gold, "row_number": number, "prompt": [{"role": "user", "content": "?"}]}
        for number, gold in enumerate(("spam", "spam", "ham", "ham"))
    ]
    found = grading.grade(rows, [[said("SPAM")], [said("ham")], [said("ham")], [said("fish")]])
    labels = grading.figures(found)["labels"]
    assert labels["confusion"] == {
        "spam": {"spam": 1, "ham": 1, "(none)": 0},
        "ham": {"spam": 0, "ham": 1, "(none)": 1},
    }
    assert labels["macro_f1"] == pytest.approx((2 / 3 + 2 / 4) / 2)


def test_without_right_and_wrong_the_heaviest_reward_decides(tmp_path: Path) -> None:
    spec = EVAL.replace('gold = { column = "answer" }\n', "")
    spec = spec.replace('[answer]\nextract = "xml"\ntag = "answer"\n', "")
    spec = spec.replace(
        "correct = 1.0", 'xml_tags = { kind = "xml_tags", weight = 0.5, tags = ["answer"] }'
    )
    spec = spec.replace(
        "[stages.warmup]",
        '[rewards.short]\nkind = "length"\nmax_characters = 9\nweight = 2.0\n[stages.warmup]',
    )
    project = write_project(tmp_path / "project", spec)
    grading = load(project, "grading")
    assert grading.MEASURE == "short"
    rows: list[dict[str, Any]] = load(project, "data").load_eval().to_list()[:1]
    found = grading.compare(grading.grade(rows, [["hm"]]), grading.grade(rows, [["h" * 99]]))
    assert found["measures"]["short"]["better"] == 1
    assert "gold" not in found["won"][0]
    assert "pass_at" not in grading.figures(grading.grade(rows, [["hm"]]))
