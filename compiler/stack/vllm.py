"""What is known of the vLLM that a stack is tested with, without importing it."""

__all__ = ["SAMPLING_ARGUMENTS", "SERVER_HOST", "SERVER_PORT"]

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

# Where the server listens and the trainer asks. The port is the default of both (vLLM 0.31, `vllm
# serve --port`; grpo_config.py, `vllm_server_port`). The endpoints that take new weights obey all
# who reach them, so that it listens to its own machine alone.
SERVER_HOST = "127.0.0.1"
SERVER_PORT = 8000
