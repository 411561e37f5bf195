"""What is said of conversations and of cut pairs before they are trained on."""

from typing import Any

from turn_faults import turn_faults

Row = dict[str, Any]


def conversation(number: int, *turns: tuple[str, object]) -> Row:
    messages = [{"role": role, "content": content} for role, content in turns]
    return {"row_number": number, "messages": messages}


def test_turns_without_a_word_of_the_assistant_are_named() -> None:
    rows = [
        conversation(0, ("user", "Hello"), ("assistant", "Good day")),
        conversation(1, ("user", "Hello"), ("assistant", " ")),
        conversation(2, ("user", "Hello"), ("assistant", None), ("user", "Well?")),
        conversation(3, ("system", "Be brief"), ("user", "Hello")),
        conversation(4, ("user", "Hello"), ("assistant", "Good day"), ("user", "Bye")),
    ]
    assert turn_faults("chat", rows) == [
        "error: chat: 1 row without a turn of the assistant: 3",
        "error: chat: 2 rows with a turn of the assistant that says nothing: 1, 2",
        "warning: chat: 2 rows whose last turn is not the assistant's: 2, 4",
    ]


def test_a_call_of_a_tool_says_something() -> None:
    row = conversation(0, ("user", "Time?"), ("assistant", None), ("assistant", "Noon"))
    row["messages"][1]["tool_calls"] = [{"function": {"name": "clock"}}]
    assert turn_faults("chat", [row]) == []
