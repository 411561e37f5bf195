"""The reward for a language: which letters count, and which language they are of."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from language_chinese import explain_language_chinese, score_language_chinese
from language_japanese import explain_language_japanese, score_language_japanese
from language_script import score_language_script
from language_shared import LANGUAGES, explain_language_shared, score_language_shared
from prose import letters_of, sentences_of

from compiler.resolve.rewards.prose import OWN_SCRIPTS, SHARED_SCRIPTS, needs_identifier
from spec_schema.rewards.prose import Language, LanguageReward, OwnScript

# What a model may reason in each language; the keys are the codes of the spec.
SENTENCES = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))
CHINESE, JAPANESE = SENTENCES["zh"], SENTENCES["ja"]


def share(text: str, language: str) -> float | None:
    """Give what the reward pays for a language, by the piece that its kind of script has."""
    if language == "zh":
        return score_language_chinese(text)
    if language == "ja":
        return score_language_japanese(text)
    if language in OWN_SCRIPTS:
        return score_language_script(text, pattern(OWN_SCRIPTS[language]))
    script = next(each for each in SHARED_SCRIPTS if language in each.languages)
    return score_language_shared(text, language, pattern(script.characters))


def pattern(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]")


def test_japanese_is_not_chinese() -> None:
    assert share(CHINESE, "zh") == 1.0
    assert share(JAPANESE, "ja") == 1.0
    assert share(CHINESE, "ja") == 0.0
    assert share(JAPANESE, "zh") == 0.0
    both = CHINESE + "\n" + JAPANESE
    assert 0.3 < (share(both, "zh") or 0) < 0.7
    assert 0.3 < (share(both, "ja") or 0) < 0.7
    assert explain_language_chinese(CHINESE) == "100% of the letters"
    assert explain_language_japanese(CHINESE) == "0% of the letters"


@pytest.mark.parametrize("language", SENTENCES)
def test_languages_are_told_apart(language: str) -> None:
    for told, text in SENTENCES.items():
        assert share(text, language) == (1.0 if told == language else 0.0), told


def test_a_switch_in_the_middle_is_seen() -> None:
    switched = f"{SENTENCES['en']}\n{SENTENCES['de']}"
    assert 0.4 < (share(switched, "en") or 0) < 0.6
    assert 0.4 < (share(switched, "de") or 0) < 0.6
    mixed = f"{SENTENCES['en']}\n{CHINESE}"
    assert (share(mixed, "en") or 0) + (share(mixed, "zh") or 0) == pytest.approx(1.0)
    assert (
        explain_language_shared(SENTENCES["en"], "en", pattern("A-Za-z")) == "100% of the letters"
    )


def test_code_formulas_tags_and_single_letters_do_not_count() -> None:
    for other in (
        "`print(total)`",
        "```python\nprint(total)\n```",
        "```python\nprint(total)",
        "$total = count$",
        "$$total$$",
        r"\(total\)",
        r"\[total\]",
        r"\frac",
        "<answer></answer>",
        "x y \u03b1",
        "https://example.com/total",
    ):
        assert share(f"{CHINESE} {other}", "zh") == 1.0, other
    assert (share(f"{CHINESE} total", "zh") or 0) < 1.0


@pytest.mark.parametrize("opening", ["\\[ ", "\\( ", "$$ ", "$ ", "`", "```\n", "<a", "\\boxed{"])
def test_formulas_that_never_end_cost_no_time(opening: str) -> None:
    # With a search to the end from each beginning these would take minutes.
    assert letters_of("".join(sentences_of(opening * 100_000))) in ("", "a" * 100_000)


def test_nothing_is_said_where_there_are_no_letters() -> None:
    for text in ("", "5", "$x$", "x"):
        assert share(text, "zh") is None
        assert share(text, "ja") is None
        assert share(text, "en") is None
        assert share(text, "el") is None
    assert explain_language_chinese("5") == "no letters to judge"


def test_every_language_of_the_spec_has_its_script_once() -> None:
    shared = [language for script in SHARED_SCRIPTS for language in script.languages]
    assert sorted(shared) == sorted(set(shared))
    assert {"zh", "ja", *OWN_SCRIPTS} == set(get_args(OwnScript))
    assert {"zh", "ja", *OWN_SCRIPTS, *shared} == set(get_args(Language))
    assert sorted(LANGUAGES.split()) == sorted(shared)
    for language in get_args(Language):
        reward = LanguageReward(kind="language", language=language)
        assert needs_identifier(reward) == (language in shared)


def test_sentences_and_letters() -> None:
    assert letters_of("It is 5, \u00e9t\u00e9!") == "Itis\u00e9t\u00e9"
    assert sentences_of("One. Two! \u4e00\u3002\u4e8c") == [
        "One.",
        " Two!",
        " \u4e00\u3002",
        "\u4e8c",
    ]
