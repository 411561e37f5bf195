"""The plans that `make gpu` runs: real architectures with random weights, rows of full length."""

from typing import NamedTuple

__all__ = ["CASES", "Case", "spec_of"]


class Case(NamedTuple):
    """One stage: a model of the catalogue, the method, the adapter, and the sequences of a step.

    `length` are the tokens of a row, of a prompt where completions are sampled: as many as the spec
    lets it have, for which the plan is; completions run to `completion`. `engine` is what samples;
    `package` what has to be installed for it beside the stack.
    """

    name: str
    model: str
    method: str
    adapter: str | None
    rows: int
    length: int = 1024
    completion: int = 256
    engine: str = "transformers"
    package: str | None = None

    @property
    def samples(self) -> bool:
        """Whether the stage is paid for what it samples."""
        return self.method in {"grpo", "rloo"}


CASES = (
    Case("sft-full-0.5b", "qwen2.5-0.5b", "sft", None, 16, 2048),
    Case("sft-lora-1.5b", "qwen2.5-1.5b", "sft", "lora", 16, 2048),
    Case("sft-qlora-7b", "qwen2.5-7b", "sft", "qlora", 16, 2048, package="bitsandbytes"),
    Case("reward-lora-1.5b", "qwen2.5-1.5b", "reward", "lora", 8),
    Case("dpo-full-0.5b", "qwen2.5-0.5b", "dpo", None, 8),
    Case("dpo-lora-3b", "llama-3.2-3b", "dpo", "lora", 8),
    Case("kto-lora-1.5b", "qwen2.5-1.5b", "kto", "lora", 16),
    Case("grpo-full-0.5b", "qwen2.5-0.5b", "grpo", None, 64, 256),
    Case("grpo-lora-1.5b", "qwen2.5-1.5b", "grpo", "lora", 64, 256),
    Case("rloo-lora-1.5b", "qwen2.5-1.5b", "rloo", "lora", 64, 256),
    Case(
        *("grpo-vllm-1.5b", "qwen2.5-1.5b", "grpo", "lora", 64, 256),
        engine="vllm-colocate",
        package="vllm",
    ),
)

_COLUMNS = {
    "sft": '{ text = "text" }',
    "reward": '{ prompt = "prompt", chosen = "chosen", rejected = "rejected" }',
    "dpo": '{ prompt = "prompt", chosen = "chosen", rejected = "rejected" }',
    "kto": '{ prompt = "prompt", completion = "chosen", label = "good" }',
}


def spec_of(case: Case, tier: str, steps: int) -> str:
    """The spec of a case on a tier, for the model in `./model` and the rows of rows.jsonl."""
    head = f"""
spec = 1
project = {{ name = "measured", ci = "none" }}
hardware = {{ tier = "{tier}"{_rollout(case, tier)} }}
run = {{ tracking = "none", log_completions_every = 1000, save_every = 1000 }}

[model]
base = "./model"
{f'adapter = {{ kind = "{case.adapter}" }}' if case.adapter else ""}
"""
    if case.samples:
        return f"""{head}
[data]
train = {{ path = "rows.jsonl" }}
max_prompt_tokens = {case.length}
[prompt]
user = "{{question}}"
[rewards]
length = {{ weight = 1.0, kind = "length", max_tokens = {case.completion // 2} }}
[stages.measured]
method = "{case.method}"
steps = {steps}
prompts_per_step = {case.rows // 8}
num_generations = 8
max_completion_length = {case.completion}
"""
    return f"""{head}
[stages.measured]
method = "{case.method}"
data = {{ train = {{ path = "rows.jsonl" }}, columns = {_COLUMNS[case.method]} }}
steps = {steps}
prompts_per_step = {case.rows}
max_length = {case.length}
"""


def _rollout(case: Case, tier: str) -> str:
    """The key that names the engine, for a stage that samples on a GPU."""
    if not case.samples or tier == "cpu":
        return ""
    return f', rollout = {{ engine = "{case.engine}" }}'
