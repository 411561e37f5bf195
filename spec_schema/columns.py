"""Which columns of the rows are what: the formats that stages learn from, imported where named."""

from pydantic import Field

from spec_schema.base import NonEmptyText, Table

__all__ = ["Columns"]


class Columns(Table):
    """Which column of the rows is which part of what a stage learns from.

    The keys that are written name the format: `messages`; `question` and `response`; `text`;
    `prompt` and `completion`; `prompt`, `chosen` and `rejected`; `prompt`, `completion` and
    `label`; `prompt` alone. `question` may stand for `prompt`, and then `[prompt]` applies: its
    system prompt, its template of the user, in which the column is `{question}`, and its shots.
    With `prompt` or `messages` nothing is added.
    """

    messages: NonEmptyText | None = Field(
        default=None,
        description="A conversation: a list of messages with `role` and `content`, or its JSON "
        "text. `sft` learns from all of it; a stage that samples is asked with it, up to the last "
        "message that is not the assistant's.",
    )
    text: NonEmptyText | None = Field(
        default=None, description="Plain text, which `sft` learns without a chat template."
    )
    prompt: NonEmptyText | None = Field(
        default=None,
        description="What the model is asked: a text, which becomes one message of the user, or a "
        "list of messages. May be left out beside `chosen` and `rejected` that are lists of "
        "messages: the messages that both begin with are the prompt.",
    )
    question: NonEmptyText | None = Field(
        default=None, description="A text in the place of `prompt`, to which `[prompt]` applies."
    )
    response: NonEmptyText | None = Field(
        default=None, description="The answer to `question`: a text, or a list of messages."
    )
    completion: NonEmptyText | None = Field(
        default=None, description="The answer to `prompt`: a text, or a list of messages."
    )
    chosen: NonEmptyText | None = Field(
        default=None, description="The better of two answers: a text, or a list of messages."
    )
    rejected: NonEmptyText | None = Field(
        default=None, description="The worse of two answers: a text, or a list of messages."
    )
    label: NonEmptyText | None = Field(
        default=None,
        description="Whether the completion is a good one: true or false, in a text file `true` "
        "or `false`, `1` or `0`.",
    )
    margin: NonEmptyText | None = Field(
        default=None,
        description="By how much `chosen` is better, a number: `reward` subtracts it in its loss.",
    )

    def named(self) -> dict[str, str]:
        """Give the columns by the parts that they are."""
        return {part: name for part, name in self.model_dump().items() if name is not None}
