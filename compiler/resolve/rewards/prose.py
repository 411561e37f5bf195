"""How rewards for the writing score a completion."""

from typing import NamedTuple, get_args

from compiler.literals import literal, text_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, IDS, PROMPT, TEXT, Scoring
from spec_schema.rewards import prose
from spec_schema.rewards.prose import (
    CopyingReward,
    KeywordsReward,
    LanguageReward,
    ReasoningStepsReward,
    RepetitionReward,
)

__all__ = [
    "OWN_SCRIPTS",
    "SHARED_SCRIPTS",
    "Script",
    "needs_identifier",
    "score_copying",
    "score_keywords",
    "score_language",
    "score_reasoning_steps",
    "score_repetition",
]


def score_repetition(constant: str, reward: RepetitionReward, _inputs: Inputs) -> Scoring:
    """Count n-grams of tokens as they were sampled, in a part of a completion of its words."""
    size = f"{constant}_NGRAM_SIZE"
    sampled = reward.on == "completion"
    words = f"words_of({TEXT})"
    encoded = f"tokenizer().encode({TEXT}, add_special_tokens=False)"
    return Scoring(
        ("repetition",) if sampled else ("repetition", "words"),
        f"score_repetition({'ids' if sampled else words}, {size})",
        f"explain_repetition({encoded if sampled else words}, {size})",
        (IDS,) if sampled else (COMPLETION,),
        ((size, literal(reward.ngram_size)),),
        -1.0,
        0.0,
    )


def score_copying(constant: str, reward: CopyingReward, _inputs: Inputs) -> Scoring:
    """Hold the words of the text against those of the prompt."""
    size = f"{constant}_NGRAM_SIZE"
    return Scoring(
        ("copying",),
        f"score_copying({TEXT}, {PROMPT.item}, {size})",
        f"explain_copying({TEXT}, {PROMPT.of_row}, {size})",
        (COMPLETION, PROMPT),
        ((size, literal(reward.ngram_size)),),
        -1.0,
        0.0,
    )


def score_keywords(constant: str, reward: KeywordsReward, _inputs: Inputs) -> Scoring:
    """Look for the keywords."""
    words = f"{constant}_KEYWORDS"
    call = f"keywords({TEXT}, {words}, fold={literal(reward.case == 'fold')})"
    constants = ((words, literal(tuple(reward.keywords))),)
    return Scoring(("keywords",), f"score_{call}", f"explain_{call}", (COMPLETION,), constants)


def score_reasoning_steps(constant: str, reward: ReasoningStepsReward, _inputs: Inputs) -> Scoring:
    """Count the lines that begin a step."""
    least = f"{constant}_MIN_STEPS"
    call = f"reasoning_steps({TEXT}, {least})"
    constants = ((least, literal(reward.min_steps)),)
    return Scoring(
        ("reasoning_steps",), f"score_{call}", f"explain_{call}", (COMPLETION,), constants
    )


class Script(NamedTuple):
    """The characters of a script as the inside of a class of `re`, and who writes it."""

    characters: str
    languages: tuple[str, ...]


# Blocks of the Unicode standard; marks and digits in them are no letters and are not counted.
OWN_SCRIPTS = {
    "ko": r"\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3",
    "el": r"\u0370-\u03ff\u1f00-\u1fff",
    "he": r"\u0590-\u05ff",
    "th": r"\u0e00-\u0e7f",
    "ka": r"\u10a0-\u10ff\u1c90-\u1cbf",
    "hy": r"\u0530-\u058f",
    "ta": r"\u0b80-\u0bff",
    "te": r"\u0c00-\u0c7f",
    "kn": r"\u0c80-\u0cff",
    "ml": r"\u0d00-\u0d7f",
    "gu": r"\u0a80-\u0aff",
}
SHARED_SCRIPTS = (
    Script(
        r"A-Za-z\u00aa-\u024f\u0259\u1e00-\u1eff",
        (*get_args(prose.WestLatin), *get_args(prose.EastLatin), *get_args(prose.OtherLatin)),
    ),
    Script(r"\u0400-\u052f", get_args(prose.Cyrillic)),
    Script(r"\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff", get_args(prose.Arabic)),
    Script(r"\u0900-\u097f", get_args(prose.Devanagari)),
    Script(r"\u0980-\u09ff", get_args(prose.Bengali)),
)


def needs_identifier(reward: LanguageReward) -> bool:
    """Whether a language shares its script, so that the words have to tell it."""
    return any(reward.language in script.languages for script in SHARED_SCRIPTS)


def score_language(constant: str, reward: LanguageReward, _inputs: Inputs) -> Scoring:
    """Tell the language by its script, and where others share that, by its words."""
    language = reward.language
    if language in ("zh", "ja"):
        kind = "language_chinese" if language == "zh" else "language_japanese"
        return Scoring((kind,), f"score_{kind}({TEXT})", f"explain_{kind}({TEXT})", (COMPLETION,))
    name = f"{constant}_SCRIPT"
    if language in OWN_SCRIPTS:
        pattern = f're.compile("[{OWN_SCRIPTS[language]}]")'
        call = f"language_script({TEXT}, {name})"
        constants: tuple[tuple[str, str], ...] = ((name, pattern),)
        kind = "language_script"
    else:
        script = next(script for script in SHARED_SCRIPTS if language in script.languages)
        call = f"language_shared({TEXT}, {text_literal(language)}, {name})"
        constants = ((name, f're.compile("[{script.characters}]")'),)
        kind = "language_shared"
    return Scoring(
        (kind,),
        f"score_{call}",
        f"explain_{call}",
        (COMPLETION,),
        constants,
        imports=("import re",),
    )
