"""Edits of the files of a compiled project, merged with those of a changed spec."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.merge.merging import lost_lines, merged
from tests.projects import write_project

# With numbers alone for weights, as the edits of these tests have them.
SPEC = re.sub(
    r"weight = \{.*\}\nonly_if = .*",
    "weight = 0.1",
    (Path(__file__).parent.parent.parent / "examples/gsm8k/task.toml").read_text("utf-8"),
)
CHANGES = {
    "correct = 2.0": "correct = 3.0",
    "weight = 0.1": "weight = 0.4",
    "[rewards.concise]": (
        '[rewards.in_a_box]\nkind = "boxed_format"\nweight = 0.3\n\n[rewards.concise]'
    ),
    "num_generations = 8": "num_generations = 4",
}
MY_TRAINER = '''\
class MyTrainer(GRPOTrainer):
    """Mine."""

    kind = TaskType


'''
MY_REWARD = '''\
def mine(completions: list[Any], **columns: Any) -> list[float | None]:
    """Pay for the number of digits."""
    return [float(len(re.findall(r"[0-9]", str(each)))) for each in completions]


'''


def changed_spec() -> str:
    spec = SPEC
    for old, new in CHANGES.items():
        assert spec.count(old) == 1, old
        spec = spec.replace(old, new)
    return spec


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("before") / "project", SPEC)


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("after") / "project", changed_spec())


@pytest.fixture(scope="module")
def without_warmup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    head, _, rest = SPEC.partition("[stages.warmup]\n")
    spec = head.replace('["warmup", "reasoning"]', '["reasoning"]')
    spec += "[stages.reasoning]" + rest.partition("[stages.reasoning]")[2]
    spec = edited(spec, ("samples = 4\ntemperature = 0.7\n", "samples = 8\ntemperature = 0.7\n"))
    return write_project(tmp_path_factory.mktemp("without") / "project", spec)


def edited(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def both(
    before: Path, after: Path, name: str, *edits: tuple[str, str]
) -> tuple[str, str, str, str]:
    """Give the base, the user's text and the new one of a file, and their clean merge."""
    base, new = ((each / name).read_text(encoding="utf-8") for each in (before, after))
    assert base != new
    mine = edited(base, *edits)
    result, conflicts = merged(base, mine, new, name)
    assert conflicts == 0
    assert not lost_lines(base, mine, result)
    return base, mine, new, result


def test_a_training_script_keeps_its_owners_arguments(before: Path, after: Path) -> None:
    edits = (
        ("        temperature=1.0,\n", "        # warmer\n        temperature=1.2,\n"),
        (
            "        save_steps=50,\n",
            "        save_steps=25,  # often\n        save_only_model=True,\n",
        ),
        ("from peft import LoraConfig\n", "import os\n\nfrom peft import LoraConfig, TaskType\n"),
        ("    return GRPOTrainer(\n", "    os.nice(5)\n    return MyTrainer(\n"),
        ("def main() -> None:\n", MY_TRAINER + "def main() -> None:\n"),
    )
    *_, new, result = both(before, after, "train_reasoning.py", *edits)
    assert "num_generations=4," in new
    assert result == edited(new, *edits)


def test_a_reward_comes_beside_the_users_own(before: Path, after: Path) -> None:
    edits = (
        ("        correct: 2.0,\n", "        mine: 5.0,  # mine\n        correct: 2.0,\n"),
        ("        no_boilerplate: 0.2,\n", "        no_boilerplate: 0.9,\n"),
        ("MIXES: dict", MY_REWARD + "MIXES: dict"),
    )
    base, mine, new, result = both(before, after, "rewards.py", *edits)
    mixes = next(
        node.value
        for node in ast.parse(result).body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "MIXES"
    )
    assert mixes is not None
    assert ast.unparse(mixes) == (
        "{'reasoning': {mine: 5.0, correct: 3.0, xml_tags: 0.25, well_formed: 0.5, "
        "in_a_box: 0.3, concise: 0.4, no_boilerplate: 0.9}}"
    )
    assert "def score_boxed_format(" in result
    assert merged(new, result, base, "rewards.py") == (mine, 0), "and all the way back"


