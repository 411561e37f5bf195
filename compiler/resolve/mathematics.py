"""Whether answers are compared as mathematics, for which a project has files of its own."""

from spec_schema.comparison import AnswerTable

__all__ = ["MATH_FILES", "MATH_PACKAGE", "uses_math"]

# Each has a template and one piece of the same name.
MATH_FILES = ("math_grader.py", "math_worker.py")
MATH_PACKAGE = "math-verify>=0.9,<0.10"


def uses_math(answer: AnswerTable | None) -> bool:
    """Whether Math-Verify is asked, for the whole answer or for a field of it."""
    if answer is None:
        return False
    return "math" in (answer.compare, *(field.compare for field in answer.fields.values()))
