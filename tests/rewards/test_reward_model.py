# ruff: noqa: PLC0415 - torch takes seconds, which collecting the tests need not wait for
"""Reward models: scored as TRL scores an instance, refused where they are none."""

import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from reward_models import RewardModel

pytestmark = pytest.mark.heavy

TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</{{ m['role'] }}>{% endfor %}"
)
WORDS = ["the", "answer", "is", "four", "because", "of", "two", "and", "sum", "no", "idea"]


def write(
    folder: Path,
    kind: str = "AutoModelForSequenceClassification",
    pad: str | None = "<pad>",
    template: str | None = TEMPLATE,
    **config: Any,  # noqa: ANN401 - fields of any type
) -> Path:
    """A tiny random model with a tokenizer that knows every byte."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<pad>", "<end>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(WORDS, trainer)
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", pad_token=pad, chat_template=template
    )
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    settings = {"vocab_size": len(wrapped), "num_labels": 1, **sizes, **heads, **config}
    torch.manual_seed(0)
    model = getattr(transformers, kind).from_config(
        transformers.AutoConfig.for_model("qwen2", **settings)
    )
    for name, weight in model.named_parameters():
        if name.startswith("score"):
            weight.data.normal_(std=3.0)  # logits far apart
    model.save_pretrained(folder)
    wrapped.save_pretrained(folder)
    return folder


def model_in(folder: Path) -> "RewardModel":
    from reward_models import RewardModel

    return RewardModel(str(folder), dtype="float32", device="cpu")


def conversations(count: int = 40) -> tuple[list[Any], list[Any]]:
    prompts = [
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": f"{number} and {number}?"},
        ]
        for number in range(count)
    ]
    texts = [" ".join((WORDS * 9)[number : number * 3]) for number in range(count)]
    return prompts, [[{"role": "assistant", "content": text}] for text in texts]


@pytest.mark.parametrize("pad", ["<pad>", None])
def test_a_conversation_is_scored_as_trl_scores_it(tmp_path: Path, pad: str | None) -> None:
    import datasets
    import transformers
    import trl

    folder = write(tmp_path / "model", pad=pad)
    prompts, completions = conversations()
    ours = model_in(folder).scores(prompts, completions)
    policy = write(tmp_path / "policy", kind="AutoModelForCausalLM")
    trainer = trl.GRPOTrainer(
        model=str(policy),
        reward_funcs=[
            transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype="float32")
        ],
        reward_processing_classes=[transformers.AutoTokenizer.from_pretrained(folder)],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "out"),
            use_cpu=True,
            bf16=False,
            activation_checkpointing=False,
            report_to="none",
        ),
        train_dataset=datasets.Dataset.from_list([{"prompt": prompt} for prompt in prompts]),
    )
    inputs = [{"prompt": prompt} for prompt in prompts]
    ids = [[0]] * len(prompts)
    scores = trainer._calculate_rewards(  # noqa: SLF001 - where TRL calls a reward model
        inputs, prompts, completions, ids
    )
    theirs = scores[:, 0].tolist()
    assert len({round(score, 4) for score in theirs}) > 30
    assert ours == pytest.approx(theirs, abs=1e-4)


def test_neither_the_batch_nor_its_order_nor_a_thread_changes_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import reward_models

    model = model_in(write(tmp_path / "model"))
    prompts, completions = conversations()
    together = model.scores(prompts, completions)
    alone = [
        model.scores([prompt], [said])[0] for prompt, said in zip(prompts, completions, strict=True)
    ]
    assert together == pytest.approx(alone, abs=1e-4)
    assert model.scores(prompts[::-1], completions[::-1])[::-1] == pytest.approx(alone, abs=1e-4)
    plain = [completion[0]["content"] for completion in completions]
    assert model.scores(prompts, plain) == together
    assert model.scores([], []) == []
    monkeypatch.setattr(reward_models, "CONVERSATIONS_AT_ONCE", 3)
    assert model.scores(prompts, completions) == pytest.approx(alone, abs=1e-4)
    with ThreadPoolExecutor(4) as threads:
        scored = list(threads.map(lambda _: model.scores(prompts[:4], completions[:4]), range(8)))
    assert all(scores == pytest.approx(alone[:4], abs=1e-4) for scores in scored)


def test_threads_load_one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import reward_models

    model = model_in(write(tmp_path / "model"))
    loads: list[str] = []
    kind = reward_models.AutoModelForSequenceClassification
    load = kind.from_pretrained

    def counted(name: str, **options: object) -> object:
        loads.append(name)
        return load(name, **options)

    monkeypatch.setattr(kind, "from_pretrained", counted)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: model.ready(), range(4)))
    assert len(loads) == 1


def test_the_squashed_score_is_the_sigmoid_of_the_logit(tmp_path: Path) -> None:
    from reward_model import explain_reward_model, score_reward_model
    from reward_model_sigmoid import (
        explain_reward_model_sigmoid,
        score_reward_model_sigmoid,
    )

    model = model_in(write(tmp_path / "model"))
    prompts, completions = conversations(8)
    logits = score_reward_model(model, prompts, completions)
    squashed = score_reward_model_sigmoid(model, prompts, completions)
    assert squashed == pytest.approx([1 / (1 + math.exp(-logit)) for logit in logits if logit])
    said = completions[1][0]["content"]
    text = f"says {logits[1]:.4g}"
    assert explain_reward_model(model, prompts[1], said).endswith(text)
    assert explain_reward_model_sigmoid(model, prompts[1], said).endswith(
        f"{text}, before the sigmoid"
    )


@pytest.mark.parametrize(("logit", "share"), [(-1e9, 0.0), (0.0, 0.5), (1e9, 1.0), (None, None)])
def test_no_logit_overflows_the_sigmoid(logit: float | None, share: float | None) -> None:
    from reward_model_sigmoid import score_reward_model_sigmoid

    model: Any = SimpleNamespace(scores=lambda *_: [logit])
    assert score_reward_model_sigmoid(model, [[]], [""]) == [share]


def test_what_is_too_long_to_be_read_whole_is_not_judged(tmp_path: Path) -> None:
    from reward_model import explain_reward_model, score_reward_model

    folder = write(tmp_path / "model")
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"model_max_length": 60}))
    model = model_in(folder)
    prompt = [{"role": "user", "content": "a"}]
    short, long = score_reward_model(model, [prompt, prompt], ["a", "a " * 100])
    assert short is not None
    assert long is None
    assert explain_reward_model(model, prompt, "a " * 100) == "longer than the model reads"


def _as_causal(folder: Path) -> None:
    write(folder, kind="AutoModelForCausalLM")


def _without_head(folder: Path) -> None:
    write(folder, kind="AutoModel")


def _with_two_labels(folder: Path) -> None:
    write(folder, num_labels=2)


def _without_template(folder: Path) -> None:
    write(folder, template=None)


def _mislabelled(folder: Path) -> None:
    _as_causal(folder)
    path = folder / "config.json"
    config = json.loads(path.read_text()) | {"architectures": ["Qwen2ForSequenceClassification"]}
    path.write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_as_causal, "is a Qwen2ForCausalLM: its scoring head would be random"),
        (_without_head, "lacks score.weight, which would be random"),
        (_mislabelled, "lacks score.weight, which would be random"),
        (_with_two_labels, "has 2 labels, and a reward model has one"),
        (_without_template, "has no chat template, and cannot read a conversation"),
    ],
)
def test_what_is_no_reward_model_is_refused(
    tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    make(tmp_path / "model")
    with pytest.raises(SystemExit) as refused:
        model_in(tmp_path / "model").ready()
    assert said in str(refused.value)
