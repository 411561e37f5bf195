# ruff: noqa: PLC0415 - torch and TRL take seconds, which collecting the tests need not wait for
"""What the rules say of losses and their settings, against what TRL does with them.

Each case is two optimizer steps of a tiny model on the CPU, all in one process.
"""

import gc
import math
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from compiler.diagnostics import Severity
from compiler.stack import Settings, check_values, load_stack
from compiler.stack.losses import read_losses, read_recipes
from tests.stack.releases import installed_set

METHODS = ("sft", "reward", "dpo", "kto", "grpo", "rloo")

Values = dict[str, Any]

installed = installed_set()
stack = installed or load_stack()

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(installed is None, reason="no version set of the stack is installed"),
    # The loss of TRL 1.15 is a kernel of Triton alone (trl/kernels/chunked_logprob.py:16).
    pytest.mark.skipif(stack.variant == "unsloth", reason="its TRL trains on no CPU"),
]

# What a stage has beside what a case writes: the CPU, two steps, and plain descent, in which a
# difference of rounding stays one.
ARGUMENTS: Values = {
    "max_steps": 2,
    "per_device_train_batch_size": 4,
    "gradient_accumulation_steps": 1,
    "optim": "sgd",
    "learning_rate": 1.0,
    "use_cpu": True,
    "bf16": False,
    stack.checkpointing: False,
    "logging_steps": 1,
    "logging_nan_inf_filter": False,
    "save_strategy": "no",
    "report_to": "none",
    "disable_tqdm": True,
    "model_init_kwargs": {"dtype": "float32"},
}
ROLLOUT: Values = {"num_generations": 2, "max_completion_length": 6}
OFF_POLICY: Values = {"steps_per_generation": 2}


