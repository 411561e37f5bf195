"""Writes the model of the last stage to outputs/export, and compares it with what was trained.

Run with `python export.py` once that stage has ended; `--chat` then talks to the exported model.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer, TextStreamer

from data import load_train
from prompts import SYSTEM
from rewards import MIXES
from stages import OUTPUTS, merged, result_of

# The stages that the model went through, and where each started.
CHAIN = {"imitate": "HuggingFaceTB/SmolLM2-360M-Instruct", "improve": "imitate"}
LAST = "improve"
DTYPE = "bfloat16"
DEVICE = "cuda"
PROMPTS, PLACES = 8, 32  # so many prompts are compared, at the last tokens of each
# Where two tokens are nearer than this share of the largest logit, rounding decides which is first.
TIE = 1 / 64
CARD = """\
---
base_model: "HuggingFaceTB/SmolLM2-360M-Instruct"
library_name: transformers
pipeline_tag: text-generation
tags: [trl, sft, rloo]
---

# kind-replies

Replies of a shop: imitated first, then paid by a reward model that learns from preferences

Adapters, merged into HuggingFaceTB/SmolLM2-360M-Instruct, on data/requests.jsonl and data/pairs.jsonl.
"""


def main() -> None:
    """Export, or talk to what was exported."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chat", action="store_true", help="talk to the exported model")
    if parser.parse_args().chat:
        chat()
    else:
        export()


def export() -> None:
    """Write outputs/export; exits 1 where it does not answer as the trained model does."""
    folder = OUTPUTS / "export"
    tokenizer = AutoTokenizer.from_pretrained(result_of(LAST))
    prompts = [
        tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=False)
        for prompt in load_train()["prompt"][:PROMPTS]
    ]
    expected = logits_of(trained_model(dtype=DTYPE), prompts)
    write(folder, tokenizer)
    # The type Any, since the auto class does not promise a model that generates.
    exported: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", device_map=DEVICE)
    found = logits_of(exported, prompts)
    compare(expected, found)
    (folder / "README.md").write_text(model_card(), encoding="utf-8")
    print(f"saved in {exported.dtype} to {folder}")


def trained_model(**options: Any) -> Any:
    """The model as trained: its start, loaded with these options, and the adapter beside it."""
    base = AutoModelForCausalLM.from_pretrained(
        result_of("imitate"),
        device_map=DEVICE,
        **options,
    )
    return PeftModel.from_pretrained(base, str(OUTPUTS / LAST / "adapter"))


def write(folder: Path, tokenizer: Any) -> None:
    """Save the model, its tokenizer with the chat template, and the tokens that end an answer."""
    model = merged(result_of("imitate"), OUTPUTS / LAST / "adapter").to(getattr(torch, DTYPE))
    ends = end_tokens(tokenizer, model.generation_config.eos_token_id)
    model.generation_config.eos_token_id = ends
    padding = tokenizer.pad_token_id
    model.generation_config.pad_token_id = ends[0] if padding is None else padding
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def end_tokens(tokenizer: Any, declared: int | list[int] | None) -> list[int]:
    """The tokens that the start and the tokenizer declare, and the one behind an answer in a chat.

    A base model declares only the end of a text, and would go on after the end of its turn.
    """
    turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "done"}]
    behind = tokenizer.apply_chat_template(turns, tokenize=False).rpartition("done")[2]
    turn_end = tokenizer.encode(behind.strip(), add_special_tokens=False)[:1]
    ends = {token for token in turn_end if token in tokenizer.added_tokens_decoder}
    ends.update([declared] if isinstance(declared, int) else declared or [])
    return sorted(ends | {tokenizer.eos_token_id} - {None})


@torch.inference_mode()
def logits_of(model: Any, prompts: list[list[int]]) -> list[torch.Tensor]:
    """What the model answers at the last places of each prompt."""
    model.eval()
    batches = (torch.tensor([prompt], device=model.device) for prompt in prompts)
    return [model(batch).logits[0, -PLACES:].float().cpu() for batch in batches]


def compare(expected: list[torch.Tensor], found: list[torch.Tensor]) -> None:
    """Print how far the two are apart; exits 1 where that is more than rounding."""
    pairs = list(zip(expected, found, strict=True))
    apart = max((first - second).abs().max().item() for first, second in pairs)
    places = sum(map(len, expected))
    others = sum(int((first.argmax(-1) != second.argmax(-1)).sum()) for first, second in pairs)
    wrong = sum(map(changed, expected, found))
    print(f"the largest difference of a logit is {apart:.3g}")
    print(f"of {places} top tokens {others} are others, {wrong} of them by more than rounding")
    if wrong:
        raise SystemExit("what was exported does not answer as the trained model: do not use it")


