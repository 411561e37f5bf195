"""Each alarm on logs: where it sounds, where it does not yet, and which setting it names."""

import importlib
import math
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from windows import Run

from tests.watching.runs import Entry, rollout_log

if TYPE_CHECKING:
    from collections.abc import Callable

ARGS = {
    "learning_rate": 1e-5,
    "max_grad_norm": 1.0,
    "num_generations": 8,
    "max_completion_length": 256,
    "temperature": 1.0,
    "beta": 0.1,
    "max_length": 512,
    "per_device_train_batch_size": 4,
    "desirable_weight": 1.0,
    "undesirable_weight": 1.0,
    "vllm_importance_sampling_mode": "sequence_mask",
}
RANGES = {"correct": (0.0, 1.0)}


def heard(
    alarm: str, log: list[Entry], ranges: dict[str, tuple[float, float]] = RANGES, **args: object
) -> dict[str, str]:
    """What an alarm says of a log."""
    sounded: Callable[[Run], dict[str, str]] = getattr(importlib.import_module(alarm), alarm)
    return sounded(Run(log, SimpleNamespace(**(ARGS | args)), ranges))


def log_of(count: int, **metrics: object) -> list[Entry]:
    """So many windows of ten steps; a callable takes the number of the window, from 0."""
    return [
        {"step": 10 * at + 10, "loss": 0.5}
        | {
            name.replace("__", "/"): value(at) if callable(value) else value
            for name, value in metrics.items()
        }
        for at in range(count)
    ]


ROLLOUT = (
    *("broken_number", "gradient_spike", "no_spread", "cut_off", "stuck_reward"),
    *("unjudged_reward", "entropy_collapse", "length_drift", "far_from_start"),
    "other_sampler",
)


@pytest.mark.parametrize("alarm", ROLLOUT)
def test_a_healthy_run_is_quiet(alarm: str) -> None:
    healthy = rollout_log(300, rewards__correct__mean=lambda step: min(1.0, step / 250), kl=0.05)
    assert heard(alarm, healthy) == {}
    assert heard(alarm, []) == {}


@pytest.mark.parametrize(
    ("alarm", "metric", "log", "setting"),
    [
        ("broken_number", "loss", log_of(1, loss=math.nan), "learning_rate (it is 1e-05)"),
        ("broken_number", "grad_norm", log_of(1, grad_norm=math.inf), "learning_rate"),
        (
            "gradient_spike",
            "grad_norm",
            log_of(12, grad_norm=lambda at: 6.0 if at == 11 else 0.5),
            "max_grad_norm (it is 1)",
        ),
        (
            "other_sampler",
            "sampling/sampling_logp_difference/mean",
            log_of(3, sampling__sampling_logp_difference__mean=0.3),
            "use_vllm=False",
        ),
        (
            "other_sampler",
            "sampling/importance_sampling_ratio/mean",
            log_of(3, sampling__importance_sampling_ratio__mean=0.2),
            "vllm_importance_sampling_mode of tokens (it is sequence_mask)",
        ),
        (
            "no_spread",
            "frac_reward_zero_std",
            log_of(3, frac_reward_zero_std=0.9),
            "num_generations (it is 8)",
        ),
        (
            "cut_off",
            "completions/clipped_ratio",
            log_of(3, completions__clipped_ratio=0.3),
            "max_completion_length (it is 256)",
        ),
        (
            "stuck_reward",
            "rewards/correct/mean",
            log_of(5, rewards__correct__mean=0.0, rewards__correct__std=0.0),
            "0, its lowest",
        ),
        (
            "unjudged_reward",
            "rewards/correct/mean",
            log_of(3, rewards__correct__mean=None),
            "judged no completion",
        ),
        (
            "entropy_collapse",
            "entropy",
            log_of(6, entropy=lambda at: 1.0 if at < 3 else 0.02),
            "temperature (it is 1)",
        ),
        (
            "length_drift",
            "completions/mean_length",
            log_of(6, completions__mean_length=lambda at: 100 if at < 3 else 210),
            "from 100 to 210 tokens",
        ),
        (
            "length_drift",
            "completions/mean_length",
            log_of(6, completions__mean_length=lambda at: 100 if at < 3 else 40),
            "from 100 to 40 tokens",
        ),
        ("far_from_start", "kl", log_of(3, kl=0.8), "beta (it is 0.1)"),
        ("memorised", "loss", log_of(3, loss=0.01, mean_token_accuracy=0.999), "fewer steps"),
        ("unmoved_pairs", "rewards/margins", log_of(3, rewards__margins=0.0), "max_length"),
        (
            "chosen_falls",
            "rewards/chosen",
            log_of(3, rewards__chosen=-2.0, rewards__margins=1.0),
            "lost 20 nats",
        ),
        (
            "saturated_pairs",
            "rewards/margins",
            log_of(3, rewards__margins=8.0, rewards__accuracies=1.0),
            "beta (it is 0.1)",
        ),
        ("coin_flip", "accuracy", log_of(10, accuracy=0.52, loss=0.7), "learning_rate"),
        ("zero_kl", "kl", log_of(5, kl=0.0), "per_device_train_batch_size (it is 4)"),
        ("one_class", "rewards/rejected", log_of(3, rewards__chosen=0.1), "label false"),
    ],
)
def test_an_alarm_names_what_shows_it_and_what_to_change(
    alarm: str, metric: str, log: list[Entry], setting: str
) -> None:
    found = heard(alarm, log)
    assert list(found) == [metric]
    assert setting in found[metric]
    assert heard(alarm, log[:-1]) == {}, "a window earlier it is not sure yet"


