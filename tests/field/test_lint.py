"""Cases from the field: what lint says of a project that people went on with."""

import shutil
from pathlib import Path

import pytest

from compiler.lint import lint
from tests.command_line import Run, command, write_task


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_task(tmp_path_factory.mktemp("compiled") / "project")
    assert command("compile", cwd=folder).returncode == 0
    return folder


@pytest.fixture
def project(compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = shutil.copytree(compiled, tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def found_in(path: Path) -> dict[str, str]:
    return {found.code: found.message for found in lint(path).diagnostics}


def test_field_39_an_eval_of_the_answer_is_an_error(project: Path) -> None:
    edit(project / "rewards.py", "answer = read_answer(text)", "answer = eval(read_answer(text))")
    assert found_in(project)["model-text-executed"].startswith("`eval` runs text")


def test_field_57_a_reward_without_a_weight_names_both_lengths(project: Path) -> None:
    script = project / "train_reasoning.py"
    edit(script, "reward_funcs=list(mix)", "reward_funcs=[*mix, polite]")
    edit(script, "from rewards import MIXES", "from rewards import MIXES, polite")
    polite = "def polite(completions, **columns):\n    return [0.0 for _ in completions]\n\n\n"
    edit(project / "rewards.py", "def main() -> None:", f"{polite}def main() -> None:")
    assert found_in(project)["unequal-weights"] == "3 rewards and 2 weights"


@pytest.mark.parametrize("weight", ['float("nan")', 'float("inf")', "-math.inf"])
def test_field_57_a_weight_that_is_no_number_is_an_error(project: Path, weight: str) -> None:
    edit(project / "rewards.py", "correct: 2.0", f"correct: {weight}")
    edit(project / "rewards.py", "import argparse", "import argparse\nimport math")
    assert "bad-weight" in found_in(project)


def test_field_57_weights_that_are_all_0_are_an_error(project: Path) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 0.0")
    edit(project / "rewards.py", "xml_tags: 0.5", "xml_tags: 0.0")
    assert "bad-weight" in found_in(project)


def test_field_87_an_argument_of_a_later_release_is_named_with_that_release(project: Path) -> None:
    edit(project / "train_reasoning.py", "temperature=1.0", "temperature=1.0, top_p=0.9")
    assert found_in(project) == {}
    edit(project / "pyproject.toml", "trl>=1.16,<1.17", "trl==0.15.2")
    found = [each for each in lint(project).diagnostics if each.code == "unknown-argument"]
    hints = {each.message: each.hints[0] for each in found}
    hint = hints["GRPOConfig has no field `top_p` in `trl==0.15.2`"]
    assert hint.startswith("TRL 0.16 is the first release with it")
    assert "outside-stack" in found_in(project)


def test_field_117_a_retired_argument_is_named_with_its_new_name(project: Path) -> None:
    edit(project / "train_warmup.py", "processing_class=", "tokenizer=")
    edit(project / "train_warmup.py", "max_length=", "max_seq_length=")
    hints = [found.hints for found in lint(project).diagnostics if found.code == "retired-argument"]
    assert hints == [("write `max_length`",), ("write `processing_class`",)]


def test_field_119_a_retired_argument_of_dpo_is_named_too(tmp_path: Path) -> None:
    script = tmp_path / "dpo.py"
    script.write_text(
        "from trl import DPOConfig\n\nDPOConfig(rpo_alpha=1.0, max_prompt_length=512)\n"
    )
    messages = [found.message for found in lint(script).diagnostics]
    assert len(messages) == 2
    assert all("TRL 0.28 was the last release with it" in message for message in messages)


def test_field_150_what_a_merge_left_fails_until_it_is_settled(project: Path, run: Run) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 1.5")
    edit(project / "task.toml", "correct = 2.0", "correct = 1.0")
    assert run("compile").code == 3
    assert "conflict-markers" in found_in(project)
    (project / "rewards.py.rej").write_text("@@ -1 +1 @@\n")
    lines = (project / "rewards.py").read_text().splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if line.startswith("<<<<<<<"))
    middle = next(number for number, line in enumerate(lines) if line.startswith("======="))
    end = next(number for number, line in enumerate(lines) if line.startswith(">>>>>>>"))
    settled = [*lines[:start], *lines[middle + 1 : end], *lines[end + 1 :]]
    (project / "rewards.py").write_text("".join(settled))
    assert {*found_in(project)} == {"leftover-file"}
    (project / "rewards.py.rej").unlink()
    assert found_in(project) == {}
