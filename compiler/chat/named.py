"""Chat templates that a spec may name for a base model without one; in `templates/chat/`."""

from typing import NamedTuple

from compiler.places import templates_folder

__all__ = ["FILE_ENDINGS", "NAMED", "STAND_INS", "WRITTEN", "NamedTemplate", "is_file"]

WRITTEN = "chat_template.jinja"  # the name of such a template in a project
# What special tokens stand for in a text that is rendered without a tokenizer.
STAND_INS = {"bos_token": "<begin-of-text>", "eos_token": "<end-of-text>"}
FILE_ENDINGS = (".jinja", ".jinja2", ".j2")


class NamedTemplate(NamedTuple):
    """A template of ours: the token that ends a turn, None for what the tokenizer calls its end."""

    layout: str
    end_of_turn: str | None = None
    has_system_role: bool = True

    @property
    def text(self) -> str:
        """The text of the template."""
        path = templates_folder() / "chat" / f"{self.layout}.jinja"
        return path.read_text(encoding="utf-8")


NAMED = {
    "chatml": NamedTemplate("chatml", "<|im_end|>"),
    "gemma": NamedTemplate("gemma", "<end_of_turn>", has_system_role=False),
    "gemma-3": NamedTemplate("gemma-3", "<end_of_turn>"),
    "granite": NamedTemplate("granite", "<|end_of_text|>"),
    "llama-3": NamedTemplate("llama-3", "<|eot_id|>"),
    "mistral": NamedTemplate("mistral"),
    "olmo-2": NamedTemplate("olmo-2"),
    "phi-3": NamedTemplate("phi-3", "<|end|>"),
    "phi-4": NamedTemplate("phi-4", "<|im_end|>"),
    "zephyr": NamedTemplate("zephyr"),
}


def is_file(chat_template: str) -> bool:
    """Whether a value of `chat_template` is a path, not a name."""
    return "/" in chat_template or chat_template.endswith(FILE_ENDINGS)
