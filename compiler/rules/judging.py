"""Rewards that ask another model: the model is one, the endpoint can be asked, calls suffice."""

import json
import re
from typing import cast
from urllib.parse import urlsplit

from compiler.closest import closest, shortened
from compiler.literals import parse_template
from compiler.parse import KeyPath
from compiler.resolve.mixes import weights_of
from compiler.resolve.steps import steps_of_rollout
from compiler.rules.case import Case
from compiler.rules.model import LOCAL, check_model
from spec_schema.rewards.model import JudgeReward, RewardModelReward
from spec_schema.stages.rollout import RolloutStage

__all__ = ["check_asked_models"]

PARTS = ("completion", "prompt", "gold")
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")


def check_asked_models(case: Case) -> None:
    """Report what is wrong with reward models and with judges."""
    for name, reward in case.spec.rewards.items():
        if isinstance(reward, RewardModelReward):
            _reward_model(case, name, reward)
        elif isinstance(reward, JudgeReward):
            _endpoint(case, name, reward)
            _rubric(case, name, reward)
            _calls(case, name, reward)


def _reward_model(case: Case, name: str, reward: RewardModelReward) -> None:
    path: KeyPath = ("rewards", name)
    if reward.model in case.spec.stages:
        _judging_stage(case, name, reward)
    elif _names_a_stage(case, reward.model):
        message = f"there is no stage `{shortened(reward.model)}`"
        case.error("unknown-stage", (*path, "model"), message, _meant_model(case, reward.model))
    else:
        check_model(case, (*path, "model"), reward.model)
        _head(case, (*path, "model"), reward.model)
    trained = reward.model in case.spec.stages
    if reward.revision is not None and (trained or reward.model.startswith(LOCAL)):
        what = "stage" if trained else "folder"
        message = f"`revision` has no effect on a `model` that is a {what}"
        case.warning("no-effect", (*path, "revision"), message, "leave it out", at="key")
    if reward.checks_answer:
        case.error(
            "conflicting-keys",
            (*path, "checks_answer"),
            "a reward model has no full mark, and sees no gold: it cannot say what is right",
            "leave it out; `correct` or a judge with `{gold}` in its rubric can say it",
            at="key",
        )
    for waiting, other in case.spec.rewards.items():
        if other.only_if == name and reward.squash == "sigmoid":
            message = f"`{name}` stays below 1, so that it is never full"
            hint = f"let `{waiting}` pay by itself, or wait for another reward"
            case.error("bad-gate", ("rewards", waiting, "only_if"), message, hint)


def _names_a_stage(case: Case, model: str) -> bool:
    """Whether a model is named by a bare word, which neither the hub nor the spec's folder has."""
    if "/" in model or model in (".", ".."):
        return False
    try:
        return not (case.folder / model).is_dir()
    except (OSError, ValueError):  # a name that no file system can spell
        return True


def _meant_model(case: Case, model: str) -> str:
    """Name the reward stage that was probably meant, or say how other models are written."""
    trained = [name for name, stage in case.spec.stages.items() if stage.method == "reward"]
    if meant := closest(model.removeprefix("stages."), trained):
        return f"did you mean `{meant}`?"
    if (bare := model.removeprefix("stages.")) in trained:
        return f"write `{bare}`"
    return "a model of the hub is written `owner/name`, a folder `./name`"


def _judging_stage(case: Case, name: str, reward: RewardModelReward) -> None:
    """The stage trains a reward model, and does so before any stage that pays by it."""
    stages, judge = case.spec.stages, reward.model
    path: KeyPath = ("rewards", name, "model")
    if stages[judge].method != "reward":
        message = f"`{judge}` is a stage of `{stages[judge].method}`, which trains no reward model"
        case.error("bad-value", path, message, "name a stage of `reward`, or a model of the hub")
        return
    order = case.spec.project.stages or list(stages)
    if judge not in order:
        return
    for stage in order[: order.index(judge)]:
        table = stages.get(stage)
        if isinstance(table, RolloutStage) and name in weights_of(case.spec, table):
            message = f"`{stage}` runs before `{judge}`, whose model it is paid by"
            hint = f"put `{judge}` before `{stage}`, or leave `{name}` out of its `rewards`"
            case.error("unknown-stage", path, message, hint)
            return


