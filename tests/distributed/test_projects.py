"""What a project of several processes shares out among them, beside the rows of a step."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from compiler.smoke import run_smoke
from tests.projects import SPEC, load, write_project

HEAD = SPEC.partition("[stages.")[0].replace('tier = "cpu"', 'tier = "24gb"\ngpus = 4')
STAGE = """
[stages.reasoning]
method = "grpo"
prompts_per_step = 4
num_generations = 4
"""
HEAD = HEAD.replace('["warmup", "reasoning"]', '["reasoning"]')
JUDGED = (
    HEAD
    + """
[rewards.polite]
kind = "judge"
base_url = "http://127.0.0.1:9/v1"
model = "grader"
rubric = "How polite is this from 0 to 1? {completion}"
max_calls = 1000
"""
    + STAGE
)
LIKED = HEAD + '[rewards.liked]\nkind = "reward_model"\nmodel = "acme/likes"\n' + STAGE
TWO = SPEC.replace('tier = "cpu"', 'tier = "24gb"\ngpus = 2')


@pytest.mark.parametrize(("started", "calls", "at_once"), [("4", 250, 2), (None, 1000, 8)])
def test_all_processes_together_ask_a_judge_as_often_as_the_spec_allows(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: str | None,
    calls: int,
    at_once: int,
) -> None:
    if started is not None:
        monkeypatch.setenv("WORLD_SIZE", started)
    judge = load(write_project(tmp_path / "project", JUDGED), "rewards").POLITE_JUDGE
    assert (judge.max_calls, judge.concurrency) == (calls, at_once)


@pytest.mark.heavy
def test_a_reward_model_is_loaded_once_its_process_has_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cuda` is the first GPU until the config has given each process its own."""
    script = load(write_project(tmp_path / "project", LIKED), "train_reasoning")
    happened: list[str] = []

    def ready(_: object) -> None:
        happened.append("model")
        raise SystemExit

    monkeypatch.setattr(script, "GRPOConfig", lambda **_: happened.append("config"))
    tokenizers = SimpleNamespace(from_pretrained=lambda _: None)
    monkeypatch.setattr(script, "AutoTokenizer", tokenizers)
    monkeypatch.setattr(type(script.LIKED_MODEL), "ready", ready)
    with pytest.raises(SystemExit):
        script.build_trainer()
    assert happened == ["config", "model"]


def test_one_process_says_which_rows_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = (HEAD + STAGE).replace(
        "gold =", 'max_prompt_tokens = 8\non_long_prompt = "drop"\ngold ='
    )
    data = load(write_project(tmp_path / "project", spec), "data")
    lengths = iter([5, 9, 5] * 2)
    monkeypatch.setattr(data, "prompt_tokens", lambda *_: next(lengths))
    rows = data.load_train().select(range(3))
    for rank in ("1", "0"):
        monkeypatch.setenv("RANK", rank)
        assert len(data.short_enough(rows, None)) == 2
    assert capsys.readouterr().out == "1 of 3 rows left out: prompt over 8 tokens\n"


@pytest.mark.parametrize(("started", "rank", "said"), [("3", "0", "3 started"), ("3", "1", "1")])
def test_a_script_refuses_another_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, rank: str, said: str
) -> None:
    stages = load(write_project(tmp_path / "project", HEAD + STAGE), "stages")
    monkeypatch.setenv("WORLD_SIZE", started)
    monkeypatch.setenv("RANK", rank)
    with pytest.raises(SystemExit) as end:
        stages.require_processes(4)
    assert said in str(end.value.code)
    stages.require_processes(3)


@pytest.mark.heavy
def test_the_smoke_test_trains_each_stage_in_two_processes(tmp_path: Path) -> None:
    result = run_smoke(write_project(tmp_path / "project", TWO), Path(sys.executable), print)
    assert result.passed, result.output[-3000:]
    verdicts = {stage.name: stage.text for stage in result.stages}
    assert verdicts["two_processes"] == "two processes train every stage to the same weights"
    assert "  processes -> 1" in result.output


MOVED = "    next(trainer.model.parameters()).data.add_(int(os.environ.get('RANK', 0)))\n"
UNSHARED = """
from torch.utils.data import DataLoader
class SFTTrainer(SFTTrainer):
    def get_train_dataloader(self):
        size = self.args.per_device_train_batch_size
        return DataLoader(self.train_dataset, batch_size=size, collate_fn=self.data_collator)
"""
SAVES = "    folder = OUTPUTS / stage\n    rows"
IMPORTS = "from trl import SFTConfig, SFTTrainer\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "was", "new", "said"),
    [
        ("stages.py", SAVES, MOVED + SAVES, "the processes of `warmup` end with different weights"),
        (
            "train_warmup.py",
            IMPORTS,
            IMPORTS + UNSHARED,
            "`warmup` gives rows of one step to several processes: see train_warmup.py",
        ),
    ],
)
def test_the_smoke_test_sees_what_goes_wrong_in_two_processes_alone(
    tmp_path: Path, file: str, was: str, new: str, said: str
) -> None:
    project = write_project(tmp_path / "project", TWO)
    broken = project / file
    assert was in broken.read_text()
    broken.write_text(broken.read_text().replace(was, new))
    result = run_smoke(project, Path(sys.executable), print)
    assert not result.passed
    assert said in result.reason
    assert [stage.name for stage in result.stages if stage.outcome == "failed"] == ["two_processes"]
