"""Trains each stage a few steps through its own script, on a tiny model, offline, on the CPU.

What needs a GPU or a network, the sizes and the number of steps are replaced, which is printed;
everything else is as the script says. `python -m pytest tests/test_smoke.py` runs only this.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from datasets import Dataset
from transformers import AutoTokenizer, GenerationConfig
from trl import GRPOTrainer

import data
import stages
import train_reasoning
import train_warmup
from checks import Watch, check_labels, check_log, check_result, check_start, check_weights
from crafted import CRAFTED_BATCHES, KINDS, CraftedRollouts
from prompts import ideal_completion
from tiny_model import END_OF_TURN, KIND, write_tiny_model

ROWS = 16  # of the training rows, taken evenly
SFT_SIZES = {
    "max_steps": 4,
    "max_length": 4096,  # the tiny tokenizer needs more tokens for a text
}
ROLLOUT_SIZES = {
    "max_steps": CRAFTED_BATCHES + 1,
    "num_generations": len(KINDS),
    "max_completion_length": 16,
    "use_vllm": False,
    "log_completions": False,
}


@dataclass(frozen=True)
class Stage:
    """A stage: its script, config, start and rows, and the rewards that must not be constant.

    `judges` are reward models, each with the stage that trains it.
    """

    name: str
    script: ModuleType
    config: str
    sizes: dict[str, Any]
    start: str
    loader: str = "load_train"
    judges: tuple[tuple[Any, str], ...] = ()
    must_vary: tuple[str, ...] = ()
    compares: bool = False  # its loss is about the policy beside a reference
    learns_ideals: bool = False
    learns_turns: bool = False


STAGES = (
    Stage("warmup", train_warmup, "SFTConfig", SFT_SIZES, start="base", learns_ideals=True),
    Stage(
        "reasoning",
        train_reasoning,
        "GRPOConfig",
        ROLLOUT_SIZES,
        start="warmup",
        must_vary=("correct", "xml_tags", "well_formed"),
    ),
)


def replacements(stage: Stage, own: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a stage's config that this test sets; `own` are those of the script."""
    accumulation = min(own.get("gradient_accumulation_steps", 1), 2)
    return {
        # what needs a GPU or a network
        "use_cpu": True,
        "bf16": False,
        "fp16": False,
        "tf32": None,
        "gradient_checkpointing": False,
        "optim": "adamw_torch",
        "model_init_kwargs": {"dtype": "float32"},
        "report_to": "none",
        # sizes
        **stage.sizes,
        "max_steps": stage.sizes["max_steps"] * own.get("num_iterations", 1),
        "per_device_train_batch_size": 8 // accumulation,
        "gradient_accumulation_steps": accumulation,
        # what takes time, or hides a broken number
        "eval_strategy": "no",
        "save_strategy": "no",
        "load_best_model_at_end": False,
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "disable_tqdm": True,
    }


