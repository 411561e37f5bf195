"""The packages that rows and rewards of a project need beside those of training."""

from compiler.resolve.generated import REQUIREMENT, generated_pieces
from compiler.resolve.rewards.prose import needs_identifier
from spec_schema import TaskSpec

__all__ = ["packages_of"]


def packages_of(spec: TaskSpec) -> tuple[str, ...]:
    """The requirements of a project's rows and rewards, each once."""
    found: dict[str, None] = {REQUIREMENT: None} if generated_pieces(spec) else {}
    for reward in spec.rewards.values():
        if reward.kind == "json_schema":
            found |= {"jsonschema>=4.26,<5": None, "referencing>=0.36,<1": None}
        elif reward.kind == "language" and needs_identifier(reward):
            found |= {"py3langid>=0.4,<0.5": None}
    return tuple(found)
