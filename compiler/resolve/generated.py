"""Sources whose rows a generator of reasoning-gym makes: their seeds, their call, their columns."""

from typing import TYPE_CHECKING

from compiler.literals import literal, text_literal
from compiler.resolve.own_data import sources_of
from spec_schema import TaskSpec

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from spec_schema.generators import ReasoningGymSource

__all__ = [
    "GENERATED_COLUMNS",
    "REQUIREMENT",
    "first_seed",
    "generated_code",
    "generated_pieces",
    "generated_sources",
    "is_generated",
]

GENERATED_COLUMNS = ("question", "answer", "reasoning_gym")
REQUIREMENT = "reasoning-gym>=0.1.25,<0.2"


def is_generated(source: object) -> "TypeIs[ReasoningGymSource]":
    """Whether a generator makes the rows of a source, without loading the model of such ones."""
    return hasattr(source, "reasoning_gym")


def generated_sources(
    spec: TaskSpec,
) -> "tuple[tuple[tuple[str | int, ...], ReasoningGymSource], ...]":
    """The sources of a spec that generators make, each with the path of its table."""
    return tuple((path, source) for path, source in sources_of(spec) if is_generated(source))


def first_seed(spec: TaskSpec, source: "ReasoningGymSource") -> int:
    """The seed of a source's first row; one that says none begins where all others have ended."""
    if source.seed is not None:
        return source.seed
    sources = [each for _, each in generated_sources(spec)]
    said = (each.seed + each.rows for each in sources if each.seed is not None)
    free = max((spec.project.seed, *said))
    for each in sources:
        if each is source:
            break
        free += each.rows if each.seed is None else 0
    return free


def generated_code(spec: TaskSpec, source: "ReasoningGymSource") -> str:
    """The call that makes the rows of a source."""
    seed = first_seed(spec, source)
    config = "".join(f", {key}={literal(value)}" for key, value in source.config.items())
    name = text_literal(source.reasoning_gym)
    return f"generated_rows({name}, {source.rows}, seed={seed}{config})"


def generated_pieces(spec: TaskSpec) -> tuple[str, ...]:
    """The pieces of generated.py, none where no generator makes rows or scores answers."""
    scores = any(reward.kind == "reasoning_gym" for reward in spec.rewards.values())
    makes = bool(generated_sources(spec))
    needed = {"generated_rows": makes, "verdict": scores}
    return tuple(piece for piece, is_needed in needed.items() if is_needed)
