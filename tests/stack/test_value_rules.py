"""TRL's rules over the values of one stage: what is found, and what is let through."""

import ast
import importlib.util
import pathlib
import re
from importlib import metadata

import pytest

from compiler.diagnostics import Severity
from compiler.stack import Settings, check_values, load_stack
from compiler.stack.dpo_rules import LOSS_TYPES
from compiler.stack.grpo_rules import CHOICES
from compiler.stack.loss_defaults import loss_defaults
from compiler.stack.losses import read_losses, read_recipes

TRL_RELEASE = "1.16.0"
METHODS = ("sft", "reward", "dpo", "kto", "grpo", "rloo")

stack = load_stack()


def installed_trl() -> str | None:
    try:
        return metadata.version("trl")
    except metadata.PackageNotFoundError:
        return None


needs_trl = pytest.mark.skipif(
    installed_trl() != TRL_RELEASE,
    reason=f"the table is held against trl {TRL_RELEASE}; installed: {installed_trl()}",
)


def settings(method: str, written: dict[str, object], *, adapter: bool = False) -> Settings:
    planned: dict[str, object] = {
        "eval_strategy": "no",
        "save_strategy": "steps",
        "gradient_accumulation_steps": 4,
    }
    return Settings(stack, method, planned | written, written.keys(), adapter=adapter)


def found(method: str, written: dict[str, object]) -> list[tuple[str, str]]:
    return [(item.code, item.fields[0]) for item in check_values(settings(method, written))]


# Of the methods with preferences or without a choice of losses.
PREFERENCES: tuple[tuple[str, dict[str, object], tuple[str, str]], ...] = (
    ("dpo", {"loss_type": ["sigmoid", "sigmod"]}, ("bad-value", "loss_type")),
    ("dpo", {"loss_type": []}, ("bad-value", "loss_type")),
    ("dpo", {"loss_type": "exo_pair"}, ("settings-conflict", "label_smoothing")),
    ("dpo", {"loss_type": "exo_pair", "label_smoothing": 0.5}, ("bad-value", "label_smoothing")),
    ("dpo", {"loss_type": "robust"}, ("off-recipe", "label_smoothing")),
    ("dpo", {"loss_type": "robust", "label_smoothing": 0.5}, ("bad-value", "label_smoothing")),
    ("dpo", {"label_smoothing": 0.1}, ("no-effect", "label_smoothing")),
    ("dpo", {"discopop_tau": 0.1}, ("no-effect", "discopop_tau")),
    ("dpo", {"loss_type": "discopop", "discopop_tau": 0.0}, ("bad-value", "discopop_tau")),
    ("dpo", {"loss_type": "sft"}, ("off-recipe", "loss_type")),
    ("dpo", {"loss_weights": [1.0, 0.5]}, ("settings-conflict", "loss_weights")),
    ("dpo", {"loss_weights": [-1.0]}, ("bad-value", "loss_weights")),
    (
        "dpo",
        {"loss_type": ["sigmoid", "sft"], "loss_weights": [0.0, 0]},
        ("bad-value", "loss_weights"),
    ),
    ("dpo", {"f_divergence_type": "forward-kl"}, ("bad-value", "f_divergence_type")),
    (
        "dpo",
        {"f_divergence_type": "js_divergence", "loss_type": ["sigmoid", "bco_pair"]},
        ("settings-conflict", "f_divergence_type"),
    ),
    ("dpo", {"f_alpha_divergence_coef": 0.3}, ("no-effect", "f_alpha_divergence_coef")),
    ("dpo", {"loss_type": "aot", "use_weighting": True}, ("settings-conflict", "use_weighting")),
    (
        "dpo",
        {"loss_type": "aot_unpaired", "per_device_train_batch_size": 1},
        ("off-recipe", "loss_type"),
    ),
    ("dpo", {"padding_free": True}, ("no-effect", "padding_free")),
    (
        "dpo",
        {"sync_ref_model": True, "precompute_ref_log_probs": True},
        ("settings-conflict", "precompute_ref_log_probs"),
    ),
    ("dpo", {"precompute_ref_batch_size": 8}, ("no-effect", "precompute_ref_batch_size")),
    ("dpo", {"ref_model_mixup_alpha": 0.5}, ("no-effect", "ref_model_mixup_alpha")),
    (
        "dpo",
        {"train_sampling_strategy": "group_by_length"},
        ("settings-conflict", "train_sampling_strategy"),
    ),
    (
        "reward",
        {"train_sampling_strategy": "group_by_length"},
        ("settings-conflict", "train_sampling_strategy"),
    ),
    ("reward", {"label_smoothing_factor": 0.1}, ("no-effect", "label_smoothing_factor")),
    (
        "kto",
        {"train_sampling_strategy": "random"},
        ("settings-conflict", "train_sampling_strategy"),
    ),
    (
        "kto",
        {"per_device_train_batch_size": 1},
        ("settings-conflict", "per_device_train_batch_size"),
    ),
    (
        "kto",
        {"desirable_weight": 0.0, "undesirable_weight": 0},
        ("settings-conflict", "desirable_weight"),
    ),
    ("rloo", {"epsilon": 0.1}, ("no-effect", "epsilon")),
    ("rloo", {"epsilon_high": 0.3}, ("no-effect", "epsilon_high")),
    ("rloo", {"reward_clip_range": [1.0]}, ("bad-value", "reward_clip_range")),
    ("rloo", {"reward_clip_range": [1.0, 1.0]}, ("bad-value", "reward_clip_range")),
    ("rloo", {"sync_ref_model": True, "beta": 0.0}, ("settings-conflict", "sync_ref_model")),
    ("rloo", {"generation_kwargs": {"num_beams": 2}}, ("settings-conflict", "generation_kwargs")),
)


