"""The time and the cost that PLAN.md states, and why where it states none."""

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.memory import from_config, known_models
from compiler.throughput import Rollout, around, multiplied, sampling_seconds, training_rate
from tests.projects import SPEC, write_project
from tests.throughput.published import A100, LLAMA3, LORA

GPU = (
    SPEC.replace('tier = "cpu"', 'tier = "a100-80gb"')
    .replace("prompts_per_step = 2\nnum", "prompts_per_step = 2\nsteps = 4000\nnum")
    .replace("prompts_per_step = 2\n[", "prompts_per_step = 2\nsteps = 4000\n[")
)


QLORA = 'adapter = { kind = "qlora" }'


def page(folder: Path, spec: str) -> str:
    return (write_project(folder, spec) / "PLAN.md").read_text(encoding="utf-8")


def numbers(text: str) -> list[float]:
    return [float(word.replace(",", "")) for word in re.findall(r"\d[\d,]*\.?\d*", text)]


def test_an_interval_is_of_factor_two_about_its_figure() -> None:
    low, high = around(10.0)
    assert high == pytest.approx(2 * low)
    assert math.sqrt(low * high) == pytest.approx(10.0)


def test_each_stage_has_its_time_and_all_have_theirs(tmp_path: Path) -> None:
    said = page(tmp_path / "sums", GPU)
    assert len(re.findall(r"^Time: ", said, re.MULTILINE)) == 2
    assert len(re.findall(r"^Time: [\d.]+ to [\d.]+ s a step, .* in all", said, re.MULTILINE)) == 2
    assert "All stages take" in said
    assert "Times are good to a factor of two. They assume 50 % of 312 TFLOP/s" in said


def test_the_cost_is_the_price_of_the_hours_on_all_gpus(tmp_path: Path) -> None:
    steps = GPU.replace("steps = 4000", "steps = 400000")
    one = page(tmp_path / "one", steps.replace("[data]", "price_per_gpu_hour = 2.5\n[data]"))
    found = re.findall(r"([\d.,]+) to ([\d.,]+) hours in all, which costs ([\d.,]+) to", one)
    assert found
    for low, _, cost in found:
        assert numbers(cost)[0] == pytest.approx(2.5 * numbers(low)[0], rel=0.1)
    assert "at 2.5 an hour" in one
    spec = GPU.replace("prompts_per_step = 2", "prompts_per_step = 4")
    spec = spec.replace("[data]", "price_per_gpu_hour = 2.5\ngpus = 4\n[data]")
    four = page(tmp_path / "four", spec)
    assert "at 2.5 an hour for each of 4 GPUs" in four
    assert "cost" not in page(tmp_path / "free", GPU)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a100-80gb", "cpu", "nothing is known of the CPU"),
        ("a100-80gb", "24gb", "`24gb` is a class of GPUs"),
        ("a100-80gb", "rtx-3060", "no published run says how much of a `rtx-3060`"),
        ("Qwen/Qwen2.5-0.5B-Instruct", "acme/nameless", "the size of a model is not known"),
        ("Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen3-30B-A3B", "how fast 128 experts train"),
        ("Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen3.5-2B", "how fast the blocks of `qwen3_5_text`"),
    ],
)
def test_what_no_fact_allows_is_said_to_be_unknown(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    spec = GPU.replace(old, new).replace("[data]", "price_per_gpu_hour = 2.5\n[data]")
    model = {"acme/nameless": 'chat_template = "chatml"', "Qwen/Qwen3-30B-A3B": QLORA}.get(new, "")
    spec = spec.replace("[hardware]", f"{model}\n[hardware]")
    said = page(tmp_path / "sums", spec)
    assert reason in said
    assert "How long it takes and what it costs is not estimated" in said
    assert "Time: " not in said


def test_the_time_in_all_needs_the_steps(tmp_path: Path) -> None:
    hub = GPU.replace('{ path = "train.jsonl" }', '{ hub = "acme/sums", split = "train" }')
    said = page(tmp_path / "sums", hub.replace("steps = 4000\n", ""))
    assert "s a step; how long in all, only the data says" in said
    assert "All stages take" not in said


def test_more_gpus_take_less_time_for_the_same_recipe(tmp_path: Path) -> None:
    spec = GPU.replace("prompts_per_step = 2", "prompts_per_step = 8")
    one = page(tmp_path / "one", spec)
    four = page(tmp_path / "four", spec.replace("[data]", "gpus = 4\n[data]"))
    times = [re.findall(r"^Time: .*", said, re.MULTILINE) for said in (one, four)]
    for alone, shared in zip(*times, strict=True):
        assert numbers(shared)[0] < numbers(alone)[0]


@pytest.mark.parametrize("config", known_models(), ids=lambda config: config["names"][0])
def test_a_token_passes_no_more_than_all_weights(config: dict[str, Any]) -> None:
    shape = from_config(config, config["names"][0])
    assert shape is not None
    assert 0 < multiplied(shape) <= shape.parameters
    assert bool(shape.experts) == (multiplied(shape) < 0.5 * shape.parameters)


def test_longer_sequences_are_slower_by_their_attention() -> None:
    rates = [training_rate(LLAMA3, LORA._replace(tokens=n), A100) for n in (1024, 8192, 65536)]
    assert rates == sorted(rates, reverse=True)
    assert rates[2] < rates[0] / 2


def test_vllm_is_faster_than_transformers_and_waits_where_its_cache_is_small() -> None:
    slow = sampling_seconds(LLAMA3, Rollout(64, 512, 1024), A100)
    fast = sampling_seconds(LLAMA3, Rollout(64, 512, 1024, vllm=True), A100)
    small = sampling_seconds(LLAMA3, Rollout(64, 512, 1024, vllm=True, cache=1e9), A100)
    assert fast < slow
    assert fast < small


def test_a_check_does_not_load_what_estimates_times(tmp_path: Path) -> None:
    write_project(tmp_path / "sums", GPU)
    code = (
        "import sys; sys.argv = ['trainspec', 'check', 'task.toml']\n"
        "from compiler import cli\n"
        "try:\n    cli.main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "assert 'compiler.rules' in sys.modules\n"
        "assert not [name for name in sys.modules if 'throughput' in name or 'notebook' in name "
        "and name != 'compiler.rules.notebook']"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "sums",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
