"""Part conversations into the turns that a model writes."""

from datasets import Dataset


def assistant_turns(rows: Dataset) -> Dataset:
    """Return each turn of the assistant as the `completion` of a row, all before it as `prompt`.

    So the loss falls on these turns alone, whatever the chat template. Says how many conversations
    are left out, for the assistant says nothing in them.
    """
    parted = [
        {
            "prompt": row["messages"][:position],
            "completion": [turn],
            "row_number": row["row_number"],
        }
        for row in rows.to_list()
        for position, turn in enumerate(row["messages"])
        if turn["role"] == "assistant" and position and turn["content"].strip()
    ]
    silent = len(rows) - len({row["row_number"] for row in parted})
    if silent:
        print(f"{silent} of {len(rows)} rows left out: the assistant answers nothing")
    return Dataset.from_list(parted)
