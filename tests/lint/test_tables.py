"""What lint knows of releases, held against the stack and the source of the installed TRL."""

import importlib.util
import tomllib
from pathlib import Path

import pytest

from compiler.lint import releases
from compiler.stack import load_stack
from tests.lint.extract_releases import METHODS, trainer_parameters

STACK = load_stack("trl-1.16")
TABLES = tomllib.loads(Path(releases.__file__).with_name("renames.toml").read_text("utf-8"))


@pytest.mark.parametrize("method", METHODS)
def test_the_parameters_of_a_trainer_are_those_of_the_installed_one(method: str) -> None:
    spec = importlib.util.find_spec("trl")
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).with_name("trainer") / f"{method}_trainer.py"
    written = trainer_parameters(source.read_text(encoding="utf-8"), method)
    assert list(releases.trainer_parameters(method)) == written


@pytest.mark.parametrize("method", METHODS)
def test_a_new_name_is_a_field_and_the_old_one_is_none(method: str) -> None:
    fields = STACK.fields(method)
    names = {**TABLES["renamed"]["all"], **TABLES["renamed"].get(method, {})}
    assert {new for new in names.values() if new not in fields} == set()
    assert {old for old in names if old in fields} == set()
    hints = {**TABLES["hints"]["all"], **TABLES["hints"].get(method, {})}
    assert hints.keys() & {*fields} == set()
    kept = TABLES["deprecated"].get(method, {})
    assert {*kept, *kept.values()} <= {*fields}


def test_each_method_has_its_releases() -> None:
    assert releases.first_release("grpo", "top_p") == "0.16"
    assert releases.last_release("sft", "max_seq_length") == "0.19"
    assert releases.last_release("grpo", "top_p") is None
    for method in METHODS:
        assert not [name for name in STACK.fields(method) if releases.last_release(method, name)]


def test_a_hint_is_a_phrase() -> None:
    texts = [text for table in TABLES["hints"].values() for text in table.values()]
    assert [text for text in texts if text.endswith(".") or text.count("`") % 2] == []
