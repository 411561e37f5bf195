"""What the smoke test holds a trained stage to; each message names the place to look at."""

import json
import math
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    GenerationConfig,
    Trainer,
    TrainerCallback,
)
from trl import SFTTrainer

from prompts import ideal_completion
from tiny_model import END_OF_TURN


@dataclass
class Watch(TrainerCallback):
    """The trained weights, and the model's answer to one text, before and after training."""

    probe: torch.Tensor
    weights: list[dict[str, torch.Tensor]] = field(default_factory=list)
    logits: list[torch.Tensor] = field(default_factory=list)
    states: list[torch.Tensor] = field(default_factory=list)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Look at the model that the stage starts from."""
        self.look(kwargs["model"])

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Look at the trained model."""
        self.look(kwargs["model"])

    def look(self, model: torch.nn.Module) -> None:
        """Note what the model is now."""
        named = [pair for pair in model.named_parameters() if pair[1].requires_grad]
        self.weights.append({name: weight.detach().clone() for name, weight in named})
        self.logits.append(logits_of(model, self.probe))
        self.states.append(states_of(model, self.probe))


def check_labels(trainer: SFTTrainer, rows: list[dict[str, Any]]) -> None:
    """SFT learns ideal completions, each with its end-of-turn token, and nothing else."""
    tokenizer: Any = trainer.processing_class
    expected = set()
    for row in rows:
        prompt = tokenizer.apply_chat_template(
            row["prompt"], add_generation_prompt=True, tokenize=False
        )
        answer = {"role": "assistant", "content": ideal_completion(row)}
        whole = tokenizer.apply_chat_template([*row["prompt"], answer], tokenize=False)
        expected.add(whole.removeprefix(prompt))
    for batch in trainer.get_train_dataloader():
        for labels in batch["labels"].tolist():
            runs = groupby(labels, key=lambda label: label != -100)
            learnt = [tokenizer.decode(list(run)) for is_learnt, run in runs if is_learnt]
            assert learnt, "SFT learns nothing of a row: see to_prompt_completion in data.py"
            for text in learnt:
                assert END_OF_TURN in text, f"SFT does not learn to end its turn: {text!r}"
                assert text in expected, f"SFT learns what is no ideal completion: {text!r}"


def check_log(stage: str, trainer: Trainer) -> list[float]:
    """The losses; they and the gradients are finite."""
    steps = [entry for entry in trainer.state.log_history if "loss" in entry]
    wanted = trainer.args.max_steps
    assert len(steps) == wanted, f"`{stage}` trained {len(steps)} of {wanted} steps"
    for entry in steps:
        for name in ("loss", "grad_norm"):
            message = f"{name} of `{stage}` is {entry[name]} at step {entry['step']}"
            assert math.isfinite(entry[name]), message
    return [entry["loss"] for entry in steps]


def check_start(stage: str, watch: Watch, begin: str, start: Path) -> None:
    """The stage started from the model that it should."""
    message = f"`{stage}` did not start from the model of `{begin}`"
    # A reward model has a new head, and is compared by what that is given.
    model = load_model(start)
    same = close(watch.states[0], states_of(model, watch.probe))
    if watch.logits[0].shape[-1] > 1:
        same = close(watch.logits[0], logits_of(model, watch.probe))
    assert same, f"{message}: see train_{stage}.py"


def check_reference(stage: str, watch: Watch, trainer: Any, start: Path) -> str:
    """The reference is the model that the stage started from, and its first step was there."""
    first = next(entry for entry in trainer.state.log_history if "loss" in entry)
    for name in ("rewards/chosen", "rewards/rejected", "rewards/margins", "kl"):
        apart = first.get(name, 0.0)
        message = f"{name} of `{stage}` is {apart} at the first step, and not 0"
        assert not abs(apart) > 1e-4, f"{message}: its reference is not its start"
    if not trainer.args.beta or getattr(trainer.args, "precompute_ref_log_probs", False):
        return ""
    if trainer.ref_model is None:
        with trainer.model.disable_adapter():
            reference = logits_of(trainer.model, watch.probe)
    else:
        reference = logits_of(trainer.ref_model, watch.probe)
    same = close(reference, logits_of(load_model(start), watch.probe))
    assert same, f"the reference of `{stage}` is not its start: see train_{stage}.py"
    return ", with its start as reference"


def check_weights(stage: str, watch: Watch, learnable: bool) -> None:
    """Training changed the weights."""
    before, after = watch.weights
    changed = any(not torch.equal(before[name], after[name]) for name in before)
    message = f"`{stage}` changed no weight: see learning_rate"
    assert changed or not learnable, f"{message} in train_{stage}.py"


def check_result(stage: str, watch: Watch, folder: Path, tokenizer: Any) -> None:
    """What was saved answers as the trained model did, with the same tokenizer."""
    same = close(watch.logits[1], logits_of(load_model(folder / "model"), watch.probe))
    assert same, f"the saved model of `{stage}` is not the trained one: see stages.py"
    saved = AutoTokenizer.from_pretrained(folder / "model")
    kept = saved.chat_template == tokenizer.chat_template
    assert kept, f"the saved tokenizer of `{stage}` has another chat template: see stages.py"
    pads = f"the saved tokenizer of `{stage}` pads with its end token {saved.eos_token}"
    assert saved.pad_token_id != saved.eos_token_id, f"{pads}: see train_{stage}.py"
    if (folder / "model" / "generation_config.json").is_file():  # a classifier writes nothing
        check_stops(stage, folder / "model", saved.convert_tokens_to_ids(END_OF_TURN))
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert run["stage"] == stage, f"run.json of `{stage}` names `{run['stage']}`"


def check_stops(stage: str, folder: Path, end_of_turn: int) -> None:
    """The saved model stops at the end of its turn."""
    declared = GenerationConfig.from_pretrained(folder).eos_token_id
    ends = declared if isinstance(declared, list) else [declared]
    message = f"the saved model of `{stage}` does not stop at {END_OF_TURN}"
    assert end_of_turn in ends, f"{message}: see stages.py"


def load_model(folder: Path) -> torch.nn.Module:
    """The model in a folder."""
    kinds = AutoConfig.from_pretrained(folder).architectures or []
    if kinds[0].endswith("ForSequenceClassification"):
        return AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


@torch.no_grad()
def states_of(model: torch.nn.Module, probe: torch.Tensor) -> torch.Tensor:
    """What the head of the model is given, without dropout."""
    training = model.training
    states = model.eval()(probe, output_hidden_states=True).hidden_states[-1]
    model.train(training)
    return states


@torch.no_grad()
def logits_of(model: torch.nn.Module, probe: torch.Tensor) -> torch.Tensor:
    """What the model answers, without dropout."""
    training = model.training
    logits = model.eval()(probe).logits
    model.train(training)
    return logits


def close(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Whether two answers differ by no more than rounding."""
    return torch.allclose(first, second, rtol=0, atol=1e-4)
