"""What is known about a task at compile time: the spec, its stack, and the files beside it."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from compiler.chat.named import NAMED, is_file
from compiler.hub_cache import model_folder
from compiler.local_data import DataError, Shape, joined, shape_of
from compiler.memory import Architecture, architecture_of, device_of
from compiler.plan.mechanics import Mechanics
from compiler.resolve.generated import GENERATED_COLUMNS, is_generated
from compiler.stack import Stack, load_stack
from compiler.stack_choice import written_variant
from spec_schema import TaskSpec
from spec_schema.data import EvalSource, PathSource, TrainSource
from spec_schema.prompt import TextFile

__all__ = ["Inputs", "gather", "own_template", "reward_models"]


class Inputs(NamedTuple):
    """Everything that resolving looks at; a shape is None where only a run can know it.

    `chat_template` is the text of the spec's own, None where it takes that of the base. `own` are
    the shapes of the stages' own rows, by their names.

    `architectures` are those of the models that a GPU has to hold, by the name in the spec: of all
    whose size is known, and none on the CPU. `mechanics` are decided behind all of this, for the
    spec as it is: they are there while stages are planned, and nobody else may count on them.
    """

    spec: TaskSpec
    stack: Stack
    system: str | None
    chat_template: str | None
    train: Shape | None
    evaluation: Shape | None
    own: dict[str, Shape | None]
    architectures: dict[str, Architecture]
    mechanics: Mapping[str, Mechanics] = MappingProxyType({})

    @property
    def stage_names(self) -> tuple[str, ...]:
        """The stages in the order in which they run."""
        return tuple(self.spec.project.stages or self.spec.stages)


def gather(spec: TaskSpec, folder: Path) -> Inputs:
    """Read the files that the spec names and that decide something now.

    The stack is the version set that the spec asks for, where it does not leave that to the tier.
    The rules have reported what cannot be read, so that it counts as unknown here.
    """
    return Inputs(
        spec=spec,
        stack=load_stack(spec.project.stack, written_variant(spec)),
        system=_system(spec, folder),
        chat_template=own_template(spec, folder),
        train=_shape(spec.data.train, folder),
        evaluation=_shape(spec.data.eval, folder),
        own={
            name: _shape(stage.data.train, folder)
            for name, stage in spec.stages.items()
            if stage.data is not None
        },
        architectures=_architectures(spec, folder),
    )


def reward_models(spec: TaskSpec) -> dict[str, str]:
    """The models that rewards load beside the policy, or the stages that train them, by reward."""
    rewards = spec.rewards.items()
    return {name: each.model for name, each in rewards if each.kind == "reward_model"}


def _architectures(spec: TaskSpec, folder: Path) -> dict[str, Architecture]:
    if device_of(spec.hardware.tier) is None:
        return {}
    own = (stage.model for stage in spec.stages.values() if stage.model is not None)
    rewards = (each for each in spec.rewards.values() if each.kind == "reward_model")
    revisions = {
        **{each.model: each.revision for each in rewards},
        **dict.fromkeys(own),
        spec.model.base: spec.model.revision,
    }
    found = {
        name: architecture_of(name, folder, model_folder(name, revision, folder))
        for name, revision in revisions.items()
    }
    return {name: each for name, each in found.items() if each is not None}


def _system(spec: TaskSpec, folder: Path) -> str | None:
    match spec.prompt.system:
        case TextFile(file=file):
            try:
                return (folder / file).read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError):
                return ""
        case text:
            return text


def own_template(spec: TaskSpec, folder: Path) -> str | None:
    """The text of the chat template that the spec names, None where it names none."""
    name = spec.model.chat_template
    if name is None or (not is_file(name) and name not in NAMED):
        return None
    if not is_file(name):
        return NAMED[name].text
    try:
        return (folder / name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return None


def _shape(source: TrainSource | EvalSource | None, folder: Path) -> Shape | None:
    if isinstance(source, list):
        shapes = [(_shape(each, folder), each.share) for each in source]
        known = [(shape, share) for shape, share in shapes if shape is not None]
        return joined(known) if len(known) == len(source) else None
    if is_generated(source):
        return Shape(GENERATED_COLUMNS, source.rows)
    if not isinstance(source, PathSource):
        return None
    try:
        return shape_of(folder / source.path, source.delimiter, source.encoding)
    except (OSError, DataError):
        return None
