"""`trainspec new`: what is asked, what the answers make, and what is refused."""

import ast
import tomllib
from pathlib import Path
from typing import get_args

import pytest
import yaml

from compiler.places import templates_folder
from compiler.questionnaire import QUESTIONS, draft
from spec_schema.hardware import Tier
from spec_schema.project import PROJECT_NAME_PATTERN
from tests.command_line import Run, files_of
from tests.new.sample_rows import SAMPLES, path_of, text_of
from tests.new.sample_texts import FUNCTIONS
from tests.projects import load

TEMPLATE = templates_folder() / "new"
ASKED = yaml.safe_load((TEMPLATE / "copier.yml").read_text())
TASKS = list(ASKED["task"]["choices"].values())


def answers(folder: Path, text: str) -> str:
    path = folder / "answers.toml"
    path.write_text(text)
    return str(path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_questions_are_those_of_the_template() -> None:
    asked = [name for name in ASKED if not name.startswith("_")]
    assert tuple(name for name in asked if ASKED[name].get("when") is not False) == QUESTIONS
    assert list(SAMPLES) == TASKS
    assert PROJECT_NAME_PATTERN.removesuffix("$") in ASKED["name"]["validator"]


@pytest.mark.parametrize("task", TASKS)
def test_the_sample_rows_are_those_that_are_made(task: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        path_of(task).write_text(text_of(task), encoding="utf-8")
    assert path_of(task).read_text(encoding="utf-8") == text_of(task)


@pytest.mark.parametrize(("task", "solution", "tests"), [(a, b, c) for a, b, *c in FUNCTIONS])
def test_a_sample_solution_passes_its_tests(task: str, solution: str, tests: list[str]) -> None:
    names: dict[str, object] = {}
    exec(solution, names)
    for line in tests:
        exec(line, names)
    [function] = ast.parse(solution).body
    assert isinstance(function, ast.FunctionDef)
    assert f"`{function.name}(" in task


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("tier", ["cpu", "24gb"])
@pytest.mark.parametrize("own", ["false", "true"])
def test_every_task_gives_a_project_without_a_finding(
    here: Path, run: Run, task: str, tier: str, own: str
) -> None:
    given = f'task = "{task}"\ntier = "{tier}"\n'
    given += f"own_reward = {own}\n" * (task != "sft")
    done = run("new", "made", "--answers", answers(here, given), "--defaults")
    assert done.code == 0, done.err
    assert run("check", "made/task.toml", "--deny", "warnings").err == "no errors\n"
    assert run("compile", "made/task.toml").err.endswith("nothing to change\n")
    has_own = own == "true" and task != "sft"
    assert (here / "made/my_rewards.py").exists() == has_own
    spec = (here / "made/task.toml").read_text()
    assert tomllib.loads(spec)["hardware"]["tier"] == tier
    assert spec.endswith("\n")
    assert "\n\n\n" not in spec
    assert max(map(len, spec.splitlines())) <= 100


@pytest.mark.parametrize("task", TASKS)
def test_a_spec_says_at_each_table_why(here: Path, task: str) -> None:
    draft(here / task, None, {"task": task}, defaults=True, ask=False)
    lines = (here / task / "task.toml").read_text().splitlines()
    tables = [position for position, line in enumerate(lines) if line.startswith("[")]
    explained = [
        any(line.startswith("#") for line in lines[max(0, start - 3) : end])
        for start, end in zip(tables, [*tables[1:], len(lines)], strict=True)
    ]
    # What the project is called, and what the prompt of a short task says, explains itself.
    assert explained.count(False) <= 2


@pytest.mark.heavy
@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_project_passes_its_own_smoke_test(here: Path, run: Run, task: str) -> None:
    given = answers(here, f'task = "{task}"\n' + "own_reward = true\n" * (task != "sft"))
    assert run("new", "made", "--answers", given, "--defaults").code == 0
    done = run("smoke", "made/task.toml")
    assert done.code == 0, done.err


def test_a_reward_of_ones_own_is_called(here: Path, run: Run) -> None:
    given = answers(here, 'task = "maths"\nown_reward = true\n')
    assert run("new", "made", "--answers", given, "--defaults").code == 0
    rewards = load(here / "made", "my_rewards")
    completions = [[{"role": "assistant", "content": text}] for text in ("a\nb\n", "a\n\na", "")]
    assert rewards.says_it_once(completions, question=["q"] * 3) == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("tier", get_args(Tier))
def test_a_suggested_recipe_fits_its_tier(here: Path, run: Run, tier: str) -> None:
    for task in TASKS:
        draft(here / task, None, {"task": task, "tier": tier}, defaults=True, ask=False)
        values = tomllib.loads((here / task / "task.toml").read_text())
        assert ("adapter" in values["model"]) == (tier != "cpu")
    specs = [f"{task}/task.toml" for task in TASKS]
    assert run("check", *specs, "--deny", "warnings").err == f"{len(specs)} specs: no errors\n"


def test_more_memory_gets_a_larger_base(here: Path) -> None:
    sizes: list[float] = []
    for tier in ("8gb", "12gb", "24gb", "32gb", "48gb", "80gb", "141gb"):
        draft(here / tier, None, {"tier": tier}, defaults=True, ask=False)
        base = tomllib.loads((here / tier / "task.toml").read_text())["model"]["base"]
        sizes.append(float(base.split("-")[1].removesuffix("B")))
    assert sizes == [0.5, 1.5, 1.5, 7, 7, 14, 32]


def test_a_base_is_written_as_it_is_given(here: Path, run: Run) -> None:
    base = './models/é 😀 "x" \\ y'
    given = answers(here, f"base = '{base}'\nadapter = 'none'\n")
    assert run("new", "made", "--answers", given, "--defaults").code == 0
    assert tomllib.loads((here / "made/task.toml").read_text())["model"] == {"base": base}


@pytest.mark.parametrize(
    ("folder", "name"),
    [("my-task", "my-task"), ("Zählen & mehr", "Z-hlen-mehr"), ("---", "my-task")],
)
def test_the_name_is_suggested_by_the_folder(here: Path, run: Run, folder: str, name: str) -> None:
    assert run("new", "--defaults", "--", folder).code == 0
    assert tomllib.loads((here / folder / "task.toml").read_text())["project"]["name"] == name


def test_without_a_folder_the_project_is_called_by_its_name(here: Path, run: Run) -> None:
    given = answers(here, 'name = "sums"\n')
    assert run("new", "--answers", given, "--defaults").code == 0
    assert (here / "sums/task.toml").is_file()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('tier = "8g"\n', "'8g' is not in"),
        ('name = "-x"\n', "letter or digit at both ends"),
        ('name = "x\\n"\n', "letter or digit at both ends"),
        ('base = "two words"\n', "write an id such as"),
        ('base = "./x\\u0007"\n', "write an id such as"),
        ('teir = "24gb"\n', "did you mean `tier`?"),
        ('suggested_base = "x/y"\n', "which is not asked"),
        ('task = "sft"\nown_reward = true\n', "`own_reward` is not asked for this `task`"),
        ('task = "dpo"\n', "'dpo' is not in"),
        ("task: maths\n", "is no TOML"),
        (b"\xff", "is no TOML"),
    ],
)
def test_a_wrong_answer_is_refused_and_nothing_is_written(
    here: Path, run: Run, given: str | bytes, said: str
) -> None:
    path = here / "answers.toml"
    path.write_bytes(given if isinstance(given, bytes) else given.encode())
    done = run("new", "made", "--answers", str(path), "--defaults")
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert [each.name for each in here.iterdir()] == ["answers.toml"]


