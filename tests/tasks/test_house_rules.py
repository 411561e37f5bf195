"""Task 8 of the field: twenty specs share a house file, each has its own data and rewards."""

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.command_line import Run, files_of

HOUSE_RULES = Path(__file__).parent / "house_rules"
SHARED = {"model", "hardware", "eval", "run"}


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The specs in a folder of their own, as paths from where the commands run."""
    shutil.copytree(HOUSE_RULES, tmp_path / "specs")
    monkeypatch.chdir(tmp_path)
    found = sorted(Path("specs").glob("*/task.toml"))
    assert len(found) == 20
    return [str(path) for path in found]


def test_twenty_specs_are_checked_in_one_call(specs: list[str], run: Run) -> None:
    done = run("check", "--deny", "warnings", *specs)
    assert (done.code, done.out, done.err) == (0, "", "20 specs: no errors\n")


@pytest.mark.usefixtures("specs")
def test_what_is_shared_stands_in_the_house_file_alone() -> None:
    house = tomllib.loads(Path("specs/house.toml").read_text())
    assert house.keys() > SHARED
    prompts = set[str]()
    for path in sorted(Path("specs").glob("*/task.toml")):
        text = path.read_text()
        spec = tomllib.loads(text)
        assert spec["project"]["extends"] == "../house.toml"
        # One task trains a larger adapter; that is its own.
        assert spec.keys() & SHARED == ({"model"} if "[model.adapter]" in text else set())
        assert {"data", "prompt", "answer", "rewards"} <= spec.keys()
        assert len(text.splitlines()) <= 45
        prompts.add(spec["prompt"]["user"])
    assert len(prompts) >= 18


def test_each_plan_has_the_shared_values_and_its_own(specs: list[str], run: Run) -> None:
    for spec in specs:
        page = run("plan", spec).out
        assert '| `report_to` | `"tensorboard"` | `run.tracking` of `house.toml` |' in page
        assert "Tier `24gb`" in page
    assert run("compile", "specs/competition-maths/task.toml").code == 0
    script = Path("specs/competition-maths/train_reasoning.py").read_text()
    assert "r=32," in script, "its own"
    assert "lora_alpha=32," in script, "shared"


def test_a_fault_in_the_house_file_is_one_finding(specs: list[str], run: Run) -> None:
    house = Path("specs/house.toml")
    house.write_text(house.read_text().replace('tier = "24gb"', 'tier = "24bg"'))
    done = run("check", "--format", "concise", *specs)
    assert done.code == 1
    assert [line.partition(": ")[0] for line in done.out.splitlines()] == ["specs/house.toml:11:8"]
    assert done.err == "20 specs: 1 error\n"


def test_a_fault_in_one_spec_is_found_among_all(specs: list[str], run: Run) -> None:
    spec = Path("specs/spelling/task.toml")
    spec.write_text(spec.read_text().replace("xml_tags", "xml_tag"))
    done = run("check", "--format", "concise", *specs)
    assert done.code == 1
    assert {line.partition(":")[0] for line in done.out.splitlines()} == {str(spec)}


def test_a_change_of_the_house_file_makes_compiled_projects_late(
    specs: list[str], run: Run
) -> None:
    some = specs[:3]
    assert run("compile", *some).code == 0
    assert run("compile", "--check", *some).err == "3 projects: all up to date\n"
    house = Path("specs/house.toml")
    house.write_text(house.read_text().replace("save_every = 50", "save_every = 25"))
    before = files_of(Path("specs"))
    late = run("compile", "--check", "--format", "concise", *some)
    assert late.code == 1
    assert late.out.count("specs/house.toml:19:1: error[out-of-date]") == 3
    assert late.err == "3 projects: 3 out of date\n"
    assert files_of(Path("specs")) == before
