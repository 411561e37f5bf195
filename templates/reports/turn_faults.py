"""Say what is wrong with the conversations and texts that SFT learns from."""

from findings import Row, numbers_of, told


def turn_faults(part: str, rows: list[Row]) -> list[str]:
    """Name the conversations that end with another turn than the assistant's, or with nothing said.

    `messages` of a row are the whole conversation. Without a turn of the assistant there is nothing
    to learn, and a turn that says nothing teaches to say nothing: both are errors. A last turn of
    somebody else is a warning: it is read, and answered by nobody.
    """
    silent: list[Row] = []
    empty: list[Row] = []
    unanswered: list[Row] = []
    for row in rows:
        turns = [turn for turn in row["messages"] if turn["role"] == "assistant"]
        silent += [] if turns else [row]
        empty += [] if all(turn["content"].strip() for turn in turns) else [row]
        unanswered += [row] if turns and row["messages"][-1]["role"] != "assistant" else []
    return [
        *told("error", part, "without a turn of the assistant", numbers_of(silent)),
        *told("error", part, "with a turn of the assistant that says nothing", numbers_of(empty)),
        *told("warning", part, "whose last turn is not the assistant's", numbers_of(unanswered)),
    ]
