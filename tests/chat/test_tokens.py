"""The tokenizer of a project: what tokens.py sets in it, and that it is there only where needed."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.projects import SPEC, load, write_project

pytestmark = pytest.mark.slow  # each loads transformers
GEMMA = 'base = "google/gemma-2-2b-it"'
SYSTEM = '[prompt]\nsystem = "Be brief."'


def with_model(lines: str, *, system: bool = False) -> str:
    spec = SPEC.replace('base = "Qwen/Qwen2.5-0.5B-Instruct"', lines)
    return spec.replace("[prompt]", SYSTEM) if system else spec


def tiny(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny stand-in of the base, written where a stage would find it."""
    monkeypatch.syspath_prepend(project / "tests")
    sys.modules.pop("tiny_model", None)
    load(project, "tiny_model").write_tiny_model(project / "tiny", ["Be brief. 1+1? 2"])
    return project / "tiny"


def tokens_of(tmp_path: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, str]:
    project = write_project(tmp_path / "project", spec)
    folder = tiny(project, monkeypatch)
    return load(project, "tokens"), str(folder)


def prompt(tokenizer: Any, **options: object) -> str:  # noqa: ANN401 - as the auto class gives it
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "1+1?"},
    ]
    return tokenizer.apply_chat_template(
        messages, tokenize=False, add_generation_prompt=True, **options
    )


def test_there_is_no_file_where_the_tokenizer_is_right(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    assert not (project / "tokens.py").exists()
    script = (project / "train_warmup.py").read_text()
    assert "tokenizer = AutoTokenizer.from_pretrained(start)" in script


def test_a_system_message_is_folded_in_the_tokenizer_and_in_what_it_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, folder = tokens_of(tmp_path, with_model(GEMMA, system=True), monkeypatch)
    tokenizer = tokens.load_tokenizer(folder)
    assert prompt(tokenizer) == (
        "<bos><start_of_turn>user\nBe brief.\n\n1+1?<end_of_turn>\n<start_of_turn>model\n"
    )
    assert tokenizer.eos_token == "<end_of_turn>"
    assert tokenizer.pad_token == "<pad>"
    tokenizer.save_pretrained(tmp_path / "saved")
    again = tokens.load_tokenizer(str(tmp_path / "saved"))
    assert again.chat_template == tokenizer.chat_template


@pytest.mark.parametrize(
    ("base", "padding"),
    [
        ("meta-llama/Llama-3.2-1B-Instruct", "<|reserved_special_token_0|>"),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", "<|endoftext|>"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "<unk>"),
        ("ibm-granite/granite-3.1-2b-instruct", "<fim_pad>"),
        ("acme/house-model", "<|endoftext|>"),
    ],
)
def test_the_end_token_is_never_what_pads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, padding: str
) -> None:
    tokens, folder = tokens_of(tmp_path, with_model(f'base = "{base}"'), monkeypatch)
    tokenizer = tokens.load_tokenizer(folder)
    size = len(tokenizer)
    assert tokenizer.pad_token == padding
    assert tokenizer.pad_token_id != tokenizer.eos_token_id
    assert len(tokenizer) == size


def test_thinking_is_off_by_default_and_may_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = 'base = "Qwen/Qwen3-0.6B"\nthinking = "off"'
    tokens, folder = tokens_of(tmp_path, with_model(lines), monkeypatch)
    tokenizer = tokens.load_tokenizer(folder)
    assert prompt(tokenizer).endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert prompt(tokenizer, enable_thinking=True).endswith("<|im_start|>assistant\n")


def test_an_unknown_template_is_held_against_what_the_spec_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = 'base = "acme/house-model"\nthinking = "on"'
    tokens, folder = tokens_of(tmp_path, with_model(lines), monkeypatch)
    with pytest.raises(SystemExit, match="has no switch for thinking"):
        tokens.load_tokenizer(folder)


@pytest.mark.parametrize("template", ["{{ raise_exception('no') }}", "{{ messages[-1].content }}"])
def test_a_template_without_a_system_role_is_refused_and_never_drops_the_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    spec = with_model('base = "acme/house-model"', system=True)
    tokens, folder = tokens_of(tmp_path, spec, monkeypatch)
    (Path(folder) / "chat_template.jinja").write_text(template)
    with pytest.raises(SystemExit, match="takes no system message"):
        tokens.load_tokenizer(folder)


