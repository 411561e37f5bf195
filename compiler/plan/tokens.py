"""Context of tokens.py."""

from typing import NamedTuple

__all__ = ["TokensFile"]


class TokensFile(NamedTuple):
    """Context of tokens.py: Python expressions, None for what the tokenizer has right already.

    `preamble` stands in front of the chat template: it `folds` a system message into a user turn,
    or `switches` thinking, whose variable is looked for in the template as `switch_unseen` where
    its name is not known to be there. `end_of_turn` is the token that ends a turn, where the
    tokenizer calls another one its end. `spare` are tokens to pad with. `asks_system`: whether the
    template takes a system message is seen when it is loaded.
    """

    preamble: str | None
    folds: bool
    switches: bool
    switch_unseen: str | None
    end_of_turn: str | None
    spare: str | None
    revision: str | None
    asks_system: bool
