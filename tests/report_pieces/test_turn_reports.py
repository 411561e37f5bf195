"""What is said of conversations and texts before they are trained on."""

from typing import Any

from text_faults import text_faults
from turn_faults import turn_faults

Row = dict[str, Any]


def conversation(number: int, *turns: tuple[str, str]) -> Row:
    messages = [{"role": role, "content": content} for role, content in turns]
    return {"row_number": number, "messages": messages}


def test_turns_without_a_word_of_the_assistant_are_named() -> None:
    rows = [
        conversation(0, ("user", "Hello"), ("assistant", "Good day")),
        conversation(1, ("user", "Hello"), ("assistant", " ")),
        conversation(2, ("user", "Hello"), ("assistant", ""), ("user", "Well?")),
        conversation(3, ("system", "Be brief"), ("user", "Hello")),
        conversation(4, ("user", "Hello"), ("assistant", "Good day"), ("user", "Bye")),
    ]
    assert turn_faults("chat", rows) == [
        "error: chat: 1 row without a turn of the assistant: 3",
        "error: chat: 2 rows with a turn of the assistant that says nothing: 1, 2",
        "warning: chat: 2 rows whose last turn is not the assistant's: 2, 4",
    ]


def test_an_empty_text_is_named() -> None:
    rows = [{"row_number": number, "text": text} for number, text in enumerate(["a", " \n", ""])]
    assert text_faults("corpus", rows) == ["error: corpus: 2 rows with an empty text: 1, 2"]
