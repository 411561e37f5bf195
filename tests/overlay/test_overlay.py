"""`[project] overlay`: a team's own Copier template as one more source of a project's files."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.command_line import SPEC, Run, command, files_of, write_task

COPIER = "replace: [.gitignore]\n"
TEMPLATE = {
    "copier.yml": COPIER,
    "ops/train.sh.jinja": "sbatch --job-name {{ plan.project_name }} run.sh\n",
    "ops/stages.txt.jinja": "{% for stage in plan.stages %}{{ stage.name }}\n{% endfor %}",
    ".gitignore": "outputs/\nteam/\n",
    "NOTES.md": "one\ntwo\nthree\nfour\nfive\n",
    "{{ _copier_conf.answers_file }}.jinja": "{{ _copier_answers | to_nice_yaml }}",
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str], tag: str | None = None) -> str:
    write(folder, files)
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")


def with_overlay(source: str, ref: str | None = None) -> str:
    said = f', ref = "{ref}"' if ref else ""
    return SPEC.replace(
        'name = "sums"\n', f'name = "sums"\noverlay = {{ source = "{source}"{said} }}\n'
    )


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a tag `v1`, cloned by its URL."""
    team = tmp_path / "team"
    team.mkdir()
    commit(team, TEMPLATE, "v1")
    return team


@pytest.fixture
def local(folder: Path) -> Path:
    """A template in a folder without git, beside a project whose spec names it."""
    (folder / "task.toml").write_text(with_overlay("../template"))
    return write(folder.parent / "template", TEMPLATE)


def test_the_files_of_a_folder_are_rendered_with_the_plan(
    folder: Path, local: Path, run: Run
) -> None:
    plan = json.loads(run("plan", "--format", "json").out)
    write(local, {"plan.json.jinja": "{{ plan | to_json }}\n"})
    assert run("check").code == 0
    assert run("compile").code == 0
    assert (folder / "ops/train.sh").read_text() == "sbatch --job-name sums run.sh\n"
    assert (folder / "ops/stages.txt").read_text() == "warmup\nreasoning\n"
    assert (folder / ".gitignore").read_text() == "outputs/\nteam/\n"
    assert json.loads((folder / "plan.json").read_text()) == plan
    assert not (folder / ".copier-answers.yml").exists()
    assert not (folder / "copier.yml").exists()
    assert run("compile").err == "compiled into `.`: nothing to change\n"
    assert run("compile", "--check").err == "up to date\n"


def test_its_files_are_merged_by_the_same_rules(folder: Path, local: Path, run: Run) -> None:
    run("compile")
    write(folder, {"NOTES.md": "one\ntwo\nthree\nfour\nFIVE\n", "ops/stages.txt": "mine\n"})
    (folder / "ops/train.sh").unlink()
    write(local, {"NOTES.md": "ONE\ntwo\nthree\nfour\nfive\n"})
    done = run("compile")
    assert done.code == 0
    assert (folder / "NOTES.md").read_text() == "ONE\ntwo\nthree\nfour\nFIVE\n"
    assert (folder / "ops/stages.txt").read_text() == "mine\n"
    assert "`ops/train.sh` was deleted by you and stays deleted" in done.err
    write(local, {"NOTES.md": "ONE\ntwo\nthree\nfour\n5\n"})
    assert run("compile").code == 3
    assert "<<<<<<<" in (folder / "NOTES.md").read_text()


