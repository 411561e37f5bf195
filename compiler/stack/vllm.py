"""What is known of the vLLM that a stack is tested with, without importing it."""

__all__ = ["SAMPLING_ARGUMENTS"]

# What a stage's `generation_kwargs` can say to vLLM 0.31: fields of `SamplingParams`, for vLLM in
# the trainer's processes, that a request to its server has as well.
SAMPLING_ARGUMENTS = frozenset(
    {
        "allowed_token_ids",
        "bad_words",
        "frequency_penalty",
        "logit_bias",
        "min_tokens",
        "presence_penalty",
        "stop_token_ids",
        "structured_outputs",
    }
)
