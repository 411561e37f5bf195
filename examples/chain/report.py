"""Draws what the runs logged: `python report.py` writes outputs/report.html.

One file, which loads nothing: it can be read offline and sent on. A stage that still trains is shown
as far as its newest checkpoint knows.
"""

import json
import re
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from charts import Line, chart, short
from samples import samples
from scores import evaluation
from stages import HERE, OUTPUTS

Entry = dict[str, Any]  # of a log

STYLE = HERE / "report.css"
TITLE = "kind-replies"
STAGES = ("imitate", "judge", "improve")
# Of the config, what a reader asks for first; the whole of it is folded away below.
RECIPE = (
    "seed",
    "num_train_epochs",
    "learning_rate",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "max_length",
    "model_init_kwargs",
    "bf16",
    "gradient_checkpointing",
    "logging_steps",
    "save_steps",
    "save_total_limit",
    "report_to",
    "max_steps",
    "shuffle_dataset",
    "num_generations",
    "max_completion_length",
    "temperature",
    "use_vllm",
    "vllm_mode",
    "beta",
    "log_completions",
)


class Chart(NamedTuple):
    """A chart: what it shows, by a pattern of TRL's names, and how it is read.

    A line is called what the pattern's group holds, or as the metric. `share`: from 0 to 1.
    """

    title: str
    metrics: str
    note: str = ""
    share: bool = False


CHARTS = (
    Chart("Reward", "reward", note="the weighted sum, before any scaling"),
    Chart("Rewards, raw", "rewards/(.+)/mean", note="the mean of each reward alone"),
    Chart(
        "Rewards, weighted",
        "rewards/(.+)/weighted",
        note="what each adds to the sum: its mean times its weight",
    ),
    Chart(
        "Groups without spread",
        "frac_reward_zero_std",
        note="the share of prompts whose completions all score alike: nothing is learnt from them",
        share=True,
    ),
    Chart(
        "Completions cut",
        "completions/clipped_ratio",
        note="the share that reached the limit before an end token",
        share=True,
    ),
    Chart("Length of completions", "completions/(mean|min|max)_length", note="in tokens"),
    Chart("Scores", "(mean|min|max)_reward", note="what the model gives to an answer"),
    Chart("Accuracy", "accuracy", note="the share of pairs in order", share=True),
    Chart("Margin", "margin", note="chosen less rejected"),
    Chart("Loss", "loss"),
    Chart("Tokens predicted", "mean_token_accuracy", share=True),
    Chart("KL to the start", "kl", note="in nats"),
    Chart("Entropy", "entropy", note="in nats for each token"),
    Chart("Gradient norm", "grad_norm"),
    Chart("Learning rate", "learning_rate"),
)


class Run(NamedTuple):
    """What a stage left behind so far; `facts` is its run.json, or what is known before it ends."""

    stage: str
    state: str
    log: list[Entry]
    facts: dict[str, Any]
    alarms: list[dict[str, Any]]
    weights: dict[str, float]  # of its rewards


def main() -> None:
    """Write the report of all stages that have begun."""
    runs = [run for run in map(read_run, STAGES) if run is not None]
    if not runs:
        raise SystemExit("no stage has logged anything yet: there is nothing to report")
    path = OUTPUTS / "report.html"
    path.write_text(page(runs), encoding="utf-8")
    print(f"the report is {path}")


def read_run(stage: str) -> Run | None:
    """What is known of a stage, None before its first checkpoint."""
    folder = OUTPUTS / stage
    recipe = read_json(folder / "recipe.json")
    facts = read_json(folder / "run.json") or {"config": recipe.get("config", {})}
    states = [read_json(path) for path in folder.glob("checkpoint-*/trainer_state.json")]
    newest = max(states, key=lambda state: state.get("global_step", 0), default={})
    log = max(facts.get("log", []), newest.get("log_history", []), key=len)
    if not log:
        return None
    ended = (folder / "model" / "config.json").is_file()
    steps = f"{log[-1]['step']:,} steps"
    state = steps if ended else f"{steps} of {newest.get('max_steps', 0):,} so far"
    alarms = folder / "alarms.jsonl"
    lines = alarms.read_text(encoding="utf-8").splitlines() if alarms.is_file() else []
    told = [json.loads(line) for line in lines]
    weights = weights_of(log, recipe)
    return Run(stage, state, with_weighted(log, weights), facts, told, weights)


