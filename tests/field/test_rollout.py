"""Threads about vLLM: what cannot sample is refused before a GPU is paid for."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projects import write_project
from tests.rollout.specs import found_in, sampling_spec
from tests.test_mixes import said


def test_field_77_a_server_that_shares_the_only_gpu_is_refused(tmp_path: Path) -> None:
    ((code, place, message, hint),) = found_in(tmp_path, sampling_spec('engine = "vllm-server"'))
    assert (code, place) == ("incompatible", '"vllm-server"')
    assert message == "a vLLM server needs a GPU of its own, and there is one GPU in all"
    assert 'engine = "vllm-colocate"' in hint


@pytest.mark.parametrize("engine", ["vllm-colocate", "vllm-server"])
def test_field_78_weights_of_four_bit_are_not_handed_to_vllm(tmp_path: Path, engine: str) -> None:
    text = sampling_spec(f'engine = "{engine}"', adapter="qlora", hardware="gpus = 4")
    ((code, _, message, hint),) = found_in(tmp_path, text)
    assert code == "incompatible"
    assert "`qlora`" in message
    assert 'kind = "lora"' in hint
    assert 'engine = "transformers"' in hint


def test_field_81_weights_are_gathered_once_and_not_for_every_token(tmp_path: Path) -> None:
    """The field that has each token gather them anew cannot be set."""
    text = sampling_spec(stage="[stages.reasoning.trainer]\nds3_gather_for_generation = false")
    (found,) = said(tmp_path, text)
    assert found == "owned-field: `ds3_gather_for_generation` cannot be set in `trainer`"


def calls_in(path: Path) -> Iterator[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_field_83_the_trainer_alone_holds_and_runs_the_reference(tmp_path: Path) -> None:
    """A shard of it has no embedding: only the engine that has sharded it can run it."""
    for method in ("grpo", "rloo"):
        stage = "beta = 0.04\n"
        text = sampling_spec(
            tier="80gb", adapter="none", hardware="gpus = 8", method=method, stage=stage
        )
        text = text.replace("prompts_per_step = 2", "prompts_per_step = 8")
        project = write_project(tmp_path / method, text)
        for script in project.glob("*.py"):
            assert "ref_model" not in script.read_text(), script.name
        assert "AutoModel" not in (project / "train_reasoning.py").read_text()
        (trainer,) = [
            call
            for call in calls_in(project / "train_reasoning.py")
            if isinstance(call.func, ast.Name) and call.func.id.endswith("Trainer")
        ]
        # A path and no model: the trainer loads it twice, and its engine shards both.
        given = {each.arg: ast.unparse(each.value) for each in trainer.keywords}
        assert given["model"] == "start"
        assert "ref_model" not in given