def replace(
    stage: Stage, rows: Dataset, outputs: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Put the tiny things in; what is returned fills up when the trainer is built.

    No argument of the script's config but these may differ from what the script says.
    """
    config = getattr(stage.script, stage.config)
    changes = {"rows": f"all -> {len(rows)}"}

    def smoke_config(**own: Any) -> Any:
        replaced = replacements(stage, own)
        result = config(**{**own, **replaced})
        before = {default.name: default.default for default in fields(config)} | own
        for name, value in replaced.items():
            if before[name] != value:
                changes[name] = f"{before[name]!r} -> {value!r}"
        for name in own.keys() - replaced.keys():
            got = getattr(result, name)
            same = got in (own[name], [own[name]])  # a lone loss becomes a list
            assert same, f"{name}={own[name]!r} of `{stage.name}` became {got!r}"
        return result

    monkeypatch.setattr(stage.script, stage.config, smoke_config)
    monkeypatch.setattr(stage.script, stage.loader, lambda: rows)
    held_out = stage.loader.removesuffix("train") + "eval"
    monkeypatch.setattr(stage.script, held_out, lambda: rows, raising=False)
    monkeypatch.setattr(stage.script, "enough_for", lambda prompts, rows: rows, raising=False)
    monkeypatch.setattr(data, "MAX_PROMPT_TOKENS", 1_000_000)
    changes["data.MAX_PROMPT_TOKENS"] = "-> no limit"
    monkeypatch.setattr(stages, "OUTPUTS", outputs)
    if stage.start == "base":
        model = "MODEL" if hasattr(stage.script, "MODEL") else "BASE"
        changes[model] = f"{getattr(stage.script, model)!r} -> a tiny random model, {KIND}"
        monkeypatch.setattr(stage.script, model, str(outputs / "base" / "model"))
    if stage.sizes is ROLLOUT_SIZES:
        changes["enough_for"] = "-> any number of rows"
        changes["generate"] = f"-> crafted completions, but from batch {CRAFTED_BATCHES + 1} on"
    return changes


@cache
def few_rows(loader: str) -> Dataset:
    """A few of the rows that a function of data.py loads."""
    every = getattr(data, loader)()
    count = min(ROWS, len(every))
    return every.select([position * len(every) // count for position in range(count)])


def texts_of(row: dict[str, Any]) -> list[str]:
    """All that a row says: its texts, and those of its messages."""
    texts = [value for value in row.values() if isinstance(value, str)]
    turns = [turn for value in row.values() if isinstance(value, list) for turn in value]
    return texts + [turn["content"] for turn in turns if isinstance(turn, dict)]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the stages' results, with the tiny model as if a stage `base` had left it."""
    folder = tmp_path_factory.mktemp("outputs")
    rows = [row for stage in STAGES for row in few_rows(stage.loader).to_list()]
    texts = [text for row in rows for text in texts_of(row)]
    texts += [ideal_completion(row) for row in few_rows("load_train").to_list()]
    write_tiny_model(folder / "base" / "model", texts)
    return folder


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_stage(
    stage: Stage,
    outputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    record_property: Callable[[str, object], None],
) -> None:
    """The stage trains on something that can be learnt, and saves what it trained."""

    def report(kind: str, text: str) -> None:
        record_property(kind, text)
        with capsys.disabled():
            print(f"\n{stage.name}: {text}")

    for needed in (stage.start, *(judge for _, judge in stage.judges)):
        if not (outputs / needed / "model").is_dir():
            pytest.skip(f"`{stage.name}` needs the model of `{needed}`, which left none")
    start = outputs / stage.start / "model"
    rows = few_rows(stage.loader)
    changes = replace(stage, rows, outputs, monkeypatch)
    trainer = stage.script.build_trainer()
    warned = [record.getMessage() for record in caplog.records]
    wrong = [text for text in warned if "is not a prefix" in text or "the loss mask" in text]
    assert not wrong, f"`{stage.name}` learns other tokens than it should: {wrong[0]}"
    said = "".join(f"\n  {name} {change}" for name, change in changes.items())
    report("replaced", f"replaced{said}")

    examples = rows.to_list()
    tokenizer = trainer.processing_class
    watch = Watch(torch.tensor([tokenizer(texts_of(examples[0])[0])["input_ids"]]))
    trainer.add_callback(watch)
    if stage.learns_ideals:
        check_labels(trainer, examples)
    rollouts = None
    if isinstance(trainer, GRPOTrainer):
        rollouts = CraftedRollouts(trainer, examples)
        monkeypatch.setattr(trainer.model, "generate", rollouts.generate)
    monkeypatch.setattr(stage.script, "build_trainer", lambda: trainer)
    stage.script.main()

    losses = check_log(stage.name, trainer)
    verdict = f"trained {len(losses)} steps with {stage.config}"
    verdict += f", loss {losses[0]:.4f} to {losses[-1]:.4f}"
    learnable = True
    if rollouts is not None:
        varying, constant = rollouts.check_rewards(stage.must_vary)
        assert rollouts.sampled_tokens, f"`{stage.name}` sampled no batch"
        learnable = any(rollouts.weights[name] for name in varying)
        verdict += f", rewards vary: {', '.join(varying) or 'none'}"
        verdict += f", constant in some groups: {', '.join(constant)}" if constant else ""
        if not learnable:
            verdict += "; warning: no paid reward tells the crafted completions apart"
    check_start(stage.name, watch, stage.start, start)
    check_weights(stage.name, watch, learnable)
    check_result(stage.name, watch, outputs / stage.name, tokenizer)
    report("verdict", verdict)


@pytest.mark.skipif(not (stages.HERE / "export.py").is_file(), reason="there is no export.py")
def test_export(
    outputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    """What the last stage trained is exported, and answers as it did."""
    import export  # here, since the project works without it

    if not (outputs / export.LAST / "run.json").is_file():
        pytest.skip(f"`{export.LAST}` left no model")
    monkeypatch.setattr(stages, "OUTPUTS", outputs)
    monkeypatch.setattr(export, "OUTPUTS", outputs)
    monkeypatch.setattr(export, "BASE", str(outputs / "base" / "model"), raising=False)
    monkeypatch.setattr(export, "MODEL", str(outputs / "base" / "model"), raising=False)
    monkeypatch.setattr(export, "DTYPE", "float32")
    monkeypatch.setattr(export, "DEVICE", "cpu")
    last = next(stage for stage in STAGES if stage.name == export.LAST)
    monkeypatch.setattr(export, last.loader, lambda: few_rows(last.loader))
    export.export()
    said = capsys.readouterr().out
    record_property("verdict", next(line for line in said.splitlines() if "difference" in line))
    saved = AutoTokenizer.from_pretrained(outputs / "export")
    ends = GenerationConfig.from_pretrained(outputs / "export").eos_token_id
    assert saved.convert_tokens_to_ids(END_OF_TURN) in ends, "the export does not end its turns"