def test_a_file_that_it_no_longer_writes_goes(folder: Path, local: Path, run: Run) -> None:
    run("compile")
    (local / "NOTES.md").unlink()
    (local / ".gitignore").unlink()
    built_in = "outputs/"
    assert run("compile").code == 0
    assert not (folder / "NOTES.md").exists()
    assert built_in in (folder / ".gitignore").read_text()
    assert "team/" not in (folder / ".gitignore").read_text()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"README.md": "ours"}, "`README.md`, which trainspec writes as well"),
        ({"readme.MD": "ours"}, "`readme.MD`, which trainspec writes as well as `README.md`"),
        ({"README.md/x": "ours"}, "`README.md/x`, which makes a folder of a file"),
        ({"tests": "ours"}, "`tests`, which makes a folder of a file of trainspec, or a file"),
        ({"train.jsonl": "ours"}, "`train.jsonl`, which is the spec's or named in it"),
        ({"task.toml": "ours"}, "`task.toml`, which is the spec's or named in it"),
        ({".trainspec/x": "ours"}, "`.trainspec/x`, which is no place for files of a project"),
        (
            {"{{ '.git' }}/hooks/x": "ours", "copier.yml": "_exclude: [copier.yml]\n"},
            "`.git/hooks/x`, which is no place",
        ),
        ({"logo.png": b"\x89PNG\xff"}, "`logo.png` is not UTF-8"),
        ({"copier.yml": "replace: yes please\n"}, "no list of paths"),
        ({"copier.yml": "team:\n  type: str\n"}, '"team" is required'),
        ({"copier.yml": "- ["}, "cannot be used"),
        ({"x.jinja": "{% if %}"}, "cannot be used"),
        ({"x.jinja": "{{ plan.nothing.here }}"}, "cannot be used"),
        ({"copier.yml": "_tasks: [touch made]\n"}, "runs commands, or loads extensions"),
        ({"copier.yml": "_jinja_extensions: [x.y]\n"}, "runs commands, or loads extensions"),
    ],
)
@pytest.mark.usefixtures("local")
def test_what_an_overlay_may_not_do_is_refused_and_nothing_is_written(
    folder: Path, run: Run, files: dict[str, str | bytes], said: str
) -> None:
    write(folder.parent / "template", files)
    before = files_of(folder)
    assert run("check").code == 0
    done = run("compile")
    assert done.code == 3, done.err
    assert said in done.err
    assert "nothing was written" in done.err
    assert files_of(folder) == before


def test_a_link_in_an_overlay_is_refused(folder: Path, local: Path, run: Run) -> None:
    (local / "link").symlink_to("/etc/passwd")
    assert run("compile").code == 3
    write(local, {"copier.yml": f"{COPIER}_preserve_symlinks: true\n"})
    done = run("compile")
    assert (done.code, "`link` is no regular file" in done.err) == (3, True)
    assert set(files_of(folder)) == {"task.toml", "train.jsonl"}


@pytest.mark.usefixtures("local")
def test_tasks_run_where_they_are_trusted(folder: Path, run: Run) -> None:
    template = folder.parent / "template"
    write(template, {"copier.yml": f"{COPIER}_tasks: ['echo made > made.txt']\n"})
    assert run("compile", "--check").code == 3
    assert run("compile", "--trust").code == 0
    assert (folder / "made.txt").read_text() == "made\n"
    assert run("compile", "--check", "--trust").err == "up to date\n"
    assert run("compile").code == 3, "it is not remembered"
    write(template, {"copier.yml": f"{COPIER}_tasks: ['exit 7']\n"})
    done = run("compile", "--trust")
    assert (done.code, "ended with 7" in done.err) == (3, True)


def test_a_repository_is_pinned_until_an_upgrade(folder: Path, repository: Path, run: Run) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}"))
    first = git(repository, "rev-parse", "HEAD")
    assert run("compile").code == 0
    manifest = json.loads((folder / ".trainspec/manifest.json").read_text())
    assert manifest["overlay"] == {"source": f"file://{repository}", "ref": None, "commit": first}
    second = commit(repository, {"NOTES.md": "new\n"})
    assert run("compile", "--check").err == "up to date\n"
    assert run("compile").err.endswith("nothing to change\n")
    shown = run("compile", "--upgrade", "--diff", "--format", "concise").out
    assert (
        f"the overlay `file://{repository}`: {first[:12]} -> {second[:12]}\n  NOTES.md\n" in shown
    )
    record = json.loads(run("compile", "--upgrade", "--diff", "--format", "json").out)
    [cause] = record["projects"][0]["causes"]
    assert (cause["kind"], cause["paths"]) == ("overlay", ["NOTES.md"])
    assert run("compile", "--upgrade").code == 0
    assert (folder / "NOTES.md").read_text() == "new\n"
    assert run("compile", "--undo").code == 0
    assert (folder / "NOTES.md").read_text() == TEMPLATE["NOTES.md"]
    assert run("compile", "--check").err == "up to date\n", "the pin went back as well"


def test_a_tag_that_moves_moves_no_project(folder: Path, repository: Path, run: Run) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}", "v1"))
    run("compile")
    commit(repository, {"NOTES.md": "new\n"})
    git(repository, "tag", "--force", "v1")
    assert run("compile").err.endswith("nothing to change\n")
    assert run("compile", "--upgrade").code == 0
    assert (folder / "NOTES.md").read_text() == "new\n"


