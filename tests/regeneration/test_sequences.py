"""Random projects that random owners edit between random compiles: nothing is ever lost."""

import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.apply import apply
from compiler.manifest import Compiled, plain_text
from compiler.outcome import done_lines
from compiler.unsettled import Unsettled
from tests.regeneration.folders import applied, files_of, new_project
from tests.regeneration.random_projects import (
    Owner,
    Spec,
    changed_spec,
    compiled_spec,
    marks_in,
    random_spec,
)
from tests.regeneration.real_specs import compile_text, real_specs

QUICK, SLOW = range(60), range(100, 3100)


def check_one_compile(project: Path, last: Compiled, made: Compiled, counts: Counter[str]) -> bool:
    """Compile and look at all that was promised; whether it was carried out."""
    before = files_of(project)
    try:
        changes = applied(project, made)
    except Unsettled:
        assert files_of(project) == before
        counts["refused"] += 1
        return False
    after = files_of(project)
    counts.update(str(change.fate) for change in changes.entries)
    lost = marks_in(before).keys() - marks_in(after).keys()
    assert not lost, (lost, done_lines("here", changes))
    for path, text in last.tree.items():
        if path in made.tree and before.get(path) == text.encode():
            assert after[path] == made.tree[path].encode(), path
            counts["untouched"] += 1
    for change in changes.entries:
        if change.before is not None and change.after is None:
            followed = change.partner is not None and change.partner in after
            assert followed or plain_text(change.before) == last.tree[change.path]
    if changes.is_settled:
        assert applied(project, made).written == {}
        assert files_of(project) == after
    else:
        with pytest.raises(Unsettled):
            apply(project, made)
        assert files_of(project) == after
    return True


def run_sequence(
    project: Path,
    seed: int,
    first: Compiled,
    following: Callable[[], Compiled],
    counts: Counter[str],
) -> None:
    owner = Owner(random.Random(seed))
    apply(project, first)
    last = first
    for _ in range(owner.rng.randint(2, 5)):
        for _ in range(owner.rng.randint(0, 5)):
            counts[f"edit: {owner.edit(project)}"] += 1
        made = following()
        if check_one_compile(project, last, made, counts):
            last = made
            settle_all(owner, project)
        counts["compiles"] += 1
    counts["sequences"] += 1


def settle_all(owner: Owner, project: Path) -> None:
    """Settle what the record of the project says is waiting."""
    folder = project / ".trainspec/unsettled"
    for record in sorted(path for path in folder.rglob("*") if path.is_file()):
        owner.settle(project, record.relative_to(folder).as_posix(), record.read_text().strip())


def synthetic(folder: Path, seed: int, counts: Counter[str]) -> None:
    rng = random.Random(seed)
    spec = [random_spec(rng)]

    def following() -> Compiled:
        spec.append(changed_spec(spec[-1], rng))
        return compiled_spec(spec[-1])

    run_sequence(new_project(folder / str(seed)), seed, compiled_spec(spec[0]), following, counts)


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(QUICK, id="quick"), pytest.param(SLOW, id="slow", marks=pytest.mark.slow)],
)
def test_no_line_of_an_owner_is_ever_lost(
    tmp_path: Path, seeds: range, capsys: pytest.CaptureFixture[str]
) -> None:
    counts: Counter[str] = Counter()
    for seed in seeds:
        synthetic(tmp_path, seed, counts)
    show(counts, capsys)
    # Each row of the table was met, or the test looks at less than it says.
    met = {"new", "updated", "merged", "conflict", "kept", "deleted", "removed", "abandoned"}
    assert {*met, "foreign", "renamed", "untouched"} <= counts.keys()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> list[Compiled]:
    """What real specs compile to that differ in weights, rewards, stages, and more."""
    folder = tmp_path_factory.mktemp("specs")
    return [compile_text(folder, text) for text in real_specs()]


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(6), id="quick"),
        pytest.param(range(10, 310), id="slow", marks=pytest.mark.slow),
    ],
)
def test_no_line_of_an_owner_of_a_real_project_is_ever_lost(
    tmp_path: Path, real: list[Compiled], seeds: range, capsys: pytest.CaptureFixture[str]
) -> None:
    counts: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        project = new_project(tmp_path / str(seed))
        run_sequence(project, seed, rng.choice(real), lambda: rng.choice(real), counts)  # noqa: B023  # called at once
    show(counts, capsys)
    assert {"merged", "kept", "updated", "untouched"} <= counts.keys()


def show(counts: Counter[str], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n  {', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}\n")


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(QUICK, id="quick"), pytest.param(SLOW, id="slow", marks=pytest.mark.slow)],
)
def test_there_and_back_gives_the_same_bytes(
    tmp_path: Path, seeds: range, capsys: pytest.CaptureFixture[str]
) -> None:
    counts: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        project = new_project(tmp_path / str(seed))
        here: Spec = random_spec(rng)
        there = changed_spec(here, rng)
        apply(project, compiled_spec(here))
        owner = Owner(rng)
        for _ in range(rng.randint(0, 4)):
            owner.edit(project, gently=True)
        before = files_of(project)
        ways = [apply(project, compiled_spec(there))]
        if ways[0].is_settled:
            ways.append(apply(project, compiled_spec(here)))
        if all(changes.is_settled for changes in ways):
            assert files_of(project) == before, seed
            counts["the same"] += 1
        else:
            counts["a conflict on the way"] += 1
    show(counts, capsys)
    assert counts["the same"] > len(seeds) / 2