@pytest.mark.parametrize("method", METHODS)
def test_defaults_break_no_rule(method: str) -> None:
    assert check_values(settings(method, {})) == ()


@pytest.mark.parametrize(
    ("method", "name", "bad", "good"),
    [
        ("sft", "learning_rate", 0, 1e-5),
        ("sft", "warmup_steps", -1, 0),
        ("sft", "warmup_steps", 1.5, 0.1),
        ("sft", "logging_steps", 0, 0.05),
        ("sft", "logging_steps", 2.5, 2),
        ("sft", "adam_beta2", 1.0, 0.95),
        ("sft", "max_grad_norm", -1.0, 0.0),
        ("sft", "torch_empty_cache_steps", 0, 1),
        ("sft", "max_length", 0, 1),
        ("grpo", "num_generations", 1, 2),
        ("grpo", "temperature", 0.0, 0.1),
        ("grpo", "top_p", 1.1, 1.0),
        ("grpo", "top_k", -1, 0),
        ("grpo", "min_p", 1.5, 0.05),
        ("grpo", "top_entropy_quantile", 0.0, 0.2),
        ("grpo", "beta", -0.1, 0.04),
        ("grpo", "num_iterations", 0, 2),
        ("reward", "center_rewards_coefficient", -0.01, 0.01),
        ("dpo", "beta", 0.0, 0.1),
        ("dpo", "ld_alpha", 1.5, 0.5),
        ("dpo", "ld_alpha", -0.1, 1.0),
        ("kto", "beta", 0, 0.1),
        ("kto", "desirable_weight", -1.0, 1.33),
        ("kto", "undesirable_weight", -1.0, 0.0),
        ("rloo", "num_generations", 1, 2),
        ("rloo", "beta", -0.03, 0.0),
        ("rloo", "temperature", 0.0, 0.7),
    ],
)
def test_a_number_out_of_its_range_is_refused(
    method: str, name: str, bad: float, good: float
) -> None:
    assert found(method, {name: bad}) == [("bad-value", name)]
    assert found(method, {name: good}) == []


