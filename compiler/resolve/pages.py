"""README.md and PLAN.md: what is trained, what was decided, and where each value comes from."""

import hashlib

from compiler.markdown import code_block, inline
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.plan.texts import AboutFile, PlanPage, ReadmePage, RewardRow, Setting, StageRow
from compiler.plan.values import Argument
from compiler.resolve.arithmetic import arithmetic, counted
from compiler.resolve.chat_page import chat_lines
from compiler.resolve.data_page import data_lines, trained_on
from compiler.resolve.endings_page import ending_lines
from compiler.resolve.export import policy_chain
from compiler.resolve.inputs import Inputs
from compiler.resolve.launch_page import launch_lines, start_command, start_lines
from compiler.resolve.memory_page import (
    build_note,
    kernels_note,
    machine_said,
    memory_lines,
    unplanned_reason,
)
from compiler.resolve.methods import METHODS
from compiler.resolve.mixes.page import mix_lines
from compiler.resolve.rollout_page import rollout_lines, sampler_lines
from compiler.resolve.starts import ADAPTERS, adapter_of, uses_unsloth
from compiler.resolve.time_page import time_lines, time_notes
from compiler.version import VERSION

__all__ = ["plan_page", "plan_readme"]

ABOUT = {
    "prompts.py": "system prompt, row to chat messages, ideal completion",
    "answers.py": "how an answer is read and compared; the one copy",
    "math_grader.py": "asks processes of their own whether two answers are the same mathematics",
    "math_worker.py": "such a process, which may be killed",
    "data.py": "where rows come from; `python data.py` checks them all",
    "readers.py": "data files as rows",
    "generated.py": "rows of reasoning-gym, and what its verifiers say of an answer",
    "data_report.py": "the checks behind `python data.py`",
    "stage_report.py": "the checks of the rows that stages have of their own",
    "answer_report.py": "the checks of the answers in these rows",
    "probes.py": "the check that tries the graders on crafted completions",
    "template_report.py": "the check of the real chat template",
    "findings.py": "how the checks name rows",
    "tokens.py": "what the tokenizer needs: the same for every script, and saved with the models",
    "chat_template.jinja": "how messages become a prompt",
    "rewards.py": "one function a reward, and the mix of each stage",
    "schedules.py": "how weights move while a stage trains",
    "weights.py": "sets the weights in each step, and logs them",
    "rescore.py": "what the mix as it is now makes of completions that a run logged",
    "sandbox.py": "runs what a completion says in a process that is shut off",
    "confinement.py": "what such a process may not do",
    "run_code.py": "code of completions on the tests of their rows",
    "code_runner.py": "the tests' side and the code's side of that, each in its process",
    "run_query.py": "queries of completions on the database",
    "query_runner.py": "the process of one query",
    "reward_models.py": "reads reward models, and scores conversations with them",
    "judges.py": "asks judges for grades",
    "stages.py": "where a stage starts from and what it leaves behind",
    "versions.py": "whether the packages that are installed are those of pyproject.toml",
    "resume.py": "how a run that was killed goes on, and when it must not",
    "gate.py": "what a stage's start must be able to do before the stage trains",
    "stopping.py": "what ends a stage before its last step",
    "evaluate.py": "scores on held-out rows",
    "export.py": "writes the last stage's model and compares it; `--chat` talks to it",
    "tracking.py": "what Weights & Biases needs before a run",
    "monitor.py": "says while a stage trains what looks wrong, and which setting to change",
    "alarms.py": "what it looks at, and from where on it speaks",
    "completion_tables.py": "keeps what a policy sampled, with its rewards",
    "report.py": "what the stages logged as one page, outputs/report.html",
    "charts.py": "the curves of that page",
    "samples.py": "the completions on it",
    "scores.py": "the figures of evaluate.py on it",
    "report.css": "its look",
    "models.py": "loads the models that are scored",
    "sampling.py": "samples completions outside of training",
    "grading.py": "what completions are worth, and how two models differ",
    "preferences.py": "how well preference stages tell better answers from worse ones",
    "estimates.py": "how sure a figure is",
    "tables.py": "the scores as tables",
    "run.sh": "all stages in order",
    "notebook.ipynb": "all of it in one file that needs no other, for Colab or Kaggle",
    "serve.sh": "trains a stage beside the vLLM server that samples for it",
    "accelerate.yaml": "how accelerate starts a process for each GPU",
    "launch.py": "`accelerate launch` with the exit code of the script",
    "slurm.sh": "all stages as one SLURM job",
    "sky.yaml": "all stages as a SkyPilot task",
    "PLAN.md": "what the compiler decided and why; rewritten at each compile",
    "pyproject.toml": "the tested versions, and the settings of ruff, pyright and pytest",
    "tests/": "a smoke test that trains every stage on a tiny model, and tests of rows and rewards",
}