class Outcome(NamedTuple):
    """What came of a stage: the error, or the losses and all weights."""

    error: Exception | None
    losses: tuple[float, ...]
    moved: bool
    weights: Mapping[str, Any]

    @property
    def trained(self) -> bool:
        """Whether every loss is a number, and the weights are others, and numbers."""
        finite = all(bool(tensor.isfinite().all()) for tensor in self.weights.values())
        numbers = bool(self.losses) and all(map(math.isfinite, self.losses))
        return self.error is None and numbers and self.moved and finite


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    """One thread for a tiny model; and each trainer collects garbage, but not that of imports."""
    import datasets
    import torch
    import trl

    datasets.disable_progress_bars()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    _ = [getattr(trl, name.replace("Config", "Trainer")) for name in stack.configs.values()]
    gc.freeze()
    yield
    gc.unfreeze()
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A tiny model with its tokenizer, on disk, as a reference is loaded from there."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedTokenizerFast

    words = ["<pad>", "<eos>", "<unk>", *"abcdefghijklmnop"]
    tokenizer = Tokenizer(models.WordLevel(dict(zip(words, range(19), strict=True)), "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder = tmp_path_factory.mktemp("base")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    ).save_pretrained(folder)
    config = AutoConfig.for_model(
        "llama",
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
    )
    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    return folder


def rows(method: str) -> list[dict[str, object]]:
    """Rows as a trainer takes them, of answers with different lengths."""
    prompts = ("a b", "c d e", "f", "g h", "i j", "k l m", "n o", "p a")
    match method:
        case "sft":
            return [{"prompt": prompt, "completion": " b c d"} for prompt in prompts]
        case "reward" | "dpo":
            return [
                {"prompt": prompt, "chosen": " b c d", "rejected": " e f g h"} for prompt in prompts
            ]
        case "kto":
            return [
                {"prompt": prompt, "completion": " b c" if good else " e f g", "label": good}
                for prompt, good in zip(prompts, [True, False] * 4, strict=True)
            ]
        case _:
            return [{"prompt": prompt} for prompt in prompts]


def later_letters(completion_ids: list[list[int]], **_: object) -> list[float]:
    """A reward that differs between the completions of a group."""
    return [sum(ids) / 19 for ids in completion_ids]


def outcome(method: str, written: Values, base: pathlib.Path, output: pathlib.Path) -> Outcome:
    """Train two steps, and say what came of it."""
    import datasets
    import trl
    from transformers import set_seed

    name = stack.configs[method]
    rollout = method in ("grpo", "rloo")
    arguments = {**ARGUMENTS, **(ROLLOUT if rollout else {}), **written}
    set_seed(0)
    try:
        config = getattr(trl, name)(output_dir=str(output), **arguments)
        trainer = getattr(trl, name.replace("Config", "Trainer"))(
            model=str(base),
            args=config,
            train_dataset=datasets.Dataset.from_list(rows(method)),
            **({"reward_funcs": later_letters} if rollout else {}),
        )
        before = {key: value.clone() for key, value in trainer.model.state_dict().items()}
        trainer.train()
    except Exception as error:  # noqa: BLE001  # any end of a trainer is what is asked for
        return Outcome(error, (), moved=False, weights={})
    after = trainer.model.state_dict()
    return Outcome(
        None,
        tuple(entry["loss"] for entry in trainer.state.log_history if "loss" in entry),
        moved=not alike(before, after),
        weights=after,
    )


def alike(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether weights are the same but for rounding."""
    return all(tensor.allclose(right[name], atol=1e-6) for name, tensor in left.items())


def findings(method: str, written: Values) -> set[tuple[str, str, bool]]:
    """Code, field and whether it is an error, of what the rules find."""
    rollout = ROLLOUT if method in ("grpo", "rloo") else {}
    values = {**ARGUMENTS, **rollout, **written, "eval_strategy": "no"}
    found = check_values(Settings(stack, method, values, written.keys()))
    return {(each.code, each.fields[0], each.severity is Severity.ERROR) for each in found}


def every_loss() -> list[tuple[str, Values]]:
    """Every loss with the values that it wants, and every recipe."""
    cases: list[tuple[str, Values]] = []
    for method in METHODS:
        for loss in read_losses(method):
            wants = {key: value for key, value in loss.wants.items() if key != "learning_rate"}
            cases.append((method, {"loss_type": loss.name, **wants}))
        for recipe in read_recipes(method):
            written = dict(recipe.writes)
            updates = written.pop("updates_per_rollout", 1)
            cases.append((method, {**written, **(OFF_POLICY if updates != 1 else {})}))
    return cases


def case_name(value: object) -> str | None:
    return repr(value) if isinstance(value, dict) else None


@pytest.mark.parametrize(("method", "written"), every_loss(), ids=case_name)
def test_every_loss_and_recipe_trains(
    method: str, written: Values, base: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    assert not [error for *_, error in findings(method, written) if error]
    result = outcome(method, written, base, tmp_path)
    assert result.trained, result


@pytest.mark.parametrize(
    ("method", "written", "field"),
    [
        ("sft", {"packing": True, "max_length": None}, "packing"),
        ("sft", {"padding_free": True}, "padding_free"),
        ("reward", {"train_sampling_strategy": "group_by_length"}, "train_sampling_strategy"),
        ("dpo", {"loss_type": "sigmod"}, "loss_type"),
        ("dpo", {"loss_type": []}, "loss_type"),
        ("dpo", {"loss_type": "exo_pair"}, "label_smoothing"),
        ("dpo", {"loss_type": "robust", "label_smoothing": 0.5}, "label_smoothing"),
        ("dpo", {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0]}, "loss_weights"),
        ("dpo", {"loss_type": "sigmoid", "loss_weights": [0.0]}, "loss_weights"),
        ("dpo", {"beta": 0.0}, "beta"),
        ("dpo", {"loss_type": "ipo", "beta": 0.0}, "beta"),
        ("dpo", {"loss_type": "sppo_hard", "beta": 0.0}, "beta"),
        ("dpo", {"f_divergence_type": "total_variation"}, "f_divergence_type"),
        (
            "dpo",
            {"f_divergence_type": "forward_kl", "loss_type": "apo_zero"},
            "f_divergence_type",
        ),
        ("dpo", {"loss_type": "aot", "use_weighting": True}, "use_weighting"),
        ("dpo", {"loss_type": "discopop", "discopop_tau": 0.0}, "discopop_tau"),
        (
            "dpo",
            {"sync_ref_model": True, "precompute_ref_log_probs": True},
            "precompute_ref_log_probs",
        ),
        ("dpo", {"train_sampling_strategy": "group_by_length"}, "train_sampling_strategy"),
        ("kto", {"train_sampling_strategy": "random"}, "train_sampling_strategy"),
        ("kto", {"per_device_train_batch_size": 1}, "per_device_train_batch_size"),
        ("kto", {"desirable_weight": 0.0, "undesirable_weight": 0.0}, "desirable_weight"),
        ("kto", {"beta": 0.0}, "beta"),
        ("grpo", {"loss_type": "gspo"}, "loss_type"),
        ("grpo", {"scale_rewards": "std"}, "scale_rewards"),
        ("grpo", {"importance_sampling_level": "word"}, "importance_sampling_level"),
        ("grpo", {"multi_objective_aggregation": "sum"}, "multi_objective_aggregation"),
        ("grpo", {"sync_ref_model": True}, "sync_ref_model"),
        ("grpo", {"top_entropy_quantile": -0.5}, "top_entropy_quantile"),
        ("grpo", {"temperature": 0.0}, "temperature"),
        ("grpo", {"generation_kwargs": {"stop_strings": ["a"]}}, "generation_kwargs"),
        ("rloo", {"sync_ref_model": True, "beta": 0.0}, "sync_ref_model"),
        ("rloo", {"reward_clip_range": [2.0, 2.0], "beta": 0.0}, "reward_clip_range"),
        ("rloo", {"reward_clip_range": [1.0]}, "reward_clip_range"),
        ("rloo", {"num_generations": 1}, "num_generations"),
    ],
    ids=case_name,
)
def test_what_the_rules_refuse_fails_or_trains_nothing(
    method: str, written: Values, field: str, base: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    assert {(name, error) for _, name, error in findings(method, written)} == {(field, True)}
    result = outcome(method, written, base, tmp_path)
    assert not result.trained, result


@pytest.mark.parametrize(
    ("method", "companions", "written"),
    [
        ("sft", {"loss_type": "dft"}, {"label_smoothing_factor": 0.1}),
        ("reward", {}, {"label_smoothing_factor": 0.1}),
        ("dpo", {}, {"label_smoothing": 0.1}),
        ("dpo", {}, {"label_smoothing_factor": 0.1}),
        ("dpo", {}, {"discopop_tau": 0.5}),
        ("dpo", {}, {"f_alpha_divergence_coef": 0.1}),
        ("dpo", {}, {"padding_free": True}),
        ("dpo", {}, {"ref_model_mixup_alpha": 0.9}),
        ("kto", {}, {"label_smoothing_factor": 0.1}),
        ("kto", {}, {"precompute_ref_batch_size": 2}),
        ("grpo", {}, {"epsilon": 1e-4}),
        ("grpo", {}, {"epsilon_high": 1e-4}),
        ("grpo", {"loss_type": "grpo"}, {"importance_sampling_level": "sequence"}),
        ("grpo", {}, {"off_policy_mask_threshold": 1e-6}),
        ("grpo", {}, {"entropy_target": 3.0}),
        ("grpo", {}, {"train_sampling_strategy": "sequential"}),
        ("grpo", {"loss_type": "sapo", **OFF_POLICY}, {"epsilon": 1e-4}),
        ("grpo", {"loss_type": "vespo", **OFF_POLICY}, {"epsilon_high": 1e-4}),
        ("rloo", {}, {"epsilon": 1e-4}),
        ("rloo", {}, {"train_sampling_strategy": "sequential"}),
    ],
    ids=case_name,
)
def test_what_the_rules_say_has_no_effect_has_none(
    method: str,
    companions: Values,
    written: Values,
    base: pathlib.Path,
    tmp_path: pathlib.Path,
) -> None:
    (field,) = written
    assert ("no-effect", field, False) in findings(method, {**companions, **written})
    result = outcome(method, {**companions, **written}, base, tmp_path)
    plain = outcome(method, companions, base, tmp_path)
    assert result.trained, result
    assert alike(plain.weights, result.weights)


@pytest.mark.parametrize(
    ("method", "companions", "written"),
    [
        ("dpo", {"loss_type": "aot"}, {"label_smoothing": 0.3}),
        ("dpo", {}, {"ld_alpha": 0.2}),
        ("grpo", OFF_POLICY, {"epsilon": 1e-4}),
        ("grpo", {"loss_type": "grpo", **OFF_POLICY}, {"importance_sampling_level": "sequence"}),
        ("grpo", {"loss_type": "cispo", "epsilon_high": 5.0}, {"epsilon_high": 0.9}),
        ("rloo", OFF_POLICY, {"epsilon": 1e-4}),
    ],
    ids=case_name,
)
def test_what_the_rules_let_through_in_silence_has_an_effect(
    method: str,
    companions: Values,
    written: Values,
    base: pathlib.Path,
    tmp_path: pathlib.Path,
) -> None:
    assert "no-effect" not in {code for code, *_ in findings(method, {**companions, **written})}
    result = outcome(method, {**companions, **written}, base, tmp_path)
    plain = outcome(method, companions, base, tmp_path)
    assert result.trained, result
    assert not alike(plain.weights, result.weights)