@pytest.mark.parametrize("kind", ["tag", "branch", "commit", "folder"])
def test_another_ref_is_a_change_of_the_spec(
    folder: Path, repository: Path, run: Run, kind: str
) -> None:
    source = "../team" if kind == "folder" else f"file://{repository}"
    (folder / "task.toml").write_text(with_overlay(source, "v1"))
    assert run("compile").code == 0
    git(repository, "checkout", "--quiet", "-b", "side/branch")
    second = commit(repository, {"NOTES.md": "new\n"}, "v2")
    git(repository, "checkout", "--quiet", "main")
    ref = {"branch": "side/branch", "commit": second}.get(kind, "v2")
    (folder / "task.toml").write_text(with_overlay(source, ref))
    shown = run("compile", "--diff", "--format", "concise").out
    assert f'project.overlay.ref: "v1" -> "{ref}"\n  NOTES.md\n' in shown
    assert run("compile").code == 0
    assert (folder / "NOTES.md").read_text() == "new\n"


def test_later_compiles_need_no_network(folder: Path, repository: Path, run: Run) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}", "v1"))
    assert run("compile").code == 0
    repository.rename(repository.with_name("gone"))
    assert run("check").code == 0
    assert run("compile", "--check").err == "up to date\n"
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(text.replace("steps = 20", "steps = 21"))
    shown = run("compile", "--diff", "--format", "concise")
    assert "stages.reasoning.steps: 20 -> 21" in shown.out
    assert run("compile").code == 0
    refused = run("compile", "--upgrade")
    assert refused.code == 4
    assert "cannot be fetched" in refused.err


def test_without_a_cache_the_recorded_commit_is_fetched(
    folder: Path, repository: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}"))
    run("compile")
    commit(repository, {"NOTES.md": "new\n"})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert run("compile", "--check").err == "up to date\n"


@pytest.mark.parametrize(
    ("ref", "said"), [("v9", "no branch, tag or commit `v9`"), ("a" * 40, "no branch, tag or")]
)
def test_a_ref_that_is_not_there_is_refused(
    folder: Path, repository: Path, run: Run, ref: str, said: str
) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}", ref))
    done = run("compile")
    assert (done.code, said in done.err) == (3, True)
    assert set(files_of(folder)) == {"task.toml", "train.jsonl"}
    cache = folder.parent / "cache/trainspec/overlays"
    assert [path for place in cache.iterdir() for path in place.iterdir()] == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("acme/overlay", "is neither a repository nor the path of a folder"),
        ("~/overlay", "is neither a repository nor the path of a folder"),
        ("ext::sh -c 'touch made'", "is neither a repository"),
        ("--upload-pack=x", "is neither a repository"),
        ("ssh://-oProxyCommand=x/y", "is neither a repository"),
        ("../nothing", "there is no folder `../nothing`"),
        ("./train.jsonl", "is no folder"),
        ("..", "holds the project that it would write into"),
        ("./", "holds the project that it would write into"),
    ],
)
def test_a_source_that_cannot_be_one_is_a_finding(
    folder: Path, run: Run, source: str, said: str
) -> None:
    (folder / "task.toml").write_text(with_overlay(source))
    done = run("check", "--format", "concise")
    assert done.code == 1
    assert done.out.startswith("task.toml:5:")
    assert said in done.out


@pytest.mark.parametrize("ref", ["-x", "a..b", "a b", "", "v1:x", "HEAD^", "@{1}"])
def test_a_ref_is_a_name_and_nothing_else(folder: Path, run: Run, ref: str) -> None:
    (folder / "task.toml").write_text(
        with_overlay("gh:acme/overlay").replace(" }", f', ref = "{ref}" }}')
    )
    assert "error[bad-value]" in run("check", "--format", "concise").out


def test_a_repository_that_is_read_as_a_folder_is_read_as_it_stands(
    folder: Path, repository: Path, run: Run
) -> None:
    (folder / "task.toml").write_text(with_overlay("../team"))
    write(repository, {"NOTES.md": "not committed\n"})
    assert run("compile").code == 0
    assert (folder / "NOTES.md").read_text() == "not committed\n"
    assert "overlay" not in json.loads((folder / ".trainspec/manifest.json").read_text())
    write(repository, {"NOTES.md": "again\n"})
    shown = run("compile", "--diff", "--format", "concise").out
    assert "the overlay `../team`: its folder has changed\n  NOTES.md\n" in shown
    assert run("compile", "--check").code == 1


