"""The fast tests of a project: of its rows, and of its rewards."""

from compiler.literals import literal, text_literal
from compiler.plan.checks import TestDataFile, TestRewardsFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.asking import asks_a_model
from compiler.resolve.graded import (
    functions,
    graded_by,
    has_answer,
    has_ideal,
    is_probed,
    telling,
)
from compiler.resolve.ideal import row_parts
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import is_taught_ideals, whole_prompts
from compiler.resolve.solutions import running_files
from spec_schema.data import Holdout
from spec_schema.prompt import ShotRows
from spec_schema.rewards.own import PythonReward

__all__ = ["plan_test_data", "plan_test_rewards"]


def plan_test_data(inputs: Inputs) -> TestDataFile:
    """The context of tests/test_data.py."""
    spec = inputs.spec
    shots = spec.prompt.shots
    count = len(shots.rows) if isinstance(shots, ShotRows) else len(shots or ())
    system = ["system"] if spec.prompt.system is not None else []
    roles = [*system, *(["user", "assistant"] * count), "user"]
    return TestDataFile(
        roles=None if whole_prompts(spec) else literal(roles),
        parts=literal((*spec.data.fields, *row_parts(spec))),
        has_answer=has_answer(inputs),
        has_ideal=has_ideal(inputs),
        reads_back=has_ideal(inputs) and has_answer(inputs),
        is_probed=is_probed(inputs),
        has_sft=any(is_taught_ideals(spec, name) for name in spec.stages),
        has_eval=spec.data.eval is not None,
        has_holdout=isinstance(spec.data.eval, Holdout),
    )


def plan_test_rewards(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> TestRewardsFile:
    """The context of tests/test_rewards.py."""
    spec = inputs.spec.rewards
    paid = [text_literal(stage.name) for stage in stages if stage.mix is not None]
    promised = tuple(each for each in rewards if not asks_a_model(inputs.spec, each.name))
    ranges = (
        f"rewards.{function}: {literal((float(reward.lowest), float(reward.highest)))}"
        for reward in rewards
        for function in reward.functions
    )
    told = telling(inputs, rewards)
    correct = tuple(
        reward
        for reward in graded_by(inputs, told)
        # A share of the fields is paid for an answer that is not right.
        if reward.kind != "fields"
    )
    return TestRewardsFile(
        stages="{" + ", ".join(paid) + "}" if paid else "set()",
        ranges="{" + ", ".join(ranges) + "}",
        telling=functions(told),
        correct=functions(correct),
        both_shapes=functions(
            tuple(reward for reward in promised if not isinstance(spec[reward.name], PythonReward))
        ),
        pure=None if promised == rewards else functions(promised) or "()",
        has_own=any(isinstance(reward, PythonReward) for reward in spec.values()),
        has_answer=has_answer(inputs),
        has_ideal=has_ideal(inputs),
        is_run=bool(correct) and bool(running_files(inputs.spec)),
        moves=any(stage.moves for stage in stages),
    )
