"""Take the end of a turn off a completion."""

END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|EOT|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|observation|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|pad|>",
    "<|finetune_right_pad_id|>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "<end_of_turn>",
    "<turn|>",
    "<eos>",
    "<pad>",
    "</s>",
)


def without_end_tokens(text: str) -> str:
    """Return `text` without end-of-turn and padding tokens at its end, and without outer blanks."""
    text = text.strip()
    end = len(text)
    while text.endswith(END_TOKENS, 0, end):
        end = text.rindex("<", 0, end)
        while text[end - 1 : end].isspace():
            end -= 1
    return text[:end]