@pytest.mark.usefixtures("local")
def test_a_project_in_a_new_folder_finds_its_overlay(folder: Path, run: Run) -> None:
    assert run("compile", "--into", "../deep/er/new").code == 0
    copied = folder.parent / "deep/er/new"
    assert (copied / "NOTES.md").read_text() == TEMPLATE["NOTES.md"]
    assert 'source = "../../../template"' in (copied / "task.toml").read_text()
    assert run("compile", "--check", str(copied / "task.toml")).err == "up to date\n"


def test_an_overlay_inside_the_project_goes_along(folder: Path, run: Run) -> None:
    write(folder / "overlay", TEMPLATE)
    (folder / "task.toml").write_text(with_overlay("./overlay"))
    assert run("compile", "--into", "../new").code == 0
    copied = folder.parent / "new"
    assert (copied / "overlay/copier.yml").read_text() == COPIER
    assert (copied / "NOTES.md").is_file()
    assert run("compile").code == 0, "it is named in the spec"
    assert run("compile", str(copied / "task.toml")).err.endswith("nothing to change\n")


def test_a_house_file_gives_its_overlay_to_every_spec(
    folder: Path, repository: Path, run: Run
) -> None:
    source = f"file://{repository}"
    house = f'[project]\noverlay = {{ source = "{source}", ref = "v1" }}\n'
    (folder.parent / "house.toml").write_text(house)
    text = SPEC.replace('name = "sums"\n', 'name = "sums"\nextends = "../house.toml"\n')
    (folder / "task.toml").write_text(text)
    assert run("compile").code == 0
    assert (folder / "NOTES.md").is_file()


def test_a_lost_state_is_rebuilt_with_the_overlay(folder: Path, repository: Path, run: Run) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}", "v1"))
    run("compile")
    (folder / ".trainspec/manifest.json").unlink()
    assert run("adopt").code == 0
    assert run("compile", "--check").err == "up to date\n"


def test_a_damaged_pin_is_a_damaged_state(folder: Path, repository: Path, run: Run) -> None:
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}"))
    run("compile")
    manifest = folder / ".trainspec/manifest.json"
    manifest.write_text(manifest.read_text().replace('"commit"', '"comit"'))
    done = run("compile")
    assert (done.code, "`overlay` lacks" in done.err) == (3, True)


def test_the_settings_of_a_hook_do_not_reach_the_overlay(
    folder: Path, repository: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(folder, {})
    monkeypatch.setenv("GIT_DIR", str(folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(folder / ".git/index"))
    (folder / "task.toml").write_text(with_overlay(f"file://{repository}", "v1"))
    assert run("compile").code == 0
    assert (folder / "NOTES.md").read_text() == TEMPLATE["NOTES.md"]


def test_without_git_a_folder_still_works(folder: Path, local: Path, tmp_path: Path) -> None:
    done = command("compile", cwd=folder, environment={"PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    text = with_overlay(f"file://{local}")
    (folder / "task.toml").write_text(text)
    done = command("compile", cwd=folder, environment={"PATH": str(tmp_path)})
    assert done.returncode == 4
    assert "the program `git`" in done.stderr


def test_copier_is_loaded_for_an_overlay_alone(tmp_path: Path) -> None:
    write(tmp_path / "template", TEMPLATE)
    for name, spec in {"plain": SPEC, "overlaid": with_overlay("../template")}.items():
        project = write_task(tmp_path / name, spec)
        code = (
            "import sys; sys.argv = ['trainspec', sys.argv[1]]\n"
            "from compiler.cli import main\n"
            "try: main()\n"
            "except SystemExit: pass\n"
            "print('copier' in sys.modules)"
        )
        for what in ("check", "compile"):
            done = subprocess.run(
                [sys.executable, "-c", code, what],
                cwd=project,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
                capture_output=True,
                text=True,
                check=True,
            )
            expected = name == "overlaid" and what == "compile"
            assert done.stdout.endswith(f"{expected}\n")
