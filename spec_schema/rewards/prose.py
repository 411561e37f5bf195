"""Rewards for how a text is written: repetition, language, steps, words, copying."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Purpose
from spec_schema.rewards.table import TextRewardTable

__all__ = [
    "Arabic",
    "Bengali",
    "CopyingReward",
    "Cyrillic",
    "Devanagari",
    "EastLatin",
    "KeywordsReward",
    "Language",
    "LanguageReward",
    "OtherLatin",
    "OwnScript",
    "ReasoningStepsReward",
    "RepetitionReward",
    "WestLatin",
]

# ISO 639-1 codes: languages with a script of their own, then those that share one.
OwnScript = Literal["zh", "ja", "ko", "el", "he", "th", "ka", "hy", "ta", "te", "kn", "ml", "gu"]
WestLatin = Literal["en", "de", "fr", "es", "it", "pt", "nl", "ca", "sv", "da", "no", "is"]
EastLatin = Literal["pl", "cs", "sk", "sl", "hr", "ro", "hu", "fi", "et", "lv", "lt", "sq"]
OtherLatin = Literal["tr", "az", "vi", "id", "ms", "tl", "sw", "af"]
Cyrillic = Literal["ru", "uk", "be", "bg", "mk", "kk", "mn", "ky"]
Arabic = Literal["ar", "fa", "ur", "ps"]
Devanagari = Literal["hi", "mr", "ne"]
Bengali = Literal["bn", "as"]
Language = Literal[
    OwnScript, WestLatin, EastLatin, OtherLatin, Cyrillic, Arabic, Devanagari, Bengali
]


class RepetitionReward(TextRewardTable):
    """A penalty: minus the share of n-grams that stood in the text before.

    Counted in tokens as they were sampled, with `on` another part in its words. Appendix C.2 of
    arXiv 2502.03373.
    """

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["repetition"] = Field(description="What is paid for.")
    ngram_size: int = Field(default=3, ge=1, description="Tokens or words of an n-gram.")

    def bounds(self) -> tuple[float, float]:
        """A penalty pays nothing at best."""
        return (-1.0, 0.0)


class LanguageReward(TextRewardTable):
    """The share of letters that belong to a language.

    Code, formulas, tags and letters that stand alone are not counted. A language with a script of
    its own is told by it, and Han characters are Japanese in a sentence with kana, else Chinese;
    the languages of a shared script are told apart sentence by sentence, with the package
    py3langid. Nothing is said of a text without such letters.
    """

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["language"] = Field(description="What is paid for.")
    language: Language = Field(description="ISO 639-1 code, such as `en`, `de`, `ja` or `zh`.")


class ReasoningStepsReward(TextRewardTable):
    """The share of `min_steps` that is reached by lines that begin a step, at most 1.

    `Step 2:`, `2.`, `2)`, `-`, `*`, and `First`, `Second`, `Next`, `Then`, `Finally` begin one.
    """

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["reasoning_steps"] = Field(description="What is paid for.")
    min_steps: int = Field(default=3, ge=1, description="Steps that are paid in full.")


class KeywordsReward(TextRewardTable):
    """The share of the keywords that stand in the text as words of their own."""

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["keywords"] = Field(description="What is paid for.")
    keywords: list[NonEmptyText] = Field(min_length=1, description="Words, or several together.")
    case: Literal["keep", "fold"] = Field(
        default="fold", description="`fold` makes upper and lower case equal."
    )


class CopyingReward(TextRewardTable):
    """A penalty: minus the share of n-grams of words that stand in the prompt as well."""

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["copying"] = Field(description="What is paid for.")
    ngram_size: int = Field(
        default=8,
        ge=1,
        description="Words of an n-gram. 8 is the size by which PaLM's authors told copies "
        "(arXiv 2204.02311, section 8).",
    )

    def bounds(self) -> tuple[float, float]:
        """A penalty pays nothing at best."""
        return (-1.0, 0.0)
