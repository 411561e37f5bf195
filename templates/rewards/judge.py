"""Pay what a judge gives."""

from typing import Any

from judges import Judge


def score_judge(
    judge: Judge, completion: str, *, prompt: str | list[dict[str, Any]] = "", gold: str = ""
) -> float | None:
    """Pay the grade of a judge as a share of its scale; None where it gives none.

    Gamed by a completion that speaks to the judge: that asks for a grade, claims to be checked or
    plays the rubric's part. Gamed as well by what judges like: length, headings, a sure tone.
    """
    return judge.share(judge.reply_to(completion, prompt=prompt, gold=gold).grade)


def explain_judge(
    judge: Judge, completion: str, *, prompt: str | list[dict[str, Any]] = "", gold: str = ""
) -> str:
    """Say what the judge replied, or why there is no reply."""
    reply = judge.reply_to(completion, prompt=prompt, gold=gold)
    if reply.grade is None:
        return f"not judged: {reply.text}"
    return f"{judge.model} gives {reply.grade:g} on {judge.scale[0]:g} to {judge.scale[1]:g}"
