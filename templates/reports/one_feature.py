"""Say where one plain feature of the answers tells the chosen ones from the rejected."""

import re
from collections import Counter

from findings import Row
from pair_faults import answers_of

# A rule of one feature that is right in so many pairs leaves little else to learn: reward models
# agree with people on about 70 % of held-out pairs (InstructGPT, arXiv 2203.02155).
TOLD_APART = 0.9
# In fewer pairs some feature out of many tells them apart by chance.
FEWEST_PAIRS = 20
# How many features a report names, those of the most pairs first.
NAMED_FEATURES = 3
KINDS = {
    "has a digit": re.compile(r"\d"),
    "has a capital letter": re.compile(r"[A-Z]"),
    "has a line break": re.compile(r"\n"),
    "has a list": re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE),
    "has a character outside ASCII": re.compile(r"[^\x00-\x7f]"),
}
WORD = re.compile(r"[\w'\u2019-]+|[^\w\s]+")


def one_feature(part: str, rows: list[Row]) -> list[str]:
    """Warn of features that tell apart TOLD_APART of the pairs; prints how lengths compare."""
    pairs = [pair for pair in map(answers_of, rows) if all(pair) and len(set(pair)) == 2]
    if not pairs:
        return []
    longer = sum(len(chosen) > len(rejected) for chosen, rejected in pairs)
    shorter = sum(len(chosen) < len(rejected) for chosen, rejected in pairs)
    share = f"longer answer in {longer / len(pairs):.1%}, the shorter in {shorter / len(pairs):.1%}"
    print(f"{part:<5} chosen is the {share} of pairs")
    if len(pairs) < FEWEST_PAIRS:
        return []
    telling = Counter({"`chosen` is the longer": longer, "`chosen` is the shorter": shorter})
    for chosen, rejected in pairs:
        of_chosen, of_rejected = features(chosen), features(rejected)
        telling.update(f"only `chosen` {each}" for each in of_chosen - of_rejected)
        telling.update(f"only `rejected` {each}" for each in of_rejected - of_chosen)
    ordered = sorted(telling.items(), key=lambda each: (-each[1], each[0]))
    return [
        f"warning: {part}: {feature} in {count / len(pairs):.0%} of {len(pairs)} pairs,"
        " so that little else need be learnt"
        for feature, count in ordered[:NAMED_FEATURES]
        if count >= TOLD_APART * len(pairs)
    ]


def features(text: str) -> set[str]:
    """Return what a glance sees of a text: its words, its ends, its kinds of characters."""
    words = WORD.findall(text)
    ends = {f"begins with {words[0]!r}", f"ends with {words[-1]!r}"} if words else set()
    kinds = {name for name, pattern in KINDS.items() if pattern.search(text)}
    return {f"has {word!r}" for word in words} | ends | kinds