def test_an_answers_file_that_is_not_there_is_named(here: Path, run: Run) -> None:
    done = run("new", "made", "--answers", "none.toml", "--defaults")
    assert (done.code, "`none.toml` cannot be read" in done.err) == (2, True)
    assert list(here.iterdir()) == []


def test_without_a_terminal_the_open_questions_are_named(here: Path, run: Run) -> None:
    given = answers(here, 'task = "sft"\ntier = "cpu"\n')
    done = run("new", "made", "--answers", given)
    assert done.code == 2
    said = " ".join(done.err.split())
    assert "no answer to `name`, `base`, `adapter`; `--defaults`" in said
    assert not (here / "made").exists()


def test_with_every_answer_no_terminal_is_needed(here: Path, run: Run) -> None:
    text = 'task = "sft"\ntier = "cpu"\nname = "a"\nbase = "./tiny"\nadapter = "none"\n'
    assert run("new", "made", "--answers", answers(here, text)).code == 0


def test_a_used_folder_is_refused_before_anything_is_asked(here: Path, run: Run) -> None:
    (here / "made").mkdir()
    (here / "made/mine.txt").write_text("mine")
    before = files_of(here)
    done = run("new", "made")
    assert done.code == 3
    assert "is not empty" in done.err
    assert files_of(here) == before
    (here / "file").write_text("")
    assert run("new", "file", "--defaults").code == 3


def test_an_interrupted_question_leaves_nothing(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    monkeypatch.setattr("copier._main.unsafe_prompt", interrupted)
    assert run("new", "made").code == 130
    assert list(here.iterdir()) == []


def test_what_is_not_answered_is_asked(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def typed(questions: list[dict[str, object]], answers: dict[str, object]) -> dict[str, object]:
        [question] = questions
        name = str(question["name"])
        asked.append(name)
        return {name: {"tier": "cpu", "own_reward": True}.get(name, answers[name])}

    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    monkeypatch.setattr("copier._main.unsafe_prompt", typed)
    given = answers(here, 'task = "choice"\n')
    assert run("new", "made", "--answers", given).code == 0
    assert [name for name in asked if name in QUESTIONS] == list(QUESTIONS[1:])
    values = tomllib.loads((here / "made/task.toml").read_text())
    assert values["hardware"]["tier"] == "cpu"
    assert values["model"] == {"base": "HuggingFaceTB/SmolLM2-135M-Instruct"}
    assert "says_it_once" in values["rewards"]
