"""The project's smoke test: its stages, the tiny model of their family, and made rows for a hub."""

from compiler.chat.facts import ChatFacts
from compiler.families import Family, family_of
from compiler.literals import docstring, literal, parse_template, text_literal
from compiler.plan.checks import (
    ConftestFile,
    MadeRowsFile,
    SmokeFile,
    StandInsFile,
    TinyModelFile,
)
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.asking import asked_constants
from compiler.resolve.chat import base_facts
from compiler.resolve.ends import own_end
from compiler.resolve.export import policy_chain
from compiler.resolve.ideal import ideal_template, row_parts
from compiler.resolve.inputs import Inputs, reward_models
from compiler.resolve.made_columns import made_columns
from compiler.resolve.made_golds import made_golds
from compiler.resolve.methods import METHODS
from compiler.resolve.mixes import earned_by_ideal
from compiler.resolve.mixes.files import rollout_trainers
from compiler.resolve.own_data import (
    format_of,
    is_measured,
    is_taught_ideals,
    sources_of,
    whole_prompts,
)
from compiler.resolve.solutions import made_cells
from compiler.resolve.starts import has_adapters, uses_unsloth
from spec_schema import TaskSpec
from spec_schema.conditions import Condition
from spec_schema.data import HubSource
from spec_schema.prompt import ShotRows

__all__ = ["plan_smoke"]

MADE_ROWS = 64


