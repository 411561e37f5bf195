"""Contexts of the project's other modules."""

from typing import NamedTuple

__all__ = [
    "AdapterUse",
    "AnswersFile",
    "DataFile",
    "PromptsFile",
    "RowChoice",
    "Shot",
    "StagesFile",
    "WeightsFile",
]


class Shot(NamedTuple):
    """One worked example of the prompt, as two Python expressions."""

    user: str
    assistant: str


class PromptsFile(NamedTuple):
    """Context of prompts.py: Python expressions, None for what the spec leaves out."""

    system: str | None
    system_is_file: bool
    conversation: str | None
    user: str
    ideal: str | None
    ideal_docstring: str
    shots: tuple[Shot, ...]
    shot_rows: str | None

    @property
    def has_shots(self) -> bool:
        """Whether the prompt shows worked examples."""
        return bool(self.shots) or self.shot_rows is not None


class RowChoice(NamedTuple):
    """Three expressions over a row, each of them calling the functions of those before.

    `options` are those of the data, `right` the labels that the gold names, `parts` what the row
    gets: its options as they are shown, and the right one.
    """

    options: str
    right: str
    parts: str


class DataFile(NamedTuple):
    """Context of data.py.

    `sources` and `own` are finished functions: the sources of `[data]`, and everything for stages
    with rows of their own. `asked`: there are rows with the columns of `[data]`; `measured`: a
    prompt may be too long for a stage.
    """

    sources: tuple[str, ...]
    own: tuple[str, ...]
    own_columns: str | None
    shared: bool
    asked: bool
    measured: bool
    has_eval: bool
    imports: tuple[str, ...]
    columns: str | None
    other_columns: str | None
    choice: RowChoice | None
    parts: str | None
    shot_source: str
    shot_rows: str | None
    shot_row: str
    max_prompt_tokens: str
    drop_long: bool
    distributed: bool
    has_sft: bool
    has_rl: bool
    report: str

    @property
    def says_dropped(self) -> bool:
        """Whether rows are left out where several processes would say so."""
        return self.distributed and self.measured and self.drop_long

    @property
    def tells_dropped(self) -> str:
        """The statement that says how many rows are left out, in the first process alone."""
        told = 'print(f"{dropped}: prompt over {MAX_PROMPT_TOKENS} tokens")'
        return f'if os.environ.get("RANK", "0") == "0": {told}' if self.distributed else told

    @property
    def report_import(self) -> str:
        """The import of the module that `python data.py` runs."""
        return f"import {self.report}"


class AnswersFile(NamedTuple):
    """Context of answers.py: expressions for reading and comparing, and what they promise."""

    imports: tuple[str, ...]
    read: str
    read_docstring: str
    same: str
    same_docstring: str
    helpers: tuple[str, ...]


class WeightsFile(NamedTuple):
    """Context of weights.py: the trainers whose weights move."""

    trainers_import: str
    trainers: str


class AdapterUse(NamedTuple):
    """Which models stages.py has to write, and who merges their adapters.

    `any` stage has an adapter, `all` have, one `classifies`. `unsloth` merges a trained one;
    `exported`: the one that export.py merges has an adapter.
    """

    any: bool
    all: bool
    classifies: bool
    unsloth: bool
    exported: bool

    @property
    def none(self) -> bool:
        """Whether every stage trains all weights."""
        return not self.any

    @property
    def merged_anew(self) -> bool:
        """Whether a trained adapter is merged into its start, loaded anew."""
        return self.any and not self.unsloth

    @property
    def merges(self) -> bool:
        """Whether something asks stages.py to merge."""
        return self.merged_anew or self.exported


class StagesFile(NamedTuple):
    """Context of stages.py; `distributed`: several processes train."""

    base: str
    revision: str | None
    sources: str
    packages: str
    adapters: AdapterUse
    distributed: bool = False