def test_the_end_of_a_turn_of_a_base_model_is_the_end_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = with_model('base = "Qwen/Qwen2.5-0.5B"')
    tokens, folder = tokens_of(tmp_path, spec, monkeypatch)
    assert tokens.load_tokenizer(folder).eos_token == "<|im_end|>"


NAMED_BASES = {
    "chatml": "HuggingFaceTB/SmolLM2-135M",
    "gemma": "google/gemma-2-2b",
    "gemma-3": "google/gemma-3-1b-pt",
    "granite": "ibm-granite/granite-3.1-2b-base",
    "llama-3": "meta-llama/Llama-3.2-1B",
    "mistral": "mistralai/Mistral-7B-v0.3",
    "olmo-2": "allenai/OLMo-2-0425-1B",
    "zephyr": "acme/house-model",
}


@pytest.mark.parametrize("name", NAMED_BASES)
def test_a_named_template_is_set_and_kept_with_its_end_of_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    lines = f'base = "{NAMED_BASES[name]}"\nchat_template = "{name}"'
    tokens, folder = tokens_of(tmp_path, with_model(lines, system=True), monkeypatch)
    tokenizer = tokens.load_tokenizer(folder)
    asked = prompt(tokenizer)
    assert "Be brief." in asked
    said = [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"}]
    whole = tokenizer.apply_chat_template(said, tokenize=False)
    assert whole.rpartition("2")[2].strip() == tokenizer.eos_token
    assert tokenizer.pad_token_id not in (None, tokenizer.eos_token_id)
    tokenizer.save_pretrained(tmp_path / "saved")
    assert prompt(tokens.load_tokenizer(str(tmp_path / "saved"))) == asked


def test_a_template_of_a_file_says_itself_how_a_turn_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = "{{ '<' + message.role + '>' + message.content + '<|done|>' }}"
    text = f"{{% for message in messages %}}{turn}{{% endfor %}}<assistant>"
    spec = with_model('base = "acme/house-model"\nchat_template = "chat.jinja"')
    project = write_project(tmp_path / "project", spec, chat__jinja=text)
    folder = tiny(project, monkeypatch)
    tokenizer = load(project, "tokens").load_tokenizer(str(folder))
    assert tokenizer.eos_token == "<|done|>"
    assert tokenizer.chat_template == text


def test_a_token_that_the_vocabulary_lacks_is_refused_and_never_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = 'base = "google/gemma-2-2b"\nchat_template = "gemma"'
    tokens, folder = tokens_of(tmp_path, with_model(lines), monkeypatch)
    monkeypatch.setattr(tokens, "END_OF_TURN", "<|new|>")
    with pytest.raises(SystemExit, match=r"has no token <\|new\|>"):
        tokens.load_tokenizer(folder)


OWN_MODEL = """
[stages.preferences]
method = "reward"
model = "{}"
[stages.preferences.data]
train = {{ path = "pairs.jsonl" }}
columns = {{ prompt = "question", chosen = "good", rejected = "bad" }}
"""
PAIRS = '{"question": "1+1?", "good": "2", "bad": "3"}\n' * 8


@pytest.mark.parametrize(
    ("model", "loader"),
    [
        ("google/gemma-2-9b-it", "load_tokenizer(start)"),
        ("Qwen/Qwen2.5-0.5B-Instruct", "AutoTokenizer.from_pretrained(start)"),
    ],
)
def test_a_model_of_another_family_keeps_its_own_tokens(
    tmp_path: Path, model: str, loader: str
) -> None:
    spec = with_model(GEMMA, system=True) + OWN_MODEL.format(model)
    spec = spec.replace('"reasoning"]', '"reasoning", "preferences"]')
    project = write_project(tmp_path / "project", spec, pairs__jsonl=PAIRS)
    assert loader in (project / "train_preferences.py").read_text()
    assert "load_tokenizer(start)" in (project / "train_warmup.py").read_text()
