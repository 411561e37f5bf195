import sys

LIMIT = 400

if sys.version_info >= (3, 12):
    from itertools import batched
else:
    batched = None


def correct(completions, **columns):
    return [0.0 for _ in completions]
