"""A chain of every method: each stage starts where it should, beside the right reference."""

import json
import sys
from pathlib import Path

import pytest

from compiler.smoke import run_smoke
from tests.chains.training import CHAIN, MY_REWARDS, write_chain
from tests.projects import write_project

PAIRS = "".join(
    json.dumps(
        {
            "asked": f"{number}+{number}?",
            "good": f"<answer>{2 * number}</answer>",
            "bad": f"it is {number}" * (number % 3 + 1),
            "liked": number % 2 == 0,
        }
    )
    + "\n"
    for number in range(16)
)
STEPS = "prompts_per_step = 2\nsteps = 2\nlearning_rate = 0.02\n"
ROWS = 'data = {{ train = {{ path = "pairs.jsonl" }}, columns = {{ prompt = "asked", {} }} }}\n'
ANSWERS = ROWS.format('chosen = "good", rejected = "bad"')
STAGES = f"""
[rewards.preferred]
kind = "reward_model"
model = "judge"
[stages.judge]
method = "reward"
{STEPS}{ANSWERS}
[stages.lead]
method = "rloo"
num_generations = 4
max_completion_length = 8
{STEPS}
[stages.prefer]
method = "dpo"
{STEPS}{ANSWERS}
[stages.mark]
method = "kto"
{STEPS}{ROWS.format('completion = "good", label = "liked"')}
[stages.talk]
method = "sft"
{STEPS}{ROWS.format('completion = "good"')}
"""
ORDER = ["warmup", "judge", "lead", "prefer", "mark", "talk", "reasoning"]
COMPARING = {"lead", "prefer", "mark", "reasoning"}
EVERY_METHOD = (
    CHAIN.replace('["warmup", "reasoning"]', json.dumps(ORDER)).replace(
        "num_generations = 4", "num_generations = 4\nbeta = 0.1"
    )
    + STAGES
)


@pytest.mark.heavy
@pytest.mark.parametrize("adapter", ["none", "lora"])
def test_field_108_and_110_every_method_in_one_chain_keeps_to_its_start(
    adapter: str, tmp_path: Path
) -> None:
    """The smoke test looks at the first logged rewards, the reference, and what is handed on."""
    spec = EVERY_METHOD.replace("[model]", f'[model]\nadapter = {{ kind = "{adapter}" }}')
    project = write_chain(tmp_path / "project", spec, pairs__jsonl=PAIRS)
    result = run_smoke(project, Path(sys.executable), print)
    assert result.passed, result.output
    assert [stage.name for stage in result.stages] == [*ORDER, "export"]
    beside = {stage.name for stage in result.stages if "its start as reference" in stage.text}
    assert beside == COMPARING
    lead = next(stage for stage in result.stages if stage.name == "lead")
    assert "the model of `judge` -> what that stage has left here" in lead.replaced


def test_a_reward_reads_the_model_that_a_stage_trains(tmp_path: Path) -> None:
    project = write_project(
        tmp_path / "project",
        EVERY_METHOD.replace("./tiny-model", "Qwen/Qwen2.5-0.5B-Instruct"),
        pairs__jsonl=PAIRS,
        my_rewards__py=MY_REWARDS,
    )
    assert '"outputs/judge/model"' in (project / "rewards.py").read_text()
    run = (project / "run.sh").read_text()
    assert run.index("train_judge.py") < run.index("train_lead.py")
    starts = {
        name: (project / f"train_{name}.py").read_text().count(f'result_of("{start}")')
        for name, start in {"judge": "warmup", "lead": "warmup", "prefer": "lead"}.items()
    }
    assert all(starts.values()), starts