def plan_readme(
    inputs: Inputs, stages: tuple[StagePlan, ...], paths: tuple[str, ...], spec_name: str
) -> ReadmePage:
    """The context of README.md."""
    spec = inputs.spec
    about = [
        AboutFile(path, text) for path, text in ABOUT.items() if path in paths or path.endswith("/")
    ]
    scripts = [AboutFile(f"train_{stage.name}.py", f"the stage `{stage.name}`") for stage in stages]
    methods = {stage.method for stage in stages}
    base = spec.model.base
    policies = policy_chain(stages)
    return ReadmePage(
        title=inline(spec.project.name),
        description=inline(spec.project.description),
        summary=_summary(inputs, len(stages)),
        stages=tuple(_row(inputs, stage) for stage in stages),
        rewards="rewards.py" in paths,
        sft="sft" in methods,
        reward="reward" in methods,
        dpo="dpo" in methods,
        kto="kto" in methods,
        sampled=" and ".join(METHODS[name].title for name in ("grpo", "rloo") if name in methods),
        evaluates="evaluate.py" in paths,
        completes=inputs.spec.data.eval is not None,
        compares="preferences.py" in paths,
        several=str(spec.eval.samples) if spec.eval.samples > 1 else None,
        last=policies[-1].name if policies else None,
        repository=spec.project.name,
        unsloth=uses_unsloth(spec),
        local_base=base if base.startswith(("./", "../", "/")) else None,
        start=f"{start_command(spec):23}",
        starting=(*sampler_lines(stages), *start_lines(inputs, stages)),
        gates="gate.py" in paths,
        stops="stopping.py" in paths and spec.run.stop_when is not None,
        files=_in_order(about, scripts),
        spec=spec_name,
        version=VERSION,
    )


def _summary(inputs: Inputs, stages: int) -> str:
    base = inline(inputs.spec.model.base)
    return f"Trains {base} on {trained_on(inputs)}, in {counted(stages, 'stage')}."


def _in_order(about: list[AboutFile], scripts: list[AboutFile]) -> tuple[AboutFile, ...]:
    """The scripts stand between what they use and what uses their results."""
    position = next(index for index, file in enumerate(about) if file.path == "stages.py")
    return (*about[:position], *scripts, *about[position:])


def plan_page(
    inputs: Inputs,
    stages: tuple[StagePlan, ...],
    rewards: tuple[RewardPlan, ...],
    spec_name: str,
    place_of: dict[tuple[str | int, ...], str],
) -> PlanPage:
    """The context of PLAN.md; `place_of` names each key that the spec writes."""
    paid = tuple(stage for stage in stages if stage.mix is not None)
    return PlanPage(
        title=inline(inputs.spec.project.name),
        stages=tuple(
            StageRow(
                name=stage.name,
                method=METHODS[stage.method].title,
                start=_start(stage),
                trains=_row(inputs, stage).trains,
                arithmetic=arithmetic(inputs, stage),
                settings=tuple(
                    _setting(argument, place_of)
                    for argument in stage.arguments
                    if argument.name not in ("output_dir", "reward_weights")
                )
                + _adapter_settings(stage, place_of),
                memory=memory_lines(inputs, stage),
                time=time_lines(inputs, stage),
                endings=ending_lines(inputs.spec, stage.name),
            )
            for stage in stages
        ),
        paid_stages=tuple(stage.name for stage in paid),
        rewards=tuple(_reward_row(reward, paid) for reward in rewards),
        mixes=tuple(line for stage in paid for line in mix_lines(stage)),
        data=data_lines(inputs),
        prompt=code_block(inputs.system) if inputs.system else "",
        prompt_note=_prompt_note(inputs),
        chat=chat_lines(inputs),
        machine=_machine_lines(inputs, stages),
        spec=spec_name,
    )


def _row(inputs: Inputs, stage: StagePlan) -> StageRow:
    adapter = adapter_of(inputs.spec, stage.name)
    trains = "all weights" if adapter is None else f"a {ADAPTERS[adapter.kind]} adapter"
    return StageRow(stage.name, METHODS[stage.method].title, _start(stage), trains)


def _start(stage: StagePlan) -> str:
    return f"`{stage.start}`" if stage.start else "the base model"


def _adapter_settings(
    stage: StagePlan, place_of: dict[tuple[str | int, ...], str]
) -> tuple[Setting, ...]:
    calls = {"LoraConfig": stage.lora.arguments if stage.lora else ()}
    if stage.unsloth is not None:
        calls = {"from_pretrained": stage.unsloth.loading, "get_peft_model": stage.unsloth.adapter}
    return tuple(
        _setting(argument, place_of)._replace(name=f"{call}.{argument.name}")
        for call, arguments in calls.items()
        for argument in arguments
    )


def _setting(argument: Argument, place_of: dict[tuple[str | int, ...], str]) -> Setting:
    origin = argument.value.origin
    value = argument.value.code.replace("|", "\\|")
    if origin.path is None:
        return Setting(argument.name, value, origin.reason or "written out to be seen")
    written = place_of.get(origin.path)
    return Setting(argument.name, value, written or "the language's default")


def _reward_row(reward: RewardPlan, paid: tuple[StagePlan, ...]) -> RewardRow:
    mixes = [dict(stage.mix.weights) if stage.mix else {} for stage in paid]
    return RewardRow(
        name=reward.name,
        kind=f"{reward.kind}, only if `{reward.gate}` is full" if reward.gate else reward.kind,
        range=f"{reward.lowest:g} to {reward.highest:g}",
        weights=tuple(mix[reward.name].words if reward.name in mix else "-" for mix in mixes),
    )


def _prompt_note(inputs: Inputs) -> str:
    if not inputs.system:
        return "There is no system prompt."
    digest = hashlib.sha256(inputs.system.encode()).hexdigest()[:16]
    return f"The system prompt, {len(inputs.system)} characters, sha256 {digest}:"


def _machine_lines(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    spec, stack = inputs.spec, inputs.stack
    packages = ", ".join(f"{name} {package.tested}" for name, package in stack.packages.items())
    said = (build_note(inputs), kernels_note(inputs), unplanned_reason(inputs, stages))
    return (
        f"Tier `{spec.hardware.tier}`: {machine_said(inputs)}.",
        *launch_lines(inputs, stages),
        *rollout_lines(inputs, stages),
        *filter(None, said),
        *time_notes(inputs, stages),
        f"Stack `{stack.name}`{stack.title.removeprefix(stack.name)}, tested with {packages}.",
    )