def plan_smoke(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The files of the smoke test, in `tests/`."""
    context = _context(inputs, stages)
    made, stand_ins = made_rows(inputs), _stand_ins(inputs)
    files: list[tuple[str, object]] = [
        (
            "conftest",
            ConftestFile(
                made is not None,
                stand_ins.models is not None,
                stand_ins.judges is not None,
                context.unsloth,
            ),
        ),
        ("tiny_model", tiny_model(inputs)),
        ("test_smoke", context),
        ("checks", context),
    ]
    if context.unsloth:
        files.append(("unsloth_on_cpu", None))
    if context.has_rl:
        files.append(("crafted", context))
    if any(stand_ins):
        files.append(("stand_ins", stand_ins))
    if made is not None:
        files.append(("made_rows", made))
    return tuple(
        PlannedFile(f"tests/{name}.py", f"tests/{name}.py.jinja", plan) for name, plan in files
    )


def _context(inputs: Inputs, stages: tuple[StagePlan, ...]) -> SmokeFile:
    """What the test has to know of the stages."""
    spec = inputs.spec
    trainers = rollout_trainers(spec)
    return SmokeFile(
        stages=tuple(_stage(inputs, stage) for stage in stages),
        imports=tuple(sorted(f"import train_{stage.name}" for stage in stages)),
        imitates=any(stage.group is None for stage in stages),
        has_sft=any(is_taught_ideals(spec, stage.name) for stage in stages),
        has_rl=bool(trainers),
        has_ideal=ideal_template(spec, inputs.system) is not None,
        has_answer=spec.answer is not None and spec.data.gold is not None,
        exports=bool(policy_chain(stages)),
        off_policy=any(stage.value("steps_per_generation") for stage in stages),
        checkpointing=literal(inputs.stack.checkpointing),
        quantizes=any(stage.quantization for stage in stages),
        offloads=any(stage.mechanics.offloads_activations for stage in stages),
        measures=spec.data.train is not None
        or any(is_measured(spec, stage.name) for stage in stages),
        has_turns=any(_learns_turns(spec, stage.name) for stage in stages),
        has_reference=any(_has_reference(stage) for stage in stages),
        trains_judge=any(stage.method == "reward" for stage in stages),
        judged=any(_judges(spec, stage) for stage in stages),
        rollout_import=f"from trl import {', '.join(trainers)}",
        rollout_trainers=" | ".join(trainers),
        stand_ins=_replaced(inputs),
        asks_wandb=spec.run.tracker == "wandb",
        endings=_endings(stages),
        tells_vllm=any(_tells_vllm(stage) for stage in stages),
        unsloth=uses_unsloth(spec),
        rounds=uses_unsloth(spec) and has_adapters(spec),
        distributed=any(stage.processes for stage in stages),
    )


def _tells_vllm(stage: StagePlan) -> bool:
    """Whether the sampling arguments of a stage are those of vLLM."""
    names = {argument.name for argument in stage.arguments}
    return stage.mechanics.vllm is not None and "generation_kwargs" in names


def _stand_ins(inputs: Inputs) -> StandInsFile:
    """What stands in for reward models and for judges."""
    asked = asked_constants(inputs.spec, inputs.spec.rewards)
    models, judges = (
        "".join(f"rewards.{name}, " for name in asked if name.endswith(ending))
        for ending in ("_MODEL", "_JUDGE")
    )
    return StandInsFile(f"({models})" if models else None, f"({judges})" if judges else None)


def _endings(stages: tuple[StagePlan, ...]) -> str | None:
    """The names of the callbacks that a stage's own rewards would set off."""
    codes = [code for stage in stages for code in stage.callbacks.codes]
    names = sorted({code.partition("(")[0] for code in codes})
    return literal(tuple(names)) if names else None


def _replaced(inputs: Inputs) -> str | None:
    """What the smoke test says of them, as a table."""
    kinds = {"_MODEL": "-> a tiny random classifier", "_JUDGE": "-> a server in this process"}
    asked = asked_constants(inputs.spec, inputs.spec.rewards)
    said = {f"rewards.{name}": kinds[name[-6:]] for name in asked}
    return literal(said) if said else None


def _stage(inputs: Inputs, stage: StagePlan) -> str:
    """One entry of `STAGES`."""
    config = literal(inputs.stack.configs[stage.method])
    sizes = "SFT_SIZES" if stage.group is None else "ROLLOUT_SIZES"
    arguments = [stage.name_code, f"train_{stage.name}", config, sizes]
    arguments.append(f"start={text_literal(stage.start or 'base')}")
    if inputs.spec.stages[stage.name].data is not None:
        arguments.append(f'loader="load_{stage.name}_train"')
    if judges := _judges(inputs.spec, stage):
        arguments.append(f"judges=({judges})")
    if _has_reference(stage):
        arguments.append("compares=True")
    if is_taught_ideals(inputs.spec, stage.name):
        arguments.append("learns_ideals=True")
    if _learns_turns(inputs.spec, stage.name):
        arguments.append("learns_turns=True")
    if names := _must_vary(inputs, stage):
        arguments.append(f"must_vary={literal(names)}")
    return f"Stage({', '.join(arguments)})"


def _has_reference(stage: StagePlan) -> bool:
    """Whether the loss of a stage is about the policy beside a reference."""
    return METHODS[stage.method].compares or bool(stage.value("beta"))


def _learns_turns(spec: TaskSpec, name: str) -> bool:
    """Whether a stage is taught answers of its own rows, which end their turns."""
    own = spec.stages[name].data is not None
    return own and spec.stages[name].method == "sft" and format_of(spec, name) != ("text",)


def _judges(spec: TaskSpec, stage: StagePlan) -> str:
    """The reward models of the stage that other stages train, each with its stage."""
    called = dict(stage.mix.weights) if stage.mix is not None else {}
    trained = reward_models(spec).items()
    return "".join(
        f"(rewards.{name.upper()}_MODEL, {text_literal(model)}), "
        for name, model in trained
        if name in called and model in spec.stages
    )


def _must_vary(inputs: Inputs, stage: StagePlan) -> tuple[str, ...]:
    """The rewards of the stage that the ideal completion must earn and others must not."""
    if stage.mix is None or ideal_template(inputs.spec, inputs.system) is None:
        return ()
    earned = earned_by_ideal(inputs.spec)
    return tuple(name for name, weight in stage.mix.weights if weight.first > 0 and name in earned)


def tiny_model(inputs: Inputs) -> TinyModelFile:
    """The tiny stand-in of a base model; where the spec has a chat template, it has none."""
    base, own = inputs.spec.model.base, inputs.chat_template is not None
    family = family_of(base)
    facts, end = base_facts(inputs.spec), own_end(inputs) or family.end_of_turn
    # Where the project says itself which token ends a turn, its base does not know.
    other_end = facts.ends_unstopped or own_end(inputs) is not None
    kind = f"{family.name} (assumed)" if family.assumed else family.name
    head = f"A tiny random stand-in for {base}, of the family {family.name}."
    body = (
        "It has that architecture, the special tokens and a chat template of the same kind;\n"
        "nothing is downloaded."
    )
    assumed = "\nThe family is assumed: the name of the base does not tell it." * family.assumed
    return TinyModelFile(
        docstring=docstring(f"{head}\n\n{body}{assumed}\n"),
        kind=text_literal(kind),
        model_type=text_literal(family.model_type),
        sizes=tuple(f"{name}={literal(value)}" for name, value in family.sizes),
        special_tokens=literal(list(dict.fromkeys((*family.special_tokens, end)))),
        end_of_turn=text_literal(end),
        end_of_text=text_literal(_end_of_text(family, facts)),
        stops="[END_OF_TEXT]" if other_end else "[END_OF_TURN, END_OF_TEXT]",
        begin_of_text=None if family.begin_of_text is None else text_literal(family.begin_of_text),
        padding=None if family.padding is None else text_literal(family.padding),
        adds_begin=family.adds_begin,
        chat_template=literal(None if own else family.chat_template),
    )


def _end_of_text(family: Family, facts: ChatFacts) -> str:
    """The end token of the base's tokenizer; that of a base model is no end of a turn."""
    ends_turns = family.end_of_text == family.end_of_turn
    if facts.ends_unstopped and ends_turns and family.padding is not None:
        return family.padding
    return family.end_of_text


def made_rows(inputs: Inputs) -> MadeRowsFile | None:
    """Rows in the place of a hub data set, None where every source lies beside the spec."""
    spec = inputs.spec
    sources = [source for _, source in sources_of(spec) if isinstance(source, HubSource)]
    if not sources:
        return None
    shots = spec.prompt.shots
    last_shot = max(shots.rows) + 1 if isinstance(shots, ShotRows) else 0
    entries = _texts(inputs)
    entries |= made_golds(spec, entries) | made_cells(spec) | made_columns(spec)
    for source in sources:
        for column, condition in source.where.items():
            entries[column] = _meeting(condition, entries.get(column, _f_string([])))
    if whole := whole_prompts(spec):
        entries[whole[1]] = '[{"role": "user", "content": f"Say {number}."}]'
    row = ", ".join(f"{text_literal(column)}: {entry}" for column, entry in entries.items())
    return MadeRowsFile(rows=literal(MADE_ROWS + last_shot), row=f"{{{row}}}")


def _columns(inputs: Inputs) -> list[str]:
    """The columns that the templates of the prompt read, in order."""
    spec = inputs.spec
    known = {"gold", "row_number", *spec.data.fields, *row_parts(spec)}
    templates = [spec.prompt.user or "", spec.prompt.assistant or ""]
    names = [name for text in templates for _, name in parse_template(text)]
    return [name for name in dict.fromkeys(names) if name is not None and name not in known]


def _texts(inputs: Inputs) -> dict[str, str]:
    """What each column holds, as an f-string of `number`, which is all that is cut out of it."""
    data = inputs.spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold else [])]
    marks: dict[str, list[str]] = {column: [] for column in _columns(inputs)}
    for cut in sorted(cuts, key=lambda cut: cut.after is not None):
        marks.setdefault(cut.column, [])
        # What is cut in front of a mark stands before what is cut behind one.
        marks[cut.column] += [mark for mark in (cut.after, cut.before) if mark is not None]
    return {
        column: _f_string(list(dict.fromkeys(in_column))) for column, in_column in marks.items()
    }


def _f_string(marks: list[str]) -> str:
    """The number, with these marks between its copies."""
    braced = [mark.replace("{", "{{").replace("}", "}}") for mark in marks]
    return "f" + text_literal("".join(f"{{number}} {mark} " for mark in braced) + "{number}")


def _meeting(condition: Condition, text: str) -> str:
    """A value that meets the condition of `where`, else what the column holds anyway."""
    values = (condition.equals, *(condition.one_of or ()), condition.at_least, condition.at_most)
    for value in values:
        if value is not None:
            return literal(value)
    return text if condition.contains is None else f"{text} + {text_literal(condition.contains)}"
