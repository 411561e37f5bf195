"""What the checks of a project ask of its spec, and the forms in which they write it."""

from typing import TYPE_CHECKING

from compiler.literals import literal, text_literal
from compiler.resolve.asking import asks_a_model
from compiler.resolve.ideal import ideal_template
from compiler.resolve.inputs import Inputs
from compiler.resolve.mathematics import uses_math
from compiler.resolve.mixes import earned_by_ideal
from compiler.resolve.solutions import running_files

if TYPE_CHECKING:
    from compiler.plan.rewards import RewardPlan

__all__ = [
    "functions",
    "graded_by",
    "has_answer",
    "has_ideal",
    "is_probed",
    "revision",
    "table",
    "telling",
    "untold",
    "waits",
]


def has_ideal(inputs: Inputs) -> bool:
    """Whether a row has an ideal completion, written or made."""
    return ideal_template(inputs.spec, inputs.system) is not None


def has_answer(inputs: Inputs) -> bool:
    """Whether answers are read and compared with a gold."""
    return inputs.spec.answer is not None and inputs.spec.data.gold is not None


def telling(inputs: Inputs, rewards: "tuple[RewardPlan, ...]") -> "tuple[RewardPlan, ...]":
    """The rewards of correctness and format, which an ideal completion earns in full."""
    if not has_ideal(inputs):
        return ()
    earned = earned_by_ideal(inputs.spec)
    return tuple(
        reward
        for reward in rewards
        if reward.name in earned and not asks_a_model(inputs.spec, reward.name)
    )


def untold(inputs: Inputs, rewards: "tuple[RewardPlan, ...]") -> "tuple[RewardPlan, ...]":
    """The other rewards, of which the data report says what an ideal completion earns.

    Those that ask a model are left out: a look at the data costs no call for each row.
    """
    told = telling(inputs, rewards)
    return tuple(
        reward
        for reward in rewards
        if reward not in told and not asks_a_model(inputs.spec, reward.name)
    )


def graded_by(inputs: Inputs, rewards: "tuple[RewardPlan, ...]") -> "tuple[RewardPlan, ...]":
    """The rewards of which a full mark says that a completion is right."""
    return tuple(
        reward
        for reward in rewards
        if inputs.spec.rewards[reward.name].purpose == "correctness"
        and not asks_a_model(inputs.spec, reward.name)
    )


def is_probed(inputs: Inputs) -> bool:
    """Whether there is something to try crafted completions on."""
    spec = inputs.spec
    rewards = {name: each for name, each in spec.rewards.items() if not asks_a_model(spec, name)}
    graded = any(reward.purpose == "correctness" for reward in rewards.values())
    return has_answer(inputs) or graded or (bool(rewards) and has_ideal(inputs))


def waits(inputs: Inputs) -> bool:
    """Whether a grader waits for another process."""
    return uses_math(inputs.spec.answer) or bool(running_files(inputs.spec))


def revision(inputs: Inputs) -> str | None:
    """The revision of the base, None where none is named."""
    name = inputs.spec.model.revision
    return None if name is None else text_literal(name)


def functions(rewards: "tuple[RewardPlan, ...]") -> str | None:
    """The functions of these rewards as a tuple, None where there are none."""
    names = ", ".join(f"rewards.{reward.name}" for reward in rewards)
    return f"({names},)" if names else None


def table(values: dict[str, object] | dict[str, float] | dict[str, int]) -> str | None:
    """A dict literal, None where it would be empty."""
    return literal(values) if values else None
