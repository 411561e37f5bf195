"""What PLAN.md says of the chat template and the tokens."""

from pathlib import Path

import pytest

from tests.projects import SPEC, write_project

UNKNOWN = (
    "The chat template is that of the base model; what it does is not known from the model's name, "
    "and `python data.py` looks at it."
)
SYSTEM = '[prompt]\nsystem = "Be brief."'


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            'base = "google/gemma-2-2b-it"',
            [
                "The chat template is that of the base model.",
                "A system message goes in front of the first user turn, in every stage.",
                "A turn ends with `<end_of_turn>`, which is made the end token.",
            ],
        ),
        (
            'base = "meta-llama/Llama-3.2-1B-Instruct"',
            [
                "The chat template is that of the base model.",
                "It puts in the date of the day on which it is rendered.",
                "Rows are padded with `<|finetune_right_pad_id|>`, which ends nothing.",
            ],
        ),
        (
            'base = "Qwen/Qwen3-1.7B"\nthinking = "off"',
            [
                "The chat template is that of the base model.",
                "Thinking is off: the default of its switch `enable_thinking`.",
                "It leaves out the reasoning of earlier turns.",
            ],
        ),
        (
            'base = "HuggingFaceTB/SmolLM2-135M"\nchat_template = "chatml"',
            [
                "The chat template is `chatml`, which the trained model keeps.",
                "A turn ends with `<|im_end|>`, which is made the end token.",
                "Rows are padded with `<|endoftext|>`, which ends nothing.",
            ],
        ),
        (
            'base = "acme/house-model"',
            [
                UNKNOWN,
                "The system message is kept; tokens.py refuses a template that drops it.",
            ],
        ),
    ],
)
def test_the_plan_says_what_is_known_and_what_is_set(
    tmp_path: Path, lines: str, said: list[str]
) -> None:
    spec = SPEC.replace('base = "Qwen/Qwen2.5-0.5B-Instruct"', lines).replace("[prompt]", SYSTEM)
    page = (write_project(tmp_path / "project", spec) / "PLAN.md").read_text()
    prompt = page.partition("## Prompt")[2].partition("## Machine")[0]
    assert [line[2:] for line in prompt.splitlines() if line.startswith("- ")] == said