def _head(case: Case, path: KeyPath, model: str) -> None:
    """A folder that is there holds a classifier; of the hub only a run can tell."""
    if not model.startswith(LOCAL):
        return
    try:
        config: object = json.loads((case.folder / model / "config.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    table = cast("dict[str, object]", config) if isinstance(config, dict) else {}
    listed = table.get("architectures")
    kinds = [str(kind) for kind in cast("list[object]", listed)] if isinstance(listed, list) else []
    causal = next((kind for kind in kinds if "CausalLM" in kind or "LMHead" in kind), None)
    if causal is not None:
        case.error(
            "bad-value",
            path,
            f"`{shortened(model)}` is a {shortened(causal)}: its scoring head would be random",
            "name a model that was trained to score, such as a `...ForSequenceClassification`",
        )


def _endpoint(case: Case, name: str, judge: JudgeReward) -> None:
    path: KeyPath = ("rewards", name, "base_url")
    try:
        address = urlsplit(judge.base_url)
        host, _ = address.hostname, address.port
    except ValueError:
        address, host = None, None
    shown = shortened(judge.base_url)
    if address is None or address.scheme not in ("http", "https") or not host:
        message = f"`{shown}` is no address of an endpoint"
        case.error("bad-value", path, message, "write it as `https://api.openai.com/v1`")
    elif not judge.base_url.isascii() or any(map(str.isspace, judge.base_url)):
        message = "`base_url` holds a character that no address has"
        case.error("bad-value", path, message, "write it as `https://api.openai.com/v1`")
    elif "@" in address.netloc or address.query or address.fragment:
        message = "`base_url` holds more than the address, and a key would stand in the project"
        hint = "keep scheme, host and path, and name the key's variable as `api_key_env`"
        case.error("bad-value", path, message, hint)
    elif address.path.rstrip("/").endswith("/completions"):
        message = f"`{shown}` names what is added to it"
        end = r"(/chat)?/completions/?$"
        case.error("bad-value", path, message, f"write `{re.sub(end, '', judge.base_url)}`")
    if judge.api_key_env is not None and not VARIABLE.fullmatch(judge.api_key_env):
        case.error(
            "bad-value",
            ("rewards", name, "api_key_env"),
            "`api_key_env` is the name of an environment variable, not the key",
            "write `OPENAI_API_KEY`, and set that variable where the project runs; a key that "
            "stood here should be revoked",
        )


def _rubric(case: Case, name: str, judge: JudgeReward) -> None:
    path: KeyPath = ("rewards", name, "rubric")
    try:
        holes = {hole for _, hole in parse_template(judge.rubric) if hole is not None}
    except ValueError as error:
        message = f"the rubric is no template: {error}"
        case.error("bad-template", path, message, "write `{{` for `{`")
        return
    for hole in sorted(holes.difference(PARTS)):
        message = f"`{{{shortened(hole)}}}` is not known in a rubric"
        hint = "known are `{completion}`, `{prompt}` and `{gold}`; write `{{` and `}}` for braces"
        case.error("bad-template", path, message, hint)
    if "completion" not in holes:
        message = "the rubric has no `{completion}`, so that every completion is graded alike"
        case.error("bad-value", path, message, "put `{completion}` where the judge is to read it")
    if "gold" in holes and case.spec.data.gold is None:
        message = f"the rubric of `{name}` shows the gold, and `[data]` has no `gold`"
        case.error("missing-key", path, message, 'add `gold = { column = "..." }` to `[data]`')
    lowest, highest = judge.scale
    if lowest >= highest:
        message = f"`scale` does not rise: from {lowest:g} to {highest:g}"
        case.error("bad-value", ("rewards", name, "scale"), message, "write `scale = [1, 10]`")


def _calls(case: Case, name: str, judge: JudgeReward) -> None:
    """The calls of a stage are known where its steps are, but for texts that come again."""
    for stage_name, stage in case.spec.stages.items():
        if not isinstance(stage, RolloutStage) or stage.steps is None:
            continue
        if name not in weights_of(case.spec, stage):
            continue
        rollouts = -(-stage.steps // max(1, steps_of_rollout(stage)))
        prompts = stage.prompts_per_step * stage.updates_per_rollout
        calls = rollouts * prompts * stage.num_generations
        # What waits for a reward is asked about only where that is full.
        if calls > judge.max_calls and judge.only_if is None:
            case.warning(
                "too-few-calls",
                ("rewards", name, "max_calls"),
                f"`{stage_name}` asks about {calls:,} completions, and the run ends after "
                f"{judge.max_calls:,} calls",
                f"write `max_calls = {calls}` or more, or let `{name}` wait with `only_if`",
                related=((("stages", stage_name), "the stage"),),
            )
