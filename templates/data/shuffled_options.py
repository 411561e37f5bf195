"""Put the options of a row into another order."""

import random
import re

# An option that speaks of others keeps its sense only where it stands.
OF_OTHERS = re.compile(
    r"(?i:\b(?:above|below|preceding|following|these|both|neither)\b)|\b[A-Z] (?:and|or) [A-Z]\b"
)


def shuffled_options(options: dict[str, str], seed: str) -> dict[str, str]:
    """Return `options` in an order drawn with the seed, unchanged where one speaks of others."""
    if any(OF_OTHERS.search(text) for text in options.values()):
        return options
    order = list(options.items())
    random.Random(seed).shuffle(order)
    return dict(order)
