"""Values that a loss is nothing without, set where the spec leaves them out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["LossDefault", "loss_defaults"]


class LossDefault(NamedTuple):
    """A field of TRL's config, its value with a loss, and the reason, which names the paper."""

    field: str
    value: object
    reason: str


DEFAULTS: Mapping[str, Mapping[str, LossDefault]] = {
    "dpo": {
        "exo_pair": LossDefault(
            "label_smoothing", 1e-3, "EXO needs smoothing above 0 (arXiv 2402.00856)"
        ),
        "robust": LossDefault(
            "label_smoothing", 0.1, "the share of pairs taken as swapped (arXiv 2403.00409)"
        ),
        "sigmoid_norm": LossDefault(
            "beta", 5.0, "log-ratios are per token, and so small (Tülu 3, arXiv 2411.15124)"
        ),
    },
    "grpo": {
        "dr_grpo": LossDefault(
            "scale_rewards",
            "none",
            "Dr. GRPO does not divide by the group's spread (arXiv 2503.20783)",
        ),
        "cispo": LossDefault(
            "epsilon_high",
            5.0,
            "CISPO caps the ratio itself at this, not at 1 + this (arXiv 2510.13786)",
        ),
        "luspo": LossDefault(
            "importance_sampling_level",
            "sequence",
            "LUSPO weighs whole completions (arXiv 2602.05261)",
        ),
    },
}


def loss_defaults(method: str, losses: Iterable[str]) -> Iterator[LossDefault]:
    """Yield the values of the losses of a stage; of two for one field the first counts."""
    seen: set[str] = set()
    for loss in losses:
        default = DEFAULTS.get(method, {}).get(loss)
        if default is not None and default.field not in seen:
            seen.add(default.field)
            yield default