def test_a_stage_is_taken_out_of_an_edited_script(before: Path, without_warmup: Path) -> None:
    edits = (
        ("        seed=42,\n", "        seed=7,\n"),
        (
            "    trainer = build_trainer()\n",
            "    trainer = build_trainer()\n    trainer.evaluate()\n",
        ),
    )
    *_, new, result = both(before, without_warmup, "train_reasoning.py", *edits)
    assert "warmup" not in result
    assert result == edited(new, *edits)


def test_an_evaluation_keeps_its_owners_edits(before: Path, without_warmup: Path) -> None:
    edits = (
        ('    "top_p": 1.0,\n', '    "top_p": 0.95,\n'),
        ("import torch\n", "import torch\nimport wandb\n"),
        ("    OUTPUTS.mkdir(", "    wandb.log(models)\n    OUTPUTS.mkdir("),
    )
    *_, new, result = both(before, without_warmup, "evaluate.py", *edits)
    assert result == edited(new, *edits)


def test_moved_functions_stay_where_their_owner_put_them(before: Path, after: Path) -> None:
    base, new = ((each / "rewards.py").read_text(encoding="utf-8") for each in (before, after))
    start, end = base.index("def pay("), base.index("def score(")
    moved = base[start:end]
    mine = base.replace(moved, "").replace("def main()", moved + "def main()")
    result, conflicts = merged(base, mine, new, "rewards.py")
    assert conflicts == 0
    names = [node.name for node in ast.parse(result).body if isinstance(node, ast.FunctionDef)]
    assert names.index("pay") == names.index("main") - 1
    assert "in_a_box" in names


def test_a_readme_is_merged_by_lines(before: Path, after: Path) -> None:
    base, new = ((each / "README.md").read_text(encoding="utf-8") for each in (before, after))
    mine = base + "\n## Our notes\n\nAsk Ada.\n"
    assert merged(base, mine, new, "README.md") == (new + "\n## Our notes\n\nAsk Ada.\n", 0)


def test_the_same_weight_changed_by_both_is_one_conflict(before: Path, after: Path) -> None:
    base, new = ((each / "rewards.py").read_text(encoding="utf-8") for each in (before, after))
    mine = edited(base, ("        correct: 2.0,\n", "        correct: 1.5,\n"))
    result, conflicts = merged(base, mine, new, "rewards.py")
    assert conflicts == 1
    block = (
        "<<<<<<< yours\n        correct: 1.5,\n||||||| last compile\n        correct: 2.0,\n"
        "=======\n        correct: 3.0,\n>>>>>>> this compile\n"
    )
    assert result == new.replace("        correct: 3.0,\n", block)


def test_what_was_formatted_is_formatted(before: Path, after: Path, tmp_path: Path) -> None:
    *_, result = both(
        before,
        after,
        "rewards.py",
        ("from functools import cache\n", "from functools import cache, partial\n"),
        ('        "correct": explain_correct(text, row["gold"]),\n', ""),
        ("COUNT_TOKENS = (concise,)\n", "COUNT_TOKENS = (concise, partial)\n"),
    )
    (tmp_path / "rewards.py").write_text(result, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "100", "--check"],
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0


def test_a_users_own_format_is_left_alone(before: Path, after: Path) -> None:
    base, new = ((each / "rewards.py").read_text(encoding="utf-8") for each in (before, after))
    mine = edited(base, ("COUNT_TOKENS = (concise,)\n", "COUNT_TOKENS=( concise , )\n"))
    result, conflicts = merged(base, mine, new, "rewards.py")
    assert conflicts == 0
    assert result == edited(new, ("COUNT_TOKENS = (concise,)\n", "COUNT_TOKENS=( concise , )\n"))