@pytest.mark.parametrize(
    ("method", "written", "expected"),
    [
        ("sft", {"lr_scheduler_type": "greedy"}, ("settings-conflict", "lr_scheduler_type")),
        (
            "sft",
            {"lr_scheduler_type": "cosine_with_min_lr"},
            ("settings-conflict", "lr_scheduler_type"),
        ),
        (
            "sft",
            {"lr_scheduler_type": "warmup_stable_decay"},
            ("settings-conflict", "lr_scheduler_type"),
        ),
        (
            "sft",
            {"lr_scheduler_type": "constant", "warmup_steps": 10},
            ("no-effect", "warmup_steps"),
        ),
        (
            "sft",
            {"lr_scheduler_type": "constant", "lr_scheduler_kwargs": {"num_cycles": 2}},
            ("no-effect", "lr_scheduler_kwargs"),
        ),
        (
            "sft",
            {"load_best_model_at_end": True},
            ("settings-conflict", "load_best_model_at_end"),
        ),
        (
            "sft",
            {
                "load_best_model_at_end": True,
                "eval_strategy": "steps",
                "eval_steps": 30,
                "save_steps": 100,
            },
            ("settings-conflict", "load_best_model_at_end"),
        ),
        (
            "sft",
            {"dataloader_prefetch_factor": 2},
            ("settings-conflict", "dataloader_prefetch_factor"),
        ),
        ("sft", {"pad_to_multiple_of": "8"}, ("bad-value", "pad_to_multiple_of")),
        ("sft", {"packing": True, "max_length": None}, ("settings-conflict", "packing")),
        ("sft", {"packing_strategy": "bfd"}, ("no-effect", "packing_strategy")),
        ("sft", {"padding_free": True}, ("settings-conflict", "padding_free")),
        (
            "sft",
            {"padding_free": True, "packing": True, "packing_strategy": "wrapped"},
            ("off-recipe", "padding_free"),
        ),
        ("sft", {"label_smoothing_factor": 0.1}, ("deprecated-field", "label_smoothing_factor")),
        (
            "sft",
            {"label_smoothing_factor": 0.1, "loss_type": "dft"},
            ("no-effect", "label_smoothing_factor"),
        ),
        ("grpo", {"loss_type": "dr-grpo"}, ("bad-value", "loss_type")),
        ("grpo", {"scale_rewards": "std"}, ("bad-value", "scale_rewards")),
        ("grpo", {"loss_type": "cispo"}, ("settings-conflict", "loss_type")),
        ("grpo", {"loss_type": "cispo", "epsilon_high": 0.28}, ("settings-conflict", "loss_type")),
        ("grpo", {"delta": 1.1, "num_iterations": 2}, ("settings-conflict", "delta")),
        ("grpo", {"loss_type": "dr_grpo"}, ("off-recipe", "scale_rewards")),
        (
            "grpo",
            {"multi_objective_aggregation": "normalize_then_sum", "scale_rewards": "batch"},
            ("no-effect", "scale_rewards"),
        ),
        ("grpo", {"loss_type": "luspo"}, ("off-recipe", "importance_sampling_level")),
        (
            "grpo",
            {"importance_sampling_level": "sequence", "num_iterations": 2},
            ("off-recipe", "importance_sampling_level"),
        ),
        ("grpo", {"sync_ref_model": True}, ("settings-conflict", "sync_ref_model")),
        (
            "grpo",
            {"use_adaptive_entropy": True, "entropy_coef_min": 0.2, "entropy_coef_max": 0.1},
            ("settings-conflict", "entropy_coef_min"),
        ),
        (
            "grpo",
            {"generation_kwargs": {"temperature": 0.5}},
            ("settings-conflict", "generation_kwargs"),
        ),
        ("grpo", {"epsilon": 0.1}, ("no-effect", "epsilon")),
        *PREFERENCES,
        ("grpo", {"epsilon_high": 0.28}, ("no-effect", "epsilon_high")),
        (
            "grpo",
            {"loss_type": "grpo", "importance_sampling_level": "sequence"},
            ("no-effect", "importance_sampling_level"),
        ),
        ("grpo", {"sapo_temperature_pos": 1.2}, ("no-effect", "sapo_temperature_pos")),
        ("grpo", {"use_bias_correction_kl": False}, ("no-effect", "use_bias_correction_kl")),
        ("grpo", {"entropy_target": 0.3}, ("no-effect", "entropy_target")),
        ("grpo", {"ref_model_sync_steps": 64}, ("no-effect", "ref_model_sync_steps")),
        ("grpo", {"label_smoothing_factor": 0.1}, ("no-effect", "label_smoothing_factor")),
    ],
)
def test_settings_that_do_not_go_together_are_found(
    method: str, written: dict[str, object], expected: tuple[str, str]
) -> None:
    assert found(method, written) == [expected]


