"""The commands as a person types them: exit codes, and what goes to which stream."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from compiler import pipeline, smoke
from compiler.version import VERSION
from tests.command_line import SPEC, Done, Run, command, files_of


@pytest.mark.usefixtures("folder")
def test_a_right_spec_is_said_to_be_right_on_stderr(run: Run) -> None:
    assert run("check") == Done(0, "", "no errors\n")


def test_findings_go_to_stdout_and_their_count_to_stderr(folder: Path, run: Run) -> None:
    (folder / "task.toml").write_text(SPEC.replace("steps = 20", "stepz = 20"))
    done = run("check", "--format", "concise")
    assert done.code == 1
    assert done.out.startswith("task.toml:37:1: error[unknown-key]: ")
    assert done.err.endswith("error\n")


def test_several_specs_are_checked_at_once(folder: Path, run: Run) -> None:
    for name in ("a.toml", "b.toml"):
        (folder / name).write_text(SPEC.replace("spec = 1", f'spec = "{name}"'))
    done = run("check", "a.toml", "b.toml", "task.toml", "--format", "concise")
    assert done.code == 1
    assert [line.partition(":")[0] for line in done.out.splitlines()] == ["a.toml", "b.toml"]


def test_json_carries_a_version(folder: Path, run: Run) -> None:
    (folder / "task.toml").write_text("spec = 1\n")
    done = run("check", "--format", "json")
    record = json.loads(done.out)
    assert done.code == 1
    assert record["version"] == 1
    assert {found["code"] for found in record["diagnostics"]} == {"missing-key"}


def test_warnings_count_only_where_they_are_denied(folder: Path, run: Run) -> None:
    (folder / "task.toml").write_text(
        SPEC + "[stages.reasoning.rewards]\ncorrect = 1.0\n"  # so that xml_tags is used nowhere
    )
    allowed = run("check", "--format", "concise")
    assert "warning[" in allowed.out
    assert "error[" not in allowed.out
    assert allowed.code == 0
    assert run("check", "--deny", "warnings").code == 1
    assert run("compile", "--deny", "warnings").code == 1
    assert not (folder / "train_warmup.py").exists()


def test_colour_is_for_terminals_that_want_it(folder: Path) -> None:
    (folder / "task.toml").write_text("spec = 2\n")
    for environment in ({}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}):
        done = command("check", cwd=folder, environment=environment)
        assert done.returncode == 1
        assert "\033" not in done.stdout


@pytest.mark.usefixtures("folder")
def test_a_plan_is_printed_for_people_and_for_programs(run: Run) -> None:
    page = run("plan")
    assert page.code == 0
    assert page.out.startswith("# ")
    assert "reasoning" in page.out
    record = json.loads(run("plan", "--format", "json").out)
    assert record["version"] == 1
    assert record["project_name"] == "sums"


def test_a_compile_writes_beside_the_spec_and_tells_on_stderr(folder: Path, run: Run) -> None:
    done = run("compile")
    assert done.code == 0
    assert done.out == ""
    assert " new\n" in done.err
    assert {"train_warmup.py", "train_reasoning.py", "PLAN.md"} <= set(files_of(folder))
    assert (folder / "task.toml").read_text() == SPEC
    before = files_of(folder)
    assert run("compile").err == "compiled into `.`: nothing to change\n"
    assert files_of(folder) == before


def test_a_second_spec_does_not_take_over_the_project_of_the_first(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "other.toml").write_text(SPEC.replace("steps = 20", "steps = 9"))
    before = files_of(folder)
    refused = run("compile", "other.toml")
    assert refused.code == 3
    assert "is the project of `task.toml`, and not of `other.toml`" in refused.err
    assert files_of(folder) == before
    (folder / "task.toml").unlink()
    assert run("compile", "other.toml").code == 0, "the spec was renamed"


def test_a_plan_says_what_the_compile_writes(folder: Path, run: Run) -> None:
    page = run("plan").out
    run("compile")
    assert (folder / "PLAN.md").read_text() == page


def test_a_first_compile_among_other_files_needs_here(folder: Path, run: Run) -> None:
    (folder / "notes.txt").write_text("mine")
    before = files_of(folder)
    refused = run("compile")
    assert refused.code == 3
    assert "`notes.txt`" in refused.err
    assert "`train_warmup.py`" in refused.err
    assert files_of(folder) == before
    assert run("compile", "--here").code == 0


def test_a_wrong_spec_writes_nothing(folder: Path, run: Run) -> None:
    (folder / "task.toml").write_text(SPEC + "x = ")
    before = files_of(folder)
    done = run("compile")
    assert (done.code, done.out) == (1, "")
    assert "error[" in done.err
    assert files_of(folder) == before


def test_into_writes_the_set_values_into_the_copied_spec(folder: Path, run: Run) -> None:
    before = files_of(folder)
    arguments = ("--set", "stages.reasoning.steps=7", "--set", "project.seed=5")
    assert run("compile", "--into", "../new", *arguments).code == 0
    assert files_of(folder) == before
    copied = folder.parent / "new"
    values = tomllib.loads((copied / "task.toml").read_text())
    assert values["stages"]["reasoning"]["steps"] == 7
    assert values["project"]["seed"] == 5
    assert (copied / "train.jsonl").read_bytes() == (folder / "train.jsonl").read_bytes()
    assert "max_steps=7" in (copied / "train_reasoning.py").read_text()
    assert run("compile", "../new/task.toml").err.endswith("nothing to change\n")


def test_into_a_folder_that_is_not_empty_is_refused(folder: Path, run: Run) -> None:
    assert run("compile", "--into", ".").code == 3
    assert set(files_of(folder)) == {"task.toml", "train.jsonl"}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("setting", "where", "said"),
    [
        ('stages.reasoning.steps="x"', "--set stages.reasoning.steps:1:24", "wrong-type"),
        ("stages.reasoning.stepz=3", "--set stages.reasoning.stepz:1:18", "unknown-key"),
        ("model.adapter.kind='nine'", "--set model.adapter.kind:1:20", "error["),
        ("stages.reasoning.trainer.temperature=9", "--set", "error["),
    ],
)
def test_a_finding_in_a_set_value_points_into_the_argument(
    run: Run, setting: str, where: str, said: str
) -> None:
    done = run("check", "--format", "concise", "--set", setting)
    assert done.code == 1
    assert where in done.out
    assert said in done.out


def test_a_finding_elsewhere_keeps_its_line(folder: Path, run: Run) -> None:
    (folder / "task.toml").write_text(SPEC.replace("steps = 20", "stepz = 20"))
    plain = run("check", "--format", "concise").out
    settings = ("--set", "project.seed=3", "--set", 'project.description="two\\nlines"')
    assert run("check", "--format", "concise", *settings).out == plain


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "setting", ["steps", "=3", "model.base=Qwen/x", "spec.x=1", "[a]\nb=1", "a=1\nb=2", "stages=1"]
)
def test_a_setting_that_has_no_place_is_a_wrong_call(run: Run, setting: str) -> None:
    done = run("check", "--set", setting)
    assert done.code == 2
    assert "--set" in done.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compile", "--set", "project.seed=1"), "`--set` needs `--into`"),
        (("compile", "--into", "x", "--here"), "`--into` and `--here` exclude each other"),
        (("compile", "--undo", "--diff"), "`--undo` and `--diff` exclude each other"),
        (("compile", "--undo", "--restore", "a"), "`--undo` and `--restore` exclude each other"),
        (("compile", "--restore", "a", "--check"), "`--restore` and `--check` exclude each other"),
        (("compile", "--into", "x", "--upgrade"), "`--into` and `--upgrade` exclude each other"),
        (("compile", "--into", "x", "--diff"), "`--into` and `--diff` exclude each other"),
        (("compile", "a.toml", "b.toml", "--into", "x"), "`--into` is for one spec"),
        (("compile", "a.toml", "b.toml", "--restore", "x"), "`--restore` is for one spec"),
        (("check", "--format", "xml"), "`xml` is no format"),
        (("check", "--deny", "errors"), "only `warnings`"),
        (("new", "somewhere"), "there is no terminal to ask on"),
        (("explain", "unknown-kee"), "did you mean `unknown-key`"),
        (("frobnicate",), "No such command"),
        ((), "Usage"),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_refused(
    folder: Path, run: Run, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err + done.out
    assert set(files_of(folder)) == {"task.toml", "train.jsonl"}


def test_a_missing_spec_is_a_finding(tmp_path: Path, run: Run) -> None:
    done = run("check", str(tmp_path / "none.toml"))
    assert done.code == 1
    assert "error[file-not-found]" in done.out


def test_explain_and_schema_and_version_print_what_was_asked_for(run: Run) -> None:
    assert run("explain", "unknown-key").out.startswith("# unknown-key\n")
    assert "properties" in json.loads(run("schema").out)
    assert run("--version").out == f"trainspec {VERSION}\n"


@pytest.mark.usefixtures("folder")
def test_a_bug_of_ours_is_told_as_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        message = "oh"
        raise AssertionError(message)

    monkeypatch.setattr(pipeline, "outline_of", broken)
    done = run("check")
    assert done.code == 70
    assert "AssertionError: oh" in done.err
    assert f"compiler-bug: trainspec {VERSION}" in done.err


@pytest.mark.usefixtures("folder")
def test_an_interrupt_ends_with_its_own_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "outline_of", interrupted)
    assert run("check").code == 130


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "Full")])
def test_a_machine_in_the_way_is_named_with_its_path(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def failing(*_: object) -> None:
        raise error

    error.filename = "/somewhere/train.py"
    monkeypatch.setattr(os, "mkdir", failing)
    done = run("compile")
    assert done.code == 4
    assert "`/somewhere/train.py`" in done.err
    assert "Traceback" not in done.err


def modules_after(name: str, folder: Path) -> set[str]:
    """The modules that are loaded when a command has ended."""
    code = (
        f"import sys; sys.argv = ['trainspec', '{name}']\n"
        "from compiler.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("name", ["check", "plan"])
def test_check_and_plan_load_no_library_of_training(folder: Path, name: str) -> None:
    loaded = {module.partition(".")[0] for module in modules_after(name, folder)}
    assert "pydantic" in loaded
    heavy = {"torch", "trl", "transformers", "datasets", "peft", "copier", "numpy", "pandas"}
    assert loaded & {*heavy, "rich", "ruff"} == set()


def test_a_check_of_a_right_spec_loads_nothing_that_plans_or_writes_files(folder: Path) -> None:
    loaded = modules_after("check", folder)
    assert {module for module in loaded if module.startswith("compiler.plan.")} == {
        f"compiler.plan.{name}" for name in ("mechanics", "outline", "stages", "values")
    }
    planning = ("answers", "checks", "files", "pages", "project", "prompts", "rewards", "rows")
    planning += ("chat_page", "cuts", "data_page", "export", "life", "made_columns", "memory_page")
    planning += ("own_rows", "smoke", "sources", "stages_file", "tokens")
    planning += ("watching", "levers", "conditions")
    others = ("emit", "tidy", "apply", "reference", "render", "key_errors", "toml_syntax", "smoke")
    others += ("annotations", "copying", "extends", "overrides", "preview", "toml_strings")
    others += ("toml_duplicates", "value_errors", "chat.rendering", "chat.reading", "stack.losses")
    others += tuple(f"stack.{method}_rules" for method in ("dpo", "kto", "reward", "rloo"))
    others += tuple(f"rules.{name}" for name in ("templates", "judging", "schemas", "memory"))
    never = {
        "jinja2",
        *(f"compiler.resolve.{name}" for name in planning),
        *(f"compiler.{name}" for name in others),
    }
    assert loaded & never == set()
    assert {module for module in never if find_spec(module) is None} == set()


def test_a_terminal_without_unicode_gets_the_findings_too(folder: Path) -> None:
    (folder / "task.toml").write_text('spec = "é😀"\n')
    done = command("check", cwd=folder, environment={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert "wrong-type" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.fixture
def smoked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The projects that a smoke test was run on; it trains nothing."""
    projects: list[Path] = []

    def pretend(project: Path, _python: Path, on_line: Callable[[str], None]) -> smoke.SmokeResult:
        projects.append(project)
        assert (project / "tests/test_smoke.py").is_file()
        on_line("training")
        stages = (smoke.StageVerdict("warmup", "passed", "loss 1.0", "replaced model -> tiny"),)
        return smoke.SmokeResult(stages, exit_code=0)

    monkeypatch.setattr(smoke, "run_smoke", pretend)
    return projects


