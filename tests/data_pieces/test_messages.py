"""Cells become messages: text, lists, JSON text, and pairs with or without a prompt."""

import json

import pytest
from answered import answered
from chat_messages import chat_messages
from conversation import conversation
from implicit_preference import implicit_preference
from label_of import label_of
from open_turn import open_turn
from preference import preference

Turns = list[dict[str, str]]


def turns(*said: str) -> Turns:
    """Messages written as `user: text`."""
    parts = (turn.partition(": ") for turn in said)
    return [{"role": role, "content": content} for role, _, content in parts]


def test_text_is_one_message_and_a_list_is_taken_as_it_stands() -> None:
    talk = turns("system: be kind", "user: hello")
    assert chat_messages("hello", "user") == turns("user: hello")
    assert chat_messages(talk, "user") == talk
    assert chat_messages(json.dumps(talk), "user") == talk
    assert chat_messages(12, "assistant") == turns("assistant: 12")


@pytest.mark.parametrize("text", ["[citation needed]", "[1, 2]", "[]", '["a"]', "[{]"])
def test_text_in_brackets_that_is_no_list_of_messages_stays_text(text: str) -> None:
    assert chat_messages(text, "user") == [{"role": "user", "content": text}]


def test_what_else_a_message_holds_is_left_out_and_one_without_text_is_named() -> None:
    extended = {"role": "assistant", "content": "hi", "tool_calls": None, "name": "ann"}
    assert chat_messages([extended], "user") == turns("assistant: hi")
    for wrong in ({"from": "human", "value": "hi"}, {"role": "user", "content": None}, "hi"):
        with pytest.raises(ValueError, match="message 2 has no text"):
            chat_messages([*turns("user: a"), wrong], "user")


def test_a_conversation_is_a_list() -> None:
    with pytest.raises(ValueError, match="no list of messages"):
        conversation("hello")
    with pytest.raises(ValueError, match="no list of messages"):
        conversation([])


def test_a_model_goes_on_behind_the_last_turn_that_is_not_its_own() -> None:
    talk = turns("user: one", "assistant: two", "user: three", "assistant: four")
    assert open_turn(talk) == talk[:3]
    assert open_turn(talk[:3]) == talk[:3]
    with pytest.raises(ValueError, match="asks nothing"):
        open_turn(turns("system: be kind", "assistant: hi"))


def test_an_answer_that_repeats_the_prompt_is_given_without_it() -> None:
    asked = turns("system: be kind", "user: hello")
    good, bad = turns("assistant: hi"), turns("assistant: what?")
    pair = {"prompt": asked, "chosen": good, "rejected": bad}
    assert preference(asked, good, bad) == pair
    assert preference(asked, [*asked, *good], [*asked, *bad]) == pair
    assert answered(asked, [*asked, *good]) == {"prompt": asked, "completion": good}


def test_an_answer_behind_another_prompt_is_refused_by_its_first_turn() -> None:
    other = turns("user: hello ", "assistant: hi")
    with pytest.raises(ValueError, match=r"neither repeats the prompt.*user: 'hello '"):
        preference("hello", other, "what?")
    with pytest.raises(ValueError, match="no message of its own"):
        answered("hello", turns("user: hello"))


def test_the_messages_that_two_conversations_begin_with_are_their_prompt() -> None:
    shared = turns("system: be kind", "user: hello", "assistant: hi", "user: bye")
    good, bad = turns("assistant: see you"), turns("assistant: go")
    pair = {"prompt": shared, "chosen": good, "rejected": bad}
    assert implicit_preference([*shared, *good], [*shared, *bad]) == pair
    assert implicit_preference(json.dumps([*shared, *good]), [*shared, *bad]) == pair


def test_answers_part_at_the_first_message_of_the_assistant_that_differs() -> None:
    good = turns("user: a", "assistant: b", "user: c", "assistant: d")
    bad = turns("user: a", "assistant: x", "user: c", "assistant: d")
    made = implicit_preference(good, bad)
    assert made == {"prompt": good[:1], "chosen": good[1:], "rejected": bad[1:]}


def test_equal_conversations_keep_their_last_answer() -> None:
    same = turns("user: a", "assistant: b")
    assert implicit_preference(same, same) == {
        "prompt": same[:1],
        "chosen": same[1:],
        "rejected": same[1:],
    }


@pytest.mark.parametrize(
    ("chosen", "rejected", "said"),
    [
        (
            turns("system: be kind", "user: a", "assistant: b"),
            turns("system: be kind ", "user: a", "assistant: c"),
            "differ in message 1: system 'be kind' and system 'be kind '",
        ),
        (
            turns("user: a", "assistant: b"),
            turns("system: a", "assistant: c"),
            "differ in message 1: user 'a' and system 'a'",
        ),
        (
            turns("user: a", "user: b", "assistant: c"),
            turns("user: a", "user: b ", "assistant: c"),
            "differ in message 2: user 'b' and user 'b '",
        ),
        (turns("user: a", "assistant: b"), turns("user: a"), "message 2: assistant 'b' and none"),
        (turns("assistant: b"), turns("assistant: c"), "differ in message 1"),
    ],
)
def test_field_104_conversations_with_unlike_prompts_are_refused_by_the_first_that_differs(
    chosen: Turns, rejected: Turns, said: str
) -> None:
    with pytest.raises(ValueError, match="`chosen` and `rejected`") as found:
        implicit_preference(chosen, rejected)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("cell", "label"),
    [(True, True), ("true", True), (" True ", True), (1, True), ("0", False), (0.0, False)],
)
def test_a_label_is_true_or_false_in_words_and_numbers(cell: object, *, label: bool) -> None:
    assert label_of(cell) is label


@pytest.mark.parametrize("cell", ["good", "", None, 2, 0.5])
def test_any_other_label_is_refused(cell: object) -> None:
    with pytest.raises(ValueError, match="neither true nor false"):
        label_of(cell)