@pytest.mark.parametrize(
    ("method", "written"),
    [
        ("sft", {"lr_scheduler_type": "cosine_with_min_lr", "lr_scheduler_kwargs": {"min_lr": 0}}),
        ("sft", {"packing": True, "max_length": 512, "packing_strategy": "wrapped"}),
        ("sft", {"dataloader_prefetch_factor": 2, "dataloader_num_workers": 2}),
        (
            "sft",
            {
                "load_best_model_at_end": True,
                "eval_strategy": "steps",
                "eval_steps": 50,
                "save_steps": 100,
            },
        ),
        ("grpo", {"loss_type": "cispo", "epsilon_high": 5.0}),
        ("grpo", {"loss_type": "dr_grpo", "scale_rewards": "none"}),
        ("grpo", {"epsilon": 0.1, "epsilon_high": 0.28, "num_iterations": 2}),
        ("grpo", {"delta": 4.0, "num_iterations": 2}),
        ("grpo", {"sync_ref_model": True, "beta": 0.04, "ref_model_sync_steps": 64}),
        (
            "grpo",
            {"loss_type": "grpo", "importance_sampling_level": "sequence", "num_iterations": 2},
        ),
        ("grpo", {"generation_kwargs": {"no_repeat_ngram_size": 3}}),
        ("grpo", {"use_adaptive_entropy": True, "entropy_target": 0.3}),
        ("dpo", {"loss_type": ["sigmoid", "bco_pair", "sft"], "loss_weights": [0.8, 0.2, 1.0]}),
        ("dpo", {"loss_type": "exo_pair", "label_smoothing": 1e-3}),
        ("dpo", {"loss_type": ["robust"], "label_smoothing": 0.1}),
        ("dpo", {"loss_type": "aot", "label_smoothing": 0.1, "per_device_train_batch_size": 2}),
        ("dpo", {"f_divergence_type": "alpha_divergence", "f_alpha_divergence_coef": 0.3}),
        ("dpo", {"precompute_ref_log_probs": True, "precompute_ref_batch_size": 8}),
        ("dpo", {"train_sampling_strategy": "sequential"}),
        ("kto", {"per_device_train_batch_size": 2, "undesirable_weight": 0.0}),
        ("kto", {"loss_type": "apo_zero_unpaired", "train_sampling_strategy": "random"}),
        ("kto", {"loss_type": "apo_zero_unpaired", "per_device_train_batch_size": 1}),
        ("reward", {"center_rewards_coefficient": 0.01}),
        ("rloo", {"epsilon": 0.1, "epsilon_high": 0.3, "steps_per_generation": 8}),
        ("rloo", {"normalize_advantages": True, "reward_clip_range": [-1, 1.0]}),
    ],
)
def test_settings_that_go_together_are_let_through(method: str, written: dict[str, object]) -> None:
    assert found(method, written) == []


@pytest.mark.parametrize(
    ("loss", "instead"),
    [("rpo", "loss_weights"), ("kto_pair", 'method = "kto"'), ("cdpo", "robust")],
)
def test_a_loss_of_older_releases_is_shown_how_to_write_it(loss: str, instead: str) -> None:
    (finding,) = check_values(settings("dpo", {"loss_type": [loss]}))
    assert finding.hint is not None
    assert instead in finding.hint


def test_gspo_written_as_a_loss_is_shown_how_to_write_it() -> None:
    (finding,) = check_values(settings("grpo", {"loss_type": "gspo"}))
    assert finding.hint is not None
    assert "importance_sampling_level" in finding.hint