def test_a_smoke_test_runs_on_the_project_on_disk(
    folder: Path, run: Run, smoked: list[Path]
) -> None:
    run("compile")
    done = run("smoke")
    assert (done.code, done.out) == (0, "warmup: passed: loss 1.0\n  replaced model -> tiny\n")
    assert "training" in done.err
    assert smoked == [Path()]
    before = files_of(folder)
    assert run("smoke", "--set", "stages.reasoning.steps=3").code == 0
    assert smoked[1] != Path()
    assert not smoked[1].exists()
    assert files_of(folder) == before


def test_a_smoke_test_never_runs_on_the_project_of_another_spec(
    folder: Path, run: Run, smoked: list[Path]
) -> None:
    run("compile")
    (folder / "other.toml").write_text(SPEC.replace("steps = 20", "steps = 9"))
    assert run("smoke", "other.toml").code == 0
    assert smoked[0] != Path()


@pytest.mark.usefixtures("folder")
def test_a_smoke_test_without_a_project_compiles_one_for_itself(
    run: Run, smoked: list[Path]
) -> None:
    record = json.loads(run("smoke", "--format", "json").out)
    assert record["version"] == 1
    assert record["passed"] is True
    assert record["stages"][0]["name"] == "warmup"
    assert not smoked[0].exists()
