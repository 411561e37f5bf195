"""The specs and the parts of specs that the reference of the language shows."""

__all__ = ["SNIPPETS", "WHOLE_SPEC", "snippets_of"]

WHOLE_SPEC = """\
spec = 1

[project]
name = "sums"
stages = ["warmup", "reasoning"]          # in this order

[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"       # or a folder: "./my-model"

[hardware]
tier = "24gb"

[data]                                    # rows with the columns question, solution, level
train = { path = "train.jsonl" }
eval = { holdout = 0.1 }
gold = { column = "solution", after = "####" }
fields = { rationale = { column = "solution", before = "####" } }

[prompt]
system = "Think inside <reasoning></reasoning>, then answer inside <answer></answer>."
user = "{question}"
assistant = "<reasoning>{rationale}</reasoning><answer>{gold}</answer>"

[answer]
extract = "xml"
tag = "answer"
compare = "number"

[rewards]
correct = 2.0                             # short for { kind = "correct", weight = 2.0 }
xml_format = 0.5

[stages.warmup]
method = "sft"
epochs = 1

[stages.reasoning]
method = "grpo"
steps = 300
trainer = { warmup_steps = 10 }           # any other field of TRL's GRPOConfig
"""
# Shown with the table of that title; a blank line parts two that are not written together.
SNIPPETS = {
    "a holdout": """\
[data]
eval = { holdout = 200 }                  # rows; 0.1 would be a share of them

[data]
eval = { holdout = 0.1, by = "level" }    # no level is in both parts
""",
    "a condition of `where`": """\
[data.train]
path = "train.jsonl"
where = { level = { at_least = 2, at_most = 4 }, solution = { contains = "####" } }
""",
    "the gold": """\
[data]
gold = { column = "solution", after = "####" }

[data]
gold = { column = "solution", extract = "boxed" }
""",
    "a field": """\
[data]
fields = { rationale = { column = "solution", before = "####" } }
""",
    "shots by row": """\
[prompt]
shots = { rows = [3, 17] }
""",
    "a shot": """\
[[prompt.shots]]
user = "2 + 2"
assistant = "<reasoning>two and two</reasoning><answer>4</answer>"
""",
    "a `grpo` stage": """\
[stages.reasoning]
method = "grpo"
rewards = { correct = 1.0, xml_format = 0.0 }   # other weights; 0: logged, not paid

[stages.reasoning]
method = "grpo"
rewards = ["correct", "xml_format"]             # only these, with their weights of `[rewards]`
""",
}


def snippets_of(title: str) -> list[str]:
    """Give the parts of a spec that are shown with the table of a title, none for most."""
    return [part.strip() + "\n" for part in SNIPPETS.get(title, "").split("\n\n") if part]