@pytest.mark.parametrize("method", ["dpo", "kto", "grpo", "rloo"])
def test_a_synced_reference_needs_a_model_without_an_adapter(method: str) -> None:
    chosen = settings(method, {"sync_ref_model": True, "beta": 0.04}, adapter=True)
    assert [finding.code for finding in check_values(chosen)] == ["settings-conflict"]


def test_what_has_no_effect_is_a_warning() -> None:
    (finding,) = check_values(settings("grpo", {"epsilon": 0.1}))
    assert finding.severity is Severity.WARNING


def test_a_plan_with_several_updates_a_rollout_is_off_policy() -> None:
    written: dict[str, object] = {"epsilon": 0.1, "steps_per_generation": 16}
    assert found("grpo", written) == []


def trainer_source(file: str) -> ast.Module:
    spec = importlib.util.find_spec("trl")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    path = pathlib.Path(spec.submodule_search_locations[0], "trainer", file)
    return ast.parse(path.read_text("utf-8"))


@needs_trl
def test_the_choices_are_those_that_the_trainer_compares_with() -> None:
    compared: dict[str, set[str]] = {name: set() for name in CHOICES}
    for node in ast.walk(trainer_source("grpo_trainer.py")):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            constants = {
                str(part.value) for part in ast.walk(node) if isinstance(part, ast.Constant)
            }
            compared.get(node.left.attr, set()).update(constants)
    # The default is compared with nothing where the others are exceptions to it.
    for name, allowed in CHOICES.items():
        assert compared[name] | {stack.default("grpo", name)} == set(allowed), name


@needs_trl
def test_the_losses_of_dpo_are_those_that_its_trainer_compares_with() -> None:
    compared: set[str] = set()
    for node in ast.walk(trainer_source("dpo_trainer.py")):
        match node:
            case ast.Compare(
                left=ast.Name("loss_type"), ops=[ast.Eq()], comparators=[ast.Constant(str(name))]
            ):
                compared.add(name)
    assert compared == set(LOSS_TYPES)


@pytest.mark.parametrize("method", METHODS)
def test_the_table_of_losses_has_every_loss(method: str) -> None:
    field = stack.field(method, "loss_type")
    names = {"dpo": LOSS_TYPES, "grpo": CHOICES["loss_type"]}.get(
        method, () if field is None else field.members
    )
    assert {loss.name for loss in read_losses(method)} == set(names) - {"chunked_nll"}


@pytest.mark.parametrize("method", METHODS)
def test_what_losses_and_recipes_want_breaks_no_rule(method: str) -> None:
    for loss in read_losses(method):
        off_policy = {"num_iterations": 2} if method == "grpo" else {}
        # DPO's `sft` is a part of a mixture.
        name = ["sigmoid", "sft"] if (method, loss.name) == ("dpo", "sft") else loss.name
        assert found(method, {"loss_type": name} | dict(loss.wants) | off_policy) == [], loss
        for default in loss_defaults(method, [loss.name]):
            assert loss.wants[default.field] == default.value
            assert any(paper in default.reason for paper in loss.papers)
    for recipe in read_recipes(method):
        updates = recipe.writes.get("updates_per_rollout", 1)
        assert isinstance(updates, int)
        written = {key: recipe.writes[key] for key in recipe.writes if key != "updates_per_rollout"}
        planned = written | ({"steps_per_generation": 4 * updates} if updates > 1 else {})
        assert found(method, planned) == [], recipe


@pytest.mark.parametrize("method", METHODS)
def test_papers_are_numbers_of_arxiv(method: str) -> None:
    papers = {
        paper for entry in (*read_losses(method), *read_recipes(method)) for paper in entry.papers
    }
    assert all(re.fullmatch(r"\d{4}\.\d{5}", paper) for paper in papers)


def test_of_two_losses_the_first_decides_what_is_filled_in() -> None:
    (default,) = loss_defaults("dpo", ["robust", "exo_pair"])
    assert (default.field, default.value) == ("label_smoothing", 0.1)
    assert list(loss_defaults("dpo", ["sigmoid"])) == []
