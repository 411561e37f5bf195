"""How rewards that ask another model score a completion, and the files that ask it."""

from compiler.literals import literal, parse_template, text_literal
from compiler.plan.project import PlannedFile
from compiler.resolve.asking import asking_files
from compiler.resolve.gpus import torch_device
from compiler.resolve.inputs import Inputs
from compiler.resolve.precision import precision_of
from compiler.resolve.processes import is_distributed
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, PROMPT, TEXT, Column, Scoring
from compiler.resolve.starts import model_of
from spec_schema import TaskSpec
from spec_schema.rewards.model import JudgeReward, RewardModelReward

__all__ = ["plan_asking", "score_judge", "score_reward_model"]

LOCAL = ("./", "../", "/")
WORLD_SIZE = 'int(os.environ.get("WORLD_SIZE", "1"))'  # as torchrun tells its processes
# Keys of a judge that are written where they are not as the project has them anyway.
OPTIONS = ("api_key_env", "temperature", "timeout_seconds", "attempts", "concurrency")


def plan_asking(spec: TaskSpec) -> tuple[PlannedFile, ...]:
    """The files that ask models, none where no reward does."""
    return tuple(
        PlannedFile(path, f"{path}.jinja", None, pieces)
        for path, pieces in asking_files(spec).items()
    )


def score_reward_model(constant: str, reward: RewardModelReward, inputs: Inputs) -> Scoring:
    """Hand all conversations to the model at once."""
    model = f"{constant}_MODEL"
    suffix = "_sigmoid" if reward.squash == "sigmoid" else ""
    trained = reward.model in inputs.spec.stages
    path = f"outputs/{reward.model}/model" if trained else reward.model
    local = trained or reward.model.startswith(LOCAL)
    name = text_literal(path)
    arguments = [f"str(Path(__file__).parent / {name})" if local else name]
    base = model_of(inputs, reward.model) if trained else reward.model
    arguments.append(f'dtype="{precision_of(inputs, base)}"')
    arguments.append(f'device="{torch_device(inputs.spec.hardware)}"')
    if reward.revision is not None:
        arguments.append(f"revision={text_literal(reward.revision)}")
    lowest, highest = reward.bounds()
    return Scoring(
        (f"reward_model{suffix}", "finite"),
        f"score_reward_model{suffix}({model}, prompts, completions)",
        f"explain_reward_model{suffix}({model}, {PROMPT.of_row}, {TEXT})",
        (COMPLETION, PROMPT),
        ((model, f"RewardModel({', '.join(arguments)})"),),
        lowest,
        highest,
        imports=("from reward_models import RewardModel",),
        at_once=True,
    )


def score_judge(constant: str, reward: JudgeReward, inputs: Inputs) -> Scoring:
    """Ask about several completions at once, each in a thread."""
    judge, distributed = f"{constant}_JUDGE", is_distributed(inputs)
    fields = {name for _, name in parse_template(reward.rubric)}
    parts: dict[str, Column] = {}
    if "prompt" in fields:
        parts["prompt"] = PROMPT
    if "gold" in fields:
        parts["gold"] = GOLD
    score = "".join(f", {name}={column.item}" for name, column in parts.items())
    explain = "".join(f", {name}={column.of_row}" for name, column in parts.items())
    return Scoring(
        ("judge",),
        f"score_judge({judge}, {TEXT}{score})",
        f"explain_judge({judge}, {TEXT}{explain})",
        (COMPLETION, *parts.values()),
        ((judge, _judge(reward, distributed=distributed)),),
        imports=(
            *(["import os"] if distributed else []),
            "from concurrent.futures import ThreadPoolExecutor",
            "from judges import Judge",
        ),
        waits=True,
        threads=f"{judge}.concurrency",
    )


def _judge(reward: JudgeReward, *, distributed: bool) -> str:
    """The judge as an expression; of several processes, each sends its share of the requests."""
    lowest, highest = map(float, reward.scale)
    share = f" // {WORLD_SIZE}" if distributed else ""
    arguments = [
        text_literal(reward.base_url),
        text_literal(reward.model),
        f"rubric={text_literal(reward.rubric)}",
        f"scale={literal((lowest, highest))}",
        f"max_calls={literal(reward.max_calls)}{share}",
    ]
    defaults = JudgeReward.model_fields
    for key in OPTIONS:
        value = getattr(reward, key)
        if key == "concurrency" and distributed:
            arguments.append(f"{key}=max(1, {literal(value)}{share})")
        elif value != defaults[key].default:
            arguments.append(f"{key}={literal(value)}")
    return f"Judge({', '.join(arguments)})"
