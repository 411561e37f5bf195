"""Find the numbers of a text."""

import re

# A run of joined digits is one number or none: the end of a date, of a range (3-5), of a ratio or
# of `1,23` is no answer. What the run is worth is for the comparison to say.
NUMBER_IN_TEXT = re.compile(
    r"""
    (?: (?<![\w)\]}]) [-+\u2010-\u2015\u2212\uff0d] )?  [$€£¥₩₪₫₱₴₹₺₽₿]?  [-+\u2212\uff0d]?
    (?:
        (?: \d+\s? )? \\[dtc]?frac \s* (?: \d\d | \{[^{}]*\} \s* \{[^{}]*\} )
      |
        (?<! [^\W_] | \^ )                                # not inside a word (H2O), not a power
        (?<! [^\W_][-\u2010-\u2013\u2212_] | [\^_]\{ )    # nor the end of a name (x-5, x_1)
        (?: \d+ [ ] (?=\d+/\d) )?                         # 2 2/3
        (?:
            \d{1,3} (?: (?: [ \u00a0\u2007\u2009\u202f] | \\, ) \d{3} (?!\d) )+
          | \.?\d+
          | [¼-¾⅐-⅞]
        )
        (?: (?: [.,:/\uff0c\u2044] | [-\u2010-\u2015\u2212] | \{,\} | ,\\! | \^\{?[-\u2212]? )\d+ )*
        (?: \s? [¼-¾⅐-⅞] | [⁰¹²³⁴-⁹]+ )?
        (?: e[-+]?\d+ )?
        (?:
            \s? (?: \\times | \\cdot | [\xd7·*x] ) \s? 10
            (?: \s? \^ \s? \{? [-+\u2212]? \d+ \}? | [⁻⁰¹²³⁴-⁹]+ )
        )?
    )
    (?: \s? (?: \\?[%\uff05] | per\s?cent\b ) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def numbers_in(text: str) -> list[str]:
    """Return each number of `text` as it stands there, with its sign and percent sign."""
    return NUMBER_IN_TEXT.findall(text)
