"""outputs/report.html: what it shows of runs that ended, that still train, and that broke."""

import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project
from tests.watching.runs import rollout_log, write_completions, write_run

HOSTILE = "</pre><script>alert(1)</script> &amp; <b>"
VOID = {"meta", "line", "circle", "path"}


class Page(HTMLParser):
    """Collects the texts and the attributes of a page, and holds that its tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.values: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [f"{name}={value}" for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [f"{name}={value}" for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    spec = SPEC.replace("[prompt]", "eval = { holdout = 2 }\n[prompt]", 1)
    return write_project(tmp_path / "project", spec)


def report(project: Path) -> Page:
    load(project, "report").main()
    return Page((project / "outputs" / "report.html").read_text(encoding="utf-8"))


def test_the_page_stands_alone(project: Path) -> None:
    write_run(project, "reasoning", rollout_log())
    page = report(project)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert [value for value in page.values if re.match("(src|href)=(?!#)", value)] == []
    assert "url(" not in (project / "report.css").read_text()


def test_it_shows_each_stage_with_its_curves(project: Path) -> None:
    write_run(project, "warmup", [{"loss": 2.5 / step, "step": step} for step in (1, 2, 3)])
    write_run(project, "reasoning", rollout_log())
    texts = report(project).texts
    for title in ("Reward", "Rewards, raw", "Loss", "Groups without spread", "Entropy"):
        assert title in texts
    assert "KL to the start" not in texts, "it is not logged with beta = 0"
    assert texts.count("Loss") == 2
    assert "0.5" in texts, "the last reward, which rose from 0.25"


def test_a_stage_that_still_trains_is_shown_by_its_newest_checkpoint(project: Path) -> None:
    write_run(project, "reasoning", rollout_log(20), ended=False)
    write_run(project, "reasoning", rollout_log(25), ended=False)
    page = report(project)
    assert "25 steps of 500 so far" in page.texts
    at = page.texts.index("learning_rate", page.texts.index("Recipe"))
    assert page.texts[at + 1] == "1e-05"


def test_a_half_written_file_is_passed_over(project: Path) -> None:
    folder = write_run(project, "reasoning", rollout_log(20), ended=False)
    (folder / "run.json").write_text('{"log": [{"step"')
    assert "20 steps of 500 so far" in report(project).texts


def test_without_a_run_there_is_nothing_to_report(project: Path) -> None:
    with pytest.raises(SystemExit, match="no stage has logged anything yet"):
        report(project)


def test_text_of_a_model_is_shown_and_never_run(project: Path) -> None:
    folder = write_run(project, "reasoning", rollout_log())
    write_completions(folder, 5, {"right": 1.0, HOSTILE: 0.0})
    page = report(project)
    assert HOSTILE in page.texts
    assert "script" not in page.tags


def test_it_shows_the_best_and_the_worst_of_the_first_and_the_last_table(project: Path) -> None:
    folder = write_run(project, "reasoning", rollout_log())
    write_completions(folder, 5, {"early wrong": 0.0, "early half": 0.5, "early right": 1.0})
    write_completions(folder, 10, {"between": 1.0})
    write_completions(folder, 15, {"late wrong": 0.0, "late right": 1.0})
    texts = report(project).texts
    shown = [text for text in texts if text.startswith(("early", "late", "between"))]
    assert shown == ["early right", "early wrong", "late right", "late wrong"]
    assert "step 15, best" in texts
    at = texts.index("late right")
    assert texts[at + 1 : at + 7] == ["total", "2", "correct", "1", "advantage", "0.5"]


def test_weighted_rewards_are_means_times_weights(tmp_path: Path) -> None:
    spec = SPEC.replace(
        "[stages.warmup]", '[rewards.tags]\nkind = "xml_tags"\nweight = 0.5\n[stages.warmup]'
    )
    project = write_project(tmp_path / "project", spec)
    log = rollout_log(rewards__tags__mean=0.8)
    folder = write_run(project, "reasoning", log)
    recipe = {"rewards": {"correct": "2.0", "tags": "0.5"}}
    (folder / "recipe.json").write_text(json.dumps(recipe))
    module = load(project, "report")
    run = module.read_run("reasoning")
    assert run.log[-1]["rewards/correct/weighted"] == pytest.approx(2.0 * 0.5)
    assert run.log[-1]["rewards/tags/weighted"] == pytest.approx(0.5 * 0.8)
    assert "Rewards, weighted" in report(project).texts


def test_values_that_are_no_number_leave_a_gap(project: Path) -> None:
    broken = rollout_log(loss=lambda step: math.nan if step > 10 else 0.5, kl=math.inf)
    write_run(project, "reasoning", broken)
    page = report(project)
    assert "no value is a number" in page.texts
    assert not [value for value in page.values if re.search(r"\b(nan|inf)\b", value)]


def test_a_reward_that_judged_nothing_has_no_curve(project: Path) -> None:
    write_run(project, "reasoning", rollout_log(rewards__correct__mean=None))
    assert "Rewards, raw" not in report(project).texts


def test_alarms_stand_before_the_curves(project: Path) -> None:
    folder = write_run(project, "reasoning", rollout_log())
    alarm = {"step": 20, "alarm": "cut", "text": "completions <are> cut"}
    (folder / "alarms.jsonl").write_text(json.dumps(alarm) + "\n")
    texts = report(project).texts
    assert "completions <are> cut" in texts
    assert "1 alarm" in texts


def estimate(mean: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}


def test_the_held_out_scores_stand_beside_each_other(project: Path) -> None:
    write_run(project, "reasoning", rollout_log())
    won = {"row": 7, "prompt": "3+3?", "before": "<b>5", "completion": "6"}
    gain = {"better": 9, "worse": 1, "p": 0.02, "difference": estimate(0.5)}
    models = {
        "base": {"rows": 2, "pass_at": {"1": estimate(0.25)}, "against": {}},
        "reasoning": {
            "rows": 2,
            "pass_at": {"1": estimate(0.75)},
            "rewards": {"correct": estimate(0.75)},
            "tokens": {"mean": 31.0, "low": None, "high": None},
            "against": {"base": {"measures": {"pass@1": gain}, "won": [won], "lost": []}},
        },
    }
    (project / "outputs" / "evaluation.json").write_text(json.dumps({"models": models}))
    texts = report(project).texts
    at = texts.index("pass at 1")
    assert texts[at : at + 5] == ["pass at 1", "0.25", "0.15 to 0.35", "0.75", "0.65 to 0.85"]
    assert texts[texts.index("tokens") + 1] == "31"
    assert texts[texts.index("pass@1 against base") + 1] == "9 better, 1 worse"
    at = texts.index("row 7, won")
    assert texts[at : at + 6] == ["row 7, won", "3+3?", "base", "<b>5", "now", "6"]


def test_held_out_metrics_are_dashed_beside_those_of_training(project: Path) -> None:
    log = [{"loss": 2.0, "step": 5}, {"eval_loss": 2.5, "step": 5}, {"loss": 1.0, "step": 10}]
    write_run(project, "warmup", log)
    page = report(project)
    assert "loss, held out" in page.texts
    assert any("dashed" in value for value in page.values)


@pytest.mark.parametrize("low", [-1e9, -3.0, 0.0, 1e-9])
@pytest.mark.parametrize("high", [1e-7, 0.5, 3.0, 1e9])
def test_an_axis_has_a_few_round_numbers_within_it(low: float, high: float, project: Path) -> None:
    charts = load(project, "charts")
    ends = charts.limits([low, high])
    ticks = charts.ticks(*ends)
    assert 2 <= len(ticks) <= 7
    assert all(ends[0] <= tick <= ends[1] for tick in ticks)


def test_no_other_file_of_the_project_needs_the_report(project: Path) -> None:
    own = {"report", "charts", "samples", "scores"}
    for path in project.rglob("*.py"):
        found = set(re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE))
        assert path.stem in own or not found & own, path


def test_the_command_names_the_file(project: Path) -> None:
    write_run(project, "reasoning", rollout_log())
    done = subprocess.run(
        [sys.executable, "report.py"], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("report.html")
