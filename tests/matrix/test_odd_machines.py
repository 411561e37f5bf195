"""Odd machines: each is refused where it is written, or compiles to the recipe of one GPU."""

import ast
import random
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from compiler.diagnostics import Report, Stop
from compiler.emit import emit
from compiler.parse import parse
from compiler.pipeline import Checked, check_document, plan_spec
from compiler.source import SourceFile
from spec_schema.hardware import Tier
from tests.matrix.test_matrix import COLUMNS, MECHANICS
from tests.memory.configs import constructed
from tests.test_validate import as_text

Table = dict[str, Any]
HOSTILE = (
    *("$(reboot)", "`reboot`", "a; reboot", "a'b", 'a"b', "a\\b", "ünï", "x" * 500, "a: b # c"),
    *("- x", "{y}", "%s", "!z", "null", "yes", "~", "1e3", "{{ x }}", "<< x >>", "EOF", "a\nb"),
)
LINES = [[text] for text in HOSTILE]
MACHINE = {
    "gpus": (1, 2, 3, 4, 7, 8, 16, 64, 100_000, 10**9, 10**20),
    "nodes": (1, 2, 3, 4, 10**9),
    "reserve_gb": (0, 1.5, 20, 1000, 1e300),
    "backend": ("trl", "unsloth"),
    "sharding": ("auto", "none", "zero2", "zero3", "fsdp2"),
    "price_per_gpu_hour": (1e-9, 2.5, 1e300),
}
ROLLOUT = {
    "engine": ("auto", "transformers", "vllm-colocate", "vllm-server"),
    "gpus": (1, 2, 4, 10**9),
    "tensor_parallel": (1, 2, 3, 16, 10**9),
    "share": (1e-9, 0.3, 0.9, 0.999),
    "max_model_tokens": (1, 2048, 10**9),
}
LAUNCHERS = {
    "slurm": {
        **dict.fromkeys(("partition", "account", "qos"), HOSTILE),
        "time": ("1:00:00", "2-00:00:00", "99999999999-0", "x", "0", "1-"),
        "options": (["--exclusive"], ["--comment=$(reboot)"], ["--wrap=x"], ["-x"]),
        "setup": LINES,
    },
    "skypilot": {
        "infra": HOSTILE,
        "use_spot": (True, False),
        "disk_gb": (50, 10**9),
        "setup": LINES,
        "outputs": ("s3://a/b", "s3://$(reboot)", "s3://a'b", "null", "1e3", "../x"),
    },
}
MODELS = ("Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen3-8B", "google/gemma-3-1b-it", "acme/mystery")
# Where to compute and whom to ask; and what Unsloth's configs have other defaults for.
OTHERS = {"use_cpu", "vllm_server_host", "vllm_server_port", "vllm_server_base_url"}
UNSLOTH = {"warmup_steps", "weight_decay", "epsilon_high", "mask_truncated_completions"}


class Draw:
    """Specs whose machines are odd; the same ones for each seed."""

    def __init__(self, seed: int) -> None:
        """Begin anew for each seed."""
        self.random = random.Random(seed)

    def some(self, keys: dict[str, Any], chance: float) -> Table:
        """A few keys of a table."""
        return {
            key: self.random.choice(values)
            for key, values in keys.items()
            if self.random.random() < chance
        }

    def machine(self) -> Table:
        """A table `[hardware]`."""
        made = {"tier": self.random.choice(get_args(Tier)), **self.some(MACHINE, 0.2)}
        if self.random.random() < 0.3:
            made["rollout"] = self.some(ROLLOUT, 0.4)
        launcher = self.random.choice(("local", "local", *LAUNCHERS))
        table = self.random.choice(list(LAUNCHERS)) if self.random.random() < 0.1 else launcher
        made |= {"launcher": launcher}
        if table in LAUNCHERS:
            made[table] = self.some(LAUNCHERS[table], 0.25)
        return made

    def spec(self) -> Table:
        """A spec of one stage."""
        method = self.random.choice(("sft", "reward", "dpo", "kto", "grpo", "rloo"))
        stage: Table = {"method": method, "prompts_per_step": 48}
        spec: Table = {"spec": 1, "project": {"name": "odd"}, "stages": {"only": stage}}
        model: Table = {"base": self.random.choice(MODELS)}
        if kind := self.random.choice((None, "lora", "qlora", "dora", "none")):
            model["adapter"] = {"kind": kind}
        spec["model"] = model
        spec["hardware"] = self.machine()
        data: Table = {"train": {"hub": "acme/sums", "split": "train"}, "eval": {"holdout": 0.1}}
        if method in COLUMNS:
            stage["data"] = data | {"columns": {name: name for name in COLUMNS[method]}}
            return spec
        spec["data"] = data | {"gold": {"column": "answer"}}
        spec["prompt"] = {"user": "{question}", "assistant": "<answer>{gold}</answer>"}
        spec["answer"] = {"extract": "xml", "tag": "answer"}
        spec["rewards"] = {"correct": 1.0}
        return spec


def check(folder: Path, spec: Table) -> tuple[Checked | None, Report]:
    report = Report()
    source = SourceFile(folder / "task.toml", "task.toml", as_text(spec))
    try:
        return check_document(parse(source, report), report, source), report
    except Stop:
        return None, report


def read(path: str, text: str) -> None:
    """Read a file of a project as its own reader does; raises where it cannot."""
    if path.endswith(".py"):
        ast.parse(text)
    elif path.endswith(".toml"):
        tomllib.loads(text)
    elif path.endswith((".yaml", ".yml")):
        values = yaml.safe_load(text)
        if path == "sky.yaml":
            subprocess.run(["bash", "-n"], input=values["run"], text=True, check=True)
    elif path.endswith(".sh"):
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)


def recipe(checked: Checked) -> set[tuple[str, str]]:
    [stage] = checked.outline.stages
    named = {(each.name, each.value.code) for each in stage.arguments}
    return {each for each in named if each[0] not in MECHANICS | OTHERS | UNSLOTH}


@pytest.mark.parametrize("seed", range(3))
def test_an_odd_machine_is_refused_at_its_place_or_keeps_the_recipe(
    tmp_path: Path, seed: int
) -> None:
    draw, outcomes = Draw(seed), list[bool]()
    for _ in range(50):
        spec = draw.spec()
        checked, report = check(tmp_path, spec)
        assert all(found.place is not None for found in report.diagnostics), spec
        # A value of the wrong kind says itself what is wanted.
        assert all(found.hints or "wanted" in found.message for found in report.diagnostics), spec
        outcomes.append(checked is not None)
        if checked is None:
            assert report.has_errors
            continue
        for path, text in emit(plan_spec(checked).plan).items():
            read(path, text)
        one, _ = check(tmp_path, {**spec, "hardware": {"tier": "192gb"}})
        assert one is not None
        assert recipe(checked) == recipe(one), spec
        [stage] = checked.outline.stages
        assert stage.batch.size == 48 * (stage.group or 1), spec
        constructed(stage, str(tmp_path))
    assert {True, False} == set(outcomes)


@pytest.mark.parametrize("key", ["gpus", "nodes"])
def test_more_gpus_than_there_are_anywhere_are_refused_at_once(tmp_path: Path, key: str) -> None:
    spec = Draw(0).spec() | {"hardware": {"tier": "80gb", key: 10**9}}
    began = time.perf_counter()
    checked, report = check(tmp_path, spec)
    assert checked is None
    assert time.perf_counter() - began < 5
    assert [found.code for found in report.diagnostics] == ["bad-value"]
    assert "100000 or less" in report.diagnostics[0].message
