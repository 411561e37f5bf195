"""Write the options of a row as the prompt shows them."""

from options_of import LETTERS


def choice_parts(options: dict[str, str], right: list[str]) -> dict[str, str]:
    """Return the lettered `options`, the right one as `gold`, and its letter as `gold_label`.

    `right` are the labels that the gold names; raises ValueError unless they are one option's.
    """
    shown = {label: text for label, text in options.items() if text}
    if not 2 <= len(shown) <= len(LETTERS):
        raise ValueError(f"{len(shown)} options")
    if len(set(shown.values())) < len(shown):
        raise ValueError("an option that stands there twice")
    lines = {
        label: f"{letter}. {text}"
        for letter, (label, text) in zip(LETTERS, shown.items(), strict=False)
    }
    if len(right) != 1:
        raise ValueError(f"a gold that names {len(right)} options")
    if right[0] not in lines:
        raise ValueError(f"the gold {right[0]!r}, which is none of its options")
    gold = lines[right[0]]
    return {"options": "\n".join(lines.values()), "gold": gold, "gold_label": gold[0]}
