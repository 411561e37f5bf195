"""Write the same characters in the same way."""

import re
import unicodedata


def normal_form(text: str) -> str:
    """Return `text` in the NFKC form of Unicode: full-width and ligated characters are plain."""
    # Without a mark of their own, 10² would become 102 and 2½ would become 21/2.
    text = re.sub("[⁰¹²³⁴-⁹⁺⁻]+", r"^\g<0>", text)
    text = re.sub("[₀-₉]+", r"_\g<0>", text)
    text = re.sub("[¼-¾⅐-⅞]", r" \g<0>", text)
    return unicodedata.normalize("NFKC", text)
