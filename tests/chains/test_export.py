# ruff: noqa: PLC0415 - torch takes seconds, which collecting the tests need not wait for
"""The exported model is the trained one: its weights, its tokens, and what it is told to be."""

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.smoke import run_smoke
from tests.chains.training import CHAIN, LORA, MY_REWARDS, train, write_chain
from tests.projects import load, write_project

pytestmark = pytest.mark.heavy

ADAPTED = CHAIN.replace("[model]", LORA)


@pytest.fixture(scope="module")
def adapted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of two stages with an adapter each, trained."""
    project = write_chain(tmp_path_factory.mktemp("adapted") / "project", ADAPTED)
    train(project, "warmup", "reasoning")
    return project


@pytest.fixture
def on_a_gpu(adapted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module of a project
    """The export of the same chain as a GPU's, in bfloat16, which here runs on the CPU."""
    spec = ADAPTED.replace('tier = "cpu"', 'tier = "24gb"')
    shutil.copytree(adapted, tmp_path / "gpu", ignore=shutil.ignore_patterns("[!m]*.py"))
    export = load(write_project(tmp_path / "gpu", spec, my_rewards__py=MY_REWARDS), "export")
    monkeypatch.setattr(export, "DEVICE", "cpu")
    return export


def logits(folder: Path, prompts: list[list[int]], adapter: Path | None = None) -> list[Any]:
    """The answers of a model on disk, with an adapter beside it."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
    model = model if adapter is None else PeftModel.from_pretrained(model, str(adapter))
    with torch.inference_mode():
        return [model(torch.tensor([prompt])).logits for prompt in prompts]


def test_field_111_all_adapters_of_a_chain_are_in_the_export(adapted: Path) -> None:
    load(adapted, "export").export()
    outputs = adapted / "outputs"
    prompts = [[5, 6, 7, 8], [9, 10, 11]]
    exported = logits(outputs / "export", prompts)
    live = logits(outputs / "warmup" / "model", prompts, outputs / "reasoning" / "adapter")
    only_last = logits(adapted / "tiny-model", prompts, outputs / "reasoning" / "adapter")
    for found, expected, other in zip(exported, live, only_last, strict=True):
        assert (found - expected).abs().max() <= 1e-4
        assert (found - other).abs().max() > 0.01


def test_field_116_an_export_that_answers_otherwise_is_refused(
    adapted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from transformers import AutoModelForCausalLM

    export = load(adapted, "export")
    monkeypatch.setattr(
        export, "merged", lambda start, _: AutoModelForCausalLM.from_pretrained(start)
    )
    with pytest.raises(SystemExit, match="does not answer as the trained model"):
        export.export()
    said = capsys.readouterr().out
    assert "the largest difference of a logit is" in said
    assert "the limit 0.0001" in said


def test_field_116_in_bfloat16_the_top_token_decides(
    on_a_gpu: Any,  # noqa: ANN401 - a module of a project
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from transformers import AutoModelForCausalLM

    on_a_gpu.export()
    assert "0 of them by more than rounding" in capsys.readouterr().out
    monkeypatch.setattr(
        on_a_gpu, "merged", lambda start, _: AutoModelForCausalLM.from_pretrained(start)
    )
    with pytest.raises(SystemExit, match="does not answer as the trained model"):
        on_a_gpu.export()


def test_field_183_the_files_have_the_declared_type(on_a_gpu: Any) -> None:  # noqa: ANN401 - a module of a project
    from safetensors import safe_open

    on_a_gpu.export()
    folder = on_a_gpu.OUTPUTS / "export"
    assert json.loads((folder / "config.json").read_text())["dtype"] == "bfloat16"
    for path in folder.glob("*.safetensors"):
        with safe_open(path, "pt") as weights:
            kinds = {weights.get_slice(name).get_dtype() for name in weights.keys()}  # noqa: SIM118 - no mapping
        assert kinds == {"BF16"}


def test_a_model_of_all_weights_is_rounded_by_the_export_alone(tmp_path: Path) -> None:
    project = write_chain(tmp_path / "project", CHAIN)
    train(project, "warmup", "reasoning")
    load(project, "export").export()
    prompts = [[5, 6, 7, 8]]
    outputs = project / "outputs"
    exported, trained = (
        logits(outputs / folder, prompts)[0] for folder in ("export", "reasoning/model")
    )
    assert (exported - trained).abs().max() <= 1e-4


def test_a_turn_ends_at_the_tokens_behind_an_answer(adapted: Path) -> None:
    from transformers import AutoTokenizer

    export = load(adapted, "export")
    tokenizer = AutoTokenizer.from_pretrained(adapted / "tiny-model")
    tokenizer.eos_token = "<|endoftext|>"  # as a base model declares it
    ids = tokenizer.convert_tokens_to_ids
    ends = sorted(ids(["<|im_end|>", "<|endoftext|>"]))
    assert export.end_tokens(tokenizer, None) == ends
    assert export.end_tokens(tokenizer, ids("<|endoftext|>")) == ends
    assert export.end_tokens(tokenizer, [3, ids("<|endoftext|>")]) == sorted({3, *ends})


def test_the_export_can_be_talked_to(
    adapted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    export = load(adapted, "export")
    export.export()
    capsys.readouterr()
    monkeypatch.setattr("sys.argv", ["export.py", "--chat"])
    monkeypatch.setattr("sys.stdin", io.StringIO("1+1?\n2+2?\n\nnever said\n"))
    export.main()
    said = capsys.readouterr().out
    assert said.count("> ") == 3


def test_the_model_card_says_what_was_trained_on_what(adapted: Path) -> None:
    right = {"mean": 0.5, "low": 0.25, "high": 0.75}
    figures = {"rows": 4, "pass_at": {"1": right}, "examples": ["a"]}
    base = figures | {"rewards": {"correct": {"mean": 0.125, "low": None, "high": None}}}
    last = figures | {"against": {"base": {"measures": {"pass@1": {"difference": right}}}}}
    path = adapted / "outputs" / "evaluation.json"
    path.write_text(json.dumps({"models": {"base": base, "warmup": figures, "reasoning": last}}))
    export = load(adapted, "export")
    card = export.model_card()
    assert "tags: [trl, sft, grpo]" in card
    assert "| reasoning | warmup | 12 | 2 |" in card
    assert "Weights of the rewards in reasoning: correct 1.0; varied 1.0." in card
    table = card.partition("## Evaluation")[2]
    assert "| | base | reasoning |" in table
    assert "| pass_at 1 | 0.5 (0.25 to 0.75) | 0.5 (0.25 to 0.75) |" in table
    assert "| rewards correct | 0.125 |  |" in table
    assert table.count("0.5 (") == 2
    digest = next(line for line in card.splitlines() if line.startswith("Recipe"))
    path.unlink()
    assert "## Evaluation" not in export.model_card()
    assert digest in export.model_card()
    run = adapted / "outputs" / "reasoning" / "run.json"
    text = run.read_text()
    run.write_text(text.replace('"learning_rate": 0.02', '"learning_rate": 0.03'))
    assert digest not in export.model_card()
    run.write_text(text)


def test_a_chain_that_has_not_ended_is_not_exported(tmp_path: Path) -> None:
    project = write_chain(tmp_path / "project", CHAIN)
    with pytest.raises(SystemExit, match=r"run `python train_reasoning.py` first"):
        load(project, "export").export()


def test_field_185_the_smoke_test_exports_without_a_network(tmp_path: Path) -> None:
    """The project's own tests refuse each connection that leaves the machine."""
    result = run_smoke(write_chain(tmp_path / "project", ADAPTED), Path(sys.executable), print)
    verdicts = {stage.name: stage for stage in result.stages}
    assert verdicts["export"].outcome == "passed", result.output
    assert "the largest difference of a logit is" in verdicts["export"].text


def test_a_project_lives_without_its_export(tmp_path: Path) -> None:
    project = write_chain(tmp_path / "project", CHAIN)
    (project / "export.py").unlink()
    result = run_smoke(project, Path(sys.executable), print)
    assert {stage.name: stage.outcome for stage in result.stages} == {
        "warmup": "passed",
        "reasoning": "passed",
        "export": "not run",
    }
    assert result.passed
    assert "[ ! -f export.py ] || python export.py" in (project / "run.sh").read_text()
