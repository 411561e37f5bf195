"""Contexts of tokens.py and template_report.py."""

from typing import NamedTuple

__all__ = ["TemplateReportFile", "TokensFile"]


class TokensFile(NamedTuple):
    """Context of tokens.py: Python expressions, None for what the tokenizer has right already.

    `template` is the file of the spec's own chat template. `preamble` stands in front of it: it
    `folds` a system message into a user turn, or `switches` thinking, whose variable is looked for
    in the template as `switch_unseen` where its name is not known to be there. `end_of_turn` is the
    token that ends a turn, where the tokenizer calls another one its end. `spare` are tokens to pad
    with. `asks_system`: whether the template takes a system message is seen when it is loaded.
    """

    template: str | None
    preamble: str | None
    folds: bool
    switches: bool
    switch_unseen: str | None
    end_of_turn: str | None
    spare: str | None
    revision: str | None
    asks_system: bool

    @property
    def plain_template(self) -> bool:
        """Whether the spec's own template is taken as it stands."""
        return self.template is not None and self.preamble is None


class TemplateReportFile(NamedTuple):
    """Context of template_report.py.

    `learns` says that a stage learns what rows say, `reads_rows` that one has such rows of its own.
    """

    has_system: bool
    learns: bool
    reads_rows: bool
    revision: str | None
