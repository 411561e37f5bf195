"""Context of the notebook."""

from typing import NamedTuple

from compiler.plan.texts import ReadmePage, StageRow

__all__ = ["NotebookFile", "NotebookPage"]


class NotebookFile(NamedTuple):
    """A file that a cell writes: the cell's name, and the path as an argument of `%%writefile`."""

    id: str
    path: str


class NotebookPage(NamedTuple):
    """Context of the page that the notebook's cells are made from.

    `readme` is the context of README.md, whose parts the notebook shares. `metadata` is JSON: the
    kernel, and the GPU that a host of notebooks is asked for; `choice` says how a person asks for
    it. `install` and `folders` are words of a shell. `keys` are the
    environment variables that hold keys, and `uploads` the files that a notebook cannot hold, both
    as Python strings. `task` are the files that say what is learnt, `machinery` those that they
    rest on. `load` is the function of data.py that gives rows, and `own_prompts` an expression of
    their prompts where they have none of `[prompt]`, else None. `ideal` says whether there is a
    completion that such a row should get, `scored` whether rewards score one.
    """

    metadata: str
    readme: ReadmePage
    stages: tuple[StageRow, ...]
    machine: str
    choice: str
    gpu: bool
    install: str
    folders: str
    keys: tuple[str, ...]
    uploads: tuple[str, ...]
    task: tuple[NotebookFile, ...]
    machinery: tuple[NotebookFile, ...]
    load: str
    own_prompts: str | None
    ideal: bool
    scored: bool
    exports: bool
    answer_tokens: str