@pytest.mark.parametrize(
    ("alarm", "log"),
    [
        ("gradient_spike", log_of(12, grad_norm=lambda at: 4.0 if at == 11 else 0.5)),
        ("gradient_spike", log_of(30, grad_norm=0.0)),
        ("gradient_spike", log_of(30, grad_norm=lambda at: 0.5 if at % 3 == 2 else 0.0)),
        ("no_spread", log_of(9, frac_reward_zero_std=lambda at: 0.9 if at % 3 else 0.5)),
        ("stuck_reward", log_of(9, rewards__correct__mean=1.0, rewards__correct__std=0.0)),
        ("stuck_reward", log_of(9, rewards__correct__mean=0.0, rewards__correct__std=0.1)),
        ("unjudged_reward", log_of(9, rewards__correct__mean=lambda at: None if at % 2 else 0.5)),
        ("entropy_collapse", log_of(9, entropy=lambda at: 0.128 if at < 3 else 0.05)),
        ("memorised", log_of(9, loss=0.01, mean_token_accuracy=0.98)),
        ("unmoved_pairs", log_of(9, rewards__margins=lambda at: 1e-4 * at)),
        ("chosen_falls", log_of(9, rewards__chosen=-2.0, rewards__margins=-1.0)),
        ("saturated_pairs", log_of(9, rewards__margins=8.0, rewards__accuracies=0.9)),
        ("coin_flip", log_of(12, accuracy=0.52, loss=0.6)),
        ("zero_kl", log_of(9, kl=lambda at: 0.1 * (at % 2))),
        ("one_class", log_of(9, rewards__chosen=0.1, rewards__rejected=-0.1)),
    ],
)
def test_what_only_looks_like_it_is_no_alarm(alarm: str, log: list[Entry]) -> None:
    assert heard(alarm, log) == {}


def test_a_reward_stuck_between_its_ends_is_told_apart_from_a_dead_one() -> None:
    """Field case 63: a neutral value for every completion."""
    log = log_of(5, rewards__correct__mean=0.5, rewards__correct__std=0.0)
    (said,) = heard("stuck_reward", log).values()
    assert "0.5 for every completion" in said
    assert "lowest" not in said


def test_each_stuck_reward_has_an_alarm_of_its_own() -> None:
    stuck = {"correct": 0.0, "polite": -1.0}
    metrics = {f"rewards__{name}__mean": value for name, value in stuck.items()}
    metrics |= {f"rewards__{name}__std": 0.0 for name in stuck}
    found = heard("stuck_reward", log_of(5, **metrics), {"correct": (0, 1), "polite": (-1, 0)})
    assert list(found) == ["rewards/correct/mean", "rewards/polite/mean"]


def test_a_logit_that_is_always_the_same_is_stuck() -> None:
    log = log_of(5, rewards__model__mean=3.7, rewards__model__std=0.0)
    assert heard("stuck_reward", log, {"model": (-math.inf, math.inf)})


def test_held_out_rows_that_get_worse_are_an_alarm() -> None:
    losses = [2.0, 1.0, 1.1, 1.2]
    log: list[Entry] = [{"step": at, "eval_loss": loss} for at, loss in enumerate(losses)]
    assert "1 to 1.2" in heard("overfit", log)["eval_loss"]
    assert heard("overfit", log[:3]) == {}, "one evaluation may be chance"


def test_field_62_an_alarm_over_the_kl_is_an_error_without_a_beta() -> None:
    with pytest.raises(SystemExit, match="not logged with beta = 0"):
        heard("far_from_start", [], beta=0.0)


def test_field_41_cut_answers_are_counted_as_cut_and_not_as_wrong() -> None:
    log = log_of(3, completions__clipped_ratio=0.4, rewards__correct__mean=0.2)
    assert "40% of the completions are cut" in heard("cut_off", log)["completions/clipped_ratio"]
    assert heard("stuck_reward", log) == {}


def test_field_105_a_loss_that_stays_at_its_start_is_an_alarm() -> None:
    log = log_of(3, loss=math.log(2), rewards__margins=0.0)
    assert "ln 2" in heard("unmoved_pairs", log)["rewards/margins"]