def read_json(path: Path) -> dict[str, Any]:
    """A file's table; an empty one where there is no file, or one half written."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def page(runs: list[Run]) -> str:
    """The whole file."""
    links = "".join(f'<a href="#{run.stage}">{run.stage}</a>' for run in runs)
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(TITLE)}</title><style>{STYLE.read_text(encoding='utf-8')}</style>",
            f"</head><body><header><h1>{escape(TITLE)}</h1><nav>{links}</nav></header>",
            overview(runs),
            evaluation(read_json(OUTPUTS / "evaluation.json")),
            *map(section, runs),
            "</body></html>\n",
        ]
    )


def overview(runs: list[Run]) -> str:
    """A card for each stage: how far it is, where its first chart began and where it is."""
    cards = []
    for run in runs:
        first = next((shown for shown in CHARTS if lines_of(run.log, shown)), None)
        moved = ""
        if first is not None:
            points = lines_of(run.log, first)[0].points
            moved = (
                f"{escape(first.title)} {short(points[0][1])} &rarr; <b>{short(points[-1][1])}</b>"
            )
        count = len(run.alarms)
        alarms = f'<span class="alarm">{count} alarm{"s" * (count != 1)}</span>' if count else ""
        cards.append(
            f'<a class="card" href="#{run.stage}"><h2>{run.stage}</h2>'
            f"<p>{run.state} {alarms}</p><p>{moved}</p></a>"
        )
    return f'<div class="cards">{"".join(cards)}</div>'


def section(run: Run) -> str:
    """All about one stage."""
    drawn = [
        chart(shown.title, shown.note, lines, share=shown.share)
        for shown in CHARTS
        if (lines := lines_of(run.log, shown))
    ]
    return "\n".join(
        [
            f'<section id="{run.stage}"><h2>{run.stage} <small>{run.state}</small></h2>',
            alarm_list(run.alarms),
            f'<div class="charts">{"".join(drawn)}</div>',
            samples(OUTPUTS / run.stage / "completions", run.weights),
            recipe(run.facts),
            "</section>",
        ]
    )


def lines_of(log: list[Entry], shown: Chart) -> list[Line]:
    """The lines of a chart: what was measured while training, and dashed on held-out rows."""
    names = dict.fromkeys(name for entry in log for name in entry)
    lines = []
    for name in names:
        found = re.fullmatch(f"(?P<held_out>eval_)?(?:{shown.metrics})", name)
        if found is not None:
            held_out, *groups = found.groups()
            label = next(filter(None, groups), name.rpartition("/")[2].removeprefix("eval_"))
            lines.append(
                Line(f"{label}, held out" if held_out else label, series(log, name), bool(held_out))
            )
    return [line for line in lines if line.points]


def series(log: list[Entry], name: str) -> list[tuple[float, float]]:
    """The values of a metric by step; it is None where a reward judged nothing."""
    return [(entry["step"], entry[name]) for entry in log if entry.get(name) is not None]


def weights_of(log: list[Entry], recipe: dict[str, Any]) -> dict[str, float]:
    """The weight of each reward: the number that it is, or the last one that it moved to."""
    weights: dict[str, float] = {}
    for name, weight in recipe.get("rewards", {}).items():
        moved = series(log, f"rewards/{name}/weight")
        if moved or re.fullmatch(r"[\d.e+-]+", weight):
            weights[name] = moved[-1][1] if moved else float(weight)
    return weights


def with_weighted(log: list[Entry], weights: dict[str, float]) -> list[Entry]:
    """The log with what each reward adds to the sum, where its weight did not move and log it."""
    for entry in log:
        for name, weight in weights.items():
            raw = entry.get(f"rewards/{name}/mean")
            if raw is not None:
                entry.setdefault(f"rewards/{name}/weighted", weight * raw)
    return log


def alarm_list(alarms: list[dict[str, Any]]) -> str:
    """The alarms of a run, in their order."""
    items = [f"<li><b>step {alarm['step']}</b> {escape(alarm['text'])}</li>" for alarm in alarms]
    return f'<ul class="alarms">{"".join(items)}</ul>' if items else ""


def recipe(facts: dict[str, Any]) -> str:
    """What was run: the recipe, the rows, the versions, and all else folded away."""
    config = facts["config"]
    told = {name: config[name] for name in RECIPE if config.get(name) is not None}
    if "start" in facts:
        told |= {"starts from": facts["start"].removeprefix(f"{HERE}/")}
        told |= {"rows": facts["rows"]["count"]}
    if not told:
        return ""
    versions = facts.get("versions", {})
    return (
        f"<h3>Recipe</h3>{pairs(told)}<details><summary>Versions and every setting</summary>"
        f"{pairs(versions)}{pairs(facts.get('sources', {}))}{pairs(config)}</details>"
    )


def pairs(table: dict[str, Any]) -> str:
    """Names with their values."""
    shown = [
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in table.items()
    ]
    return f"<dl>{''.join(shown)}</dl>"


if __name__ == "__main__":
    main()
