"""What is suggested in place of a wrong value is what was probably meant, or nothing."""

from pathlib import Path

import pytest

from tests.command_line import SPEC, Run


def told(folder: Path, run: Run, right: str, written: str) -> str:
    assert right in SPEC
    (folder / "task.toml").write_text(SPEC.replace(right, written, 1))
    return run("check").out


@pytest.mark.parametrize("path", [".", "./", "./."])
def test_the_folder_as_a_file_is_one_fault(folder: Path, run: Run, path: str) -> None:
    text = told(folder, run, '"train.jsonl"', f'"{path}"')
    assert text.count("error[") == 1
    assert f"the path `{path}` is the spec's folder" in text


@pytest.mark.parametrize("path", ["..", "/", "../rows.txt"])
def test_a_file_outside_is_one_fault(folder: Path, run: Run, path: str) -> None:
    text = told(folder, run, '"train.jsonl"', f'"{path}"')
    assert text.count("error[path-outside]") == text.count("error[") == 1


def test_another_number_is_not_suggested_for_a_number(folder: Path, run: Run) -> None:
    text = told(folder, run, '"cpu"', '"20gb"')
    assert "did you mean" not in text
    assert "`16gb`, `24gb`" in text
    assert "did you mean `24gb`" in told(folder, run, '"cpu"', '"24bg"')


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ('"train.jsonl"', '`{ path = "train.jsonl" }`'),
        ('"rows/a.CSV"', '`{ path = "rows/a.CSV" }`'),
        ('"openai/gsm8k"', '`{ hub = "openai/gsm8k" }`'),
    ],
)
def test_a_bare_name_of_a_source_is_mended(folder: Path, run: Run, written: str, hint: str) -> None:
    assert f"write {hint}" in told(folder, run, '{ path = "train.jsonl" }', written)


@pytest.mark.parametrize("written", ['"gsm8k"', '"a\\nb/c"', "3", '"{}"'])
def test_what_names_no_source_gets_no_such_hint(folder: Path, run: Run, written: str) -> None:
    text = told(folder, run, '{ path = "train.jsonl" }', written)
    assert "error[wrong-type]" in text
    assert "hub =" not in text


@pytest.mark.parametrize(
    ("written", "meant"),
    [('"a100"', "`a100-40gb` or `a100-80gb`"), ('"rtx-4060-ti"', "`rtx-4060-ti-16gb`")],
)
def test_a_gpu_without_its_memory_gets_those_that_are_sold(
    folder: Path, run: Run, written: str, meant: str
) -> None:
    assert f"did you mean {meant}?" in told(folder, run, '"cpu"', written)


@pytest.mark.parametrize(
    ("rewards", "hint"),
    [
        ("correct = { weight = 2.0 }", '`kind = "correct"`'),
        ('brief = { type = "length" }', "did you mean `kind`?"),
        ("brief = { weight = 2.0 }", "`kind` can be `correct`"),
        ("judge = 1.0", "`base_url`: the endpoint"),
    ],
)
def test_a_reward_without_its_kind_is_told_the_likely_one(
    folder: Path, run: Run, rewards: str, hint: str
) -> None:
    assert hint in told(folder, run, "correct = 2.0", rewards)


# The mark that answers are read from

ASKING = 'user = "{question}"'
SHOT = 'shots = [{ user = "1 + 1", assistant = "<answer>2</answer>" }]'
HUB = ('"./tiny-model"', '"Qwen/Qwen2.5-0.5B-Instruct"')


def shown(folder: Path, run: Run, *changes: tuple[str, str]) -> bool:
    """Whether nothing is said of the mark, with GRPO alone."""
    text = SPEC.replace('"warmup", ', "").replace(
        '[stages.warmup]\nmethod = "sft"\nepochs = 1\n', ""
    )
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (folder / "task.toml").write_text(text)
    return "unshown-mark" not in run("check").out


def test_a_tag_that_nothing_shows_is_told(folder: Path, run: Run) -> None:
    system = f'system = "Answer in <result></result>."\n{ASKING}'
    assert not shown(folder, run, HUB, (ASKING, system))
    assert not shown(folder, run, HUB, (ASKING, 'user = "{question} Answer briefly."'))


SHOT = 'shots = [{ user = "1 + 1", assistant = "<answer>2</answer>" }]'


@pytest.mark.parametrize(
    "prompt",
    [
        f'system = "Answer in <answer></answer>."\n{ASKING}',
        'user = "{question} Answer in <ANSWER></ANSWER>."',
        ASKING,  # the rows may ask for it
        f'system = "Do as shown."\n{ASKING}\n{SHOT}',
    ],
)
def test_a_tag_that_a_prompt_shows_is_not_told(folder: Path, run: Run, prompt: str) -> None:
    assert shown(folder, run, HUB, (ASKING, prompt))


def test_an_sft_stage_teaches_the_tag(folder: Path, run: Run) -> None:
    brief = f'system = "Be brief."\n{ASKING}'
    (folder / "task.toml").write_text(SPEC.replace(*HUB).replace(ASKING, brief))
    assert "unshown-mark" not in run("check").out


def test_a_base_in_a_folder_may_know_its_tags(folder: Path, run: Run) -> None:
    assert shown(folder, run, (ASKING, f'system = "Be brief."\n{ASKING}'))


@pytest.mark.parametrize(
    ("rows", "hint"),
    [
        ("question;answer\nOne, or two?;2\n", '`delimiter = ";"`'),
        ("question\tanswer\nOne, or two?\t2\n", '`delimiter = "\\t"`'),
        ("question,answer\nOne, or two?,2\n", None),
        ("question\nOne; or, two?\n", None),
    ],
)
def test_a_file_parted_otherwise_is_told_by_its_header(
    folder: Path, run: Run, rows: str, hint: str | None
) -> None:
    (folder / "train.csv").write_text(rows)
    text = told(folder, run, "train.jsonl", "train.csv")
    assert "error[unreadable-data]" in text
    assert f"write {hint}" in text if hint else "delimiter" not in text


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("stages.judge", "write `judge`"),
        ("juge", "did you mean `judge`?"),
        ("big", "a model of the hub is written `owner/name`"),
    ],
)
def test_a_reward_model_of_no_stage_and_no_owner_is_mended(
    folder: Path, run: Run, model: str, hint: str
) -> None:
    reward = f'taste = {{ kind = "reward_model", model = "{model}", weight = 0.1 }}\n'
    judge = 'judge = { method = "reward", data = { train = { path = "pairs.jsonl" } } }\n'
    (folder / "pairs.jsonl").write_text('{"chosen": "a", "rejected": "b"}\n')
    text = told(folder, run, "[stages.warmup]", f"{reward}[stages]\n{judge}[stages.warmup]")
    assert f"there is no stage `{model}`" in text
    assert hint in text


def test_the_model_that_a_spec_names_does_not_fill_its_folder(folder: Path, run: Run) -> None:
    (folder / "tiny-model").mkdir()
    (folder / "tiny-model/config.json").write_text("{}")
    assert run("compile").code == 0
    assert (folder / "train_warmup.py").is_file()