def changed(expected: torch.Tensor, found: torch.Tensor) -> int:
    """At how many places the top token is one that the trained model puts clearly lower."""
    top = expected.max(-1).values
    chosen = expected.gather(-1, found.argmax(-1, keepdim=True)).squeeze(-1)
    return int((~(top - chosen <= TIE * expected.abs().amax(-1))).sum())


def model_card() -> str:
    """What was trained on what: README.md of the exported folder."""
    runs = [
        json.loads((OUTPUTS / stage / "run.json").read_text(encoding="utf-8")) for stage in CHAIN
    ]
    recipe = [[run["rows"], run["sources"], recipe_of(run["config"])] for run in runs]
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()
    lines = [CARD, "## Stages", "", "| stage | starts from | rows | steps |", "|---|---|---|---|"]
    for run, (stage, start) in zip(runs, CHAIN.items(), strict=True):
        steps = max((entry["step"] for entry in run["log"]), default=0)
        lines.append(f"| {stage} | {start} | {run['rows']['count']} | {steps} |")
    for stage, mix in ((stage, MIXES[stage]) for stage in CHAIN if stage in MIXES):
        paid = "; ".join(f"{reward.__name__} {weight}" for reward, weight in mix.items())
        lines += ["", f"Weights of the rewards in {stage}: {paid}."]
    versions = ", ".join(f"{name} {version}" for name, version in runs[-1]["versions"].items())
    lines += ["", f"Trained with {versions}.", "", f"Recipe: sha256 {digest}.", ""]
    return "\n".join(lines + evaluation_lines())


def recipe_of(config: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run without the folder in which it happened to lie."""
    return {name: value for name, value in config.items() if name != "output_dir"}


def evaluation_lines() -> list[str]:
    """The figures of the base model and of this one, where evaluate.py has written them."""
    path = OUTPUTS / "evaluation.json"
    if not path.is_file():
        return []
    report = json.loads(path.read_text(encoding="utf-8"))
    tables = (report.get("models", {}), report.get("preferences", {}))
    names = [name for name in ("base", LAST) if any(name in table for table in tables)]
    found = {
        name: {key: cell for table in tables for key, cell in estimates(table.get(name, {}))}
        for name in names
    }
    keys = dict.fromkeys(key for cells in found.values() for key in cells)
    lines = ["## Evaluation", "", "Means over held-out rows, with intervals of 95 %.", ""]
    lines += [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for key in keys:
        cells = (found[name].get(key, "") for name in names)
        lines.append(f"| {key} | {' | '.join(cells)} |")
    return [*lines, ""]


def estimates(result: dict[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """The means in a result of evaluate.py with their intervals; nothing about other models."""
    for name, value in result.items():
        if not isinstance(value, dict) or name == "against":
            continue
        if isinstance(value.get("mean"), float):
            ends = (value["low"], value["high"])
            known = "" if None in ends else " ({:.4g} to {:.4g})".format(*ends)
            yield f"{within}{name}", f"{value['mean']:.4g}{known}"
        else:
            yield from estimates(value, f"{within}{name} ")


def chat() -> None:
    """Answer line by line in the terminal, until an empty one."""
    folder = OUTPUTS / "export"
    if not (folder / "config.json").is_file():
        raise SystemExit(f"{folder} is not there yet: run `python export.py` first")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", device_map=DEVICE)
    streamer = TextStreamer(tokenizer, skip_prompt=True, skip_special_tokens=True)
    messages = [{"role": "system", "content": SYSTEM}]
    print("an empty line ends")
    print("> ", end="", flush=True)
    for line in iter(sys.stdin.readline, ""):
        if not line.strip():
            break
        messages.append({"role": "user", "content": line.strip()})
        batch = tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(model.device)
        output = model.generate(**batch, streamer=streamer, max_new_tokens=1024)
        answer = output[0, batch["input_ids"].shape[1] :]
        said = tokenizer.decode(answer, skip_special_tokens=True)
        messages.append({"role": "assistant", "content": said})
        print("> ", end="", flush=True)


if __name__ == "__main__":
    main()
