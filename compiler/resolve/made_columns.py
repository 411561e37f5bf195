"""Made cells in the columns that stages learn from, for data sets that a test cannot load."""

from compiler.resolve.own_data import row_tables
from spec_schema import TaskSpec
from spec_schema.data import HubSource

__all__ = ["made_columns"]

# What a column holds as an expression of `number`; answers of a pair differ, as do their lengths.
_CELLS = {
    "messages": '[{"role": "user", "content": f"Say {number}."}, '
    '{"role": "assistant", "content": f"{number}, of course."}]',
    "text": 'f"{number} comes before {number + 1}."',
    "prompt": 'f"Say {number}."',
    "question": 'f"Say {number}."',
    "response": 'f"{number}, of course."',
    "completion": 'f"{number}, of course."',
    "chosen": 'f"{number}, of course."',
    "rejected": 'f"Never {number}!"',
    "label": "number % 2 == 0",
    "margin": "float(number % 3)",
}


def made_columns(spec: TaskSpec) -> dict[str, str]:
    """A cell for each column of the stages' own rows that come from a hub, by its name.

    Answers without a prompt of their own are whole conversations.
    """
    found: dict[str, str] = {}
    for table in row_tables(spec):
        if table.stage is None or not isinstance(table.train, HubSource):
            continue
        data = spec.stages[table.stage].data
        named = None if data is None else data.columns
        columns = {} if named is None else named.model_dump(exclude_none=True)
        whole = not {"prompt", "question", "messages", "text"} & columns.keys()
        for part, column in columns.items():
            cell = _CELLS[part]
            if whole and part in ("chosen", "rejected"):
                asked = '{"role": "user", "content": f"Say {number}."}'
                cell = f'[{asked}, {{"role": "assistant", "content": {cell}}}]'
            found[column] = cell
    return found
