"""What the name of a base model tells of its family: architecture, special tokens, tiny stand-in.

The chat templates, in `templates/chat/`, are short stand-ins that lay a conversation out as those
of the family's instruct models do. A project's tests build their tiny model from all this.
"""

import re
from functools import cache
from typing import NamedTuple

from compiler.chat.facts import hub_name
from compiler.places import templates_folder

__all__ = ["Family", "family_of"]

# Tokens that tokenizers set aside and that no text holds, the commonest first.
SPARE_TOKENS = (
    *("<|finetune_right_pad_id|>", "<pad>", "<|pad|>", "[PAD]", "<|endoftext|>", "<fim_pad>"),
    *("<|fim_pad|>", "<|reserved_special_token_0|>", "<unused0>", "<|tag|>", "<unk>", "[UNK]"),
)


class Family(NamedTuple):
    """A family of models; `assumed` where the name of the base does not tell it.

    `layout` names the chat template; `adds_begin` says that the tokenizer itself puts
    `begin_of_text` before a text; `sizes` are arguments of a tiny model beside the usual ones.
    `spare` has tokens to pad with, the first that there is, where the tokenizer's own `padding` is
    missing or ends a text as well.
    """

    name: str
    model_type: str
    layout: str
    special_tokens: tuple[str, ...]
    end_of_turn: str
    end_of_text: str
    padding: str | None = None
    begin_of_text: str | None = None
    adds_begin: bool = False
    spare: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    assumed: bool = False

    @property
    def chat_template(self) -> str:
        """The text of the chat template."""
        path = templates_folder() / "chat" / f"{self.layout}.jinja"
        return path.read_text(encoding="utf-8")


@cache
def family_of(base: str) -> Family:
    """Tell the family of a base model from its hub id; Qwen2.5 is assumed for any other name."""
    name = hub_name(base)
    found = (family for pattern, family in _NAMES if re.search(pattern, name))
    family = next(found, _QWEN25._replace(assumed=True))
    return family._replace(spare=SPARE_TOKENS) if family.assumed else family


_CHATML_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_HEAD = (("head_dim", 8),)
_EXPERTS = (("moe_intermediate_size", 32), ("num_experts", 4), ("num_experts_per_tok", 2))

_QWEN25 = Family(
    name="Qwen2.5",
    model_type="qwen2",
    layout="chatml-system",
    special_tokens=_CHATML_TOKENS,
    end_of_turn="<|im_end|>",
    end_of_text="<|im_end|>",
    padding="<|endoftext|>",
)
_QWEN3 = _QWEN25._replace(name="Qwen3", model_type="qwen3", layout="chatml-think", sizes=_HEAD)
_QWEN3_PLAIN = _QWEN3._replace(layout="chatml")  # answers without an empty thought before them
_QWEN3_MOE = _QWEN3._replace(name="Qwen3 MoE", model_type="qwen3_moe", sizes=(*_HEAD, *_EXPERTS))
_LLAMA3 = Family(
    name="Llama 3",
    model_type="llama",
    layout="llama-3",
    special_tokens=(
        *("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>"),
        *("<|eot_id|>", "<|reserved_special_token_0|>"),
    ),
    end_of_turn="<|eot_id|>",
    end_of_text="<|eot_id|>",
    begin_of_text="<|begin_of_text|>",
    adds_begin=True,
    spare=("<|finetune_right_pad_id|>", "<|reserved_special_token_0|>"),
)
_SMOLLM2 = _QWEN25._replace(
    name="SmolLM2",
    model_type="llama",
    padding="<|im_end|>",
    begin_of_text="<|im_start|>",
    spare=("<|endoftext|>",),
)
_SMOLLM3 = _QWEN25._replace(
    name="SmolLM3",
    model_type="smollm3",
    special_tokens=(*_CHATML_TOKENS, "<|reserved_special_token_0|>"),
    padding="<|im_end|>",
    spare=("<|finetune_right_pad_id|>", "<|reserved_special_token_0|>"),
)
_TINYLLAMA = Family(
    name="TinyLlama",
    model_type="llama",
    layout="zephyr",
    special_tokens=("<unk>", "<s>", "</s>"),
    end_of_turn="</s>",
    end_of_text="</s>",
    padding="</s>",
    begin_of_text="<s>",
    adds_begin=True,
    spare=("<unk>",),
)
_GEMMA = Family(
    name="Gemma",
    model_type="gemma",
    layout="gemma",
    special_tokens=("<pad>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>"),
    end_of_turn="<end_of_turn>",
    end_of_text="<eos>",
    padding="<pad>",
    begin_of_text="<bos>",
    adds_begin=True,
    sizes=_HEAD,
)
_GEMMA2 = _GEMMA._replace(name="Gemma 2", model_type="gemma2")
_GEMMA3 = _GEMMA._replace(name="Gemma 3", model_type="gemma3_text", layout="gemma-3")
_MISTRAL = Family(
    name="Mistral",
    model_type="mistral",
    layout="mistral",
    special_tokens=("<unk>", "<s>", "</s>", "[INST]", "[/INST]"),
    end_of_turn="</s>",
    end_of_text="</s>",
    begin_of_text="<s>",
    adds_begin=True,
    spare=("<unk>",),
)
_MISTRAL01 = _MISTRAL._replace(name="Mistral 0.1", layout="mistral-0.1")
_PHI3 = Family(
    name="Phi-3",
    model_type="phi3",
    layout="phi-3",
    special_tokens=(
        *("<unk>", "<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>"),
    ),
    end_of_turn="<|end|>",
    end_of_text="<|endoftext|>",
    padding="<|endoftext|>",
    spare=("<unk>", "<|tag|>"),
)
_PHI4 = _QWEN25._replace(
    name="Phi-4",
    model_type="phi3",
    layout="phi-4",
    special_tokens=(*_CHATML_TOKENS, "<|im_sep|>"),
)
_GRANITE = Family(
    name="Granite",
    model_type="granite",
    layout="granite",
    special_tokens=("<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>", "<fim_pad>"),
    end_of_turn="<|end_of_text|>",
    end_of_text="<|end_of_text|>",
    padding="<|end_of_text|>",
    spare=("<fim_pad>",),
)
_OLMO2 = Family(
    name="OLMo 2",
    model_type="olmo2",
    layout="olmo-2",
    special_tokens=("<|endoftext|>", "<|pad|>"),
    end_of_turn="<|endoftext|>",
    end_of_text="<|endoftext|>",
    padding="<|pad|>",
    begin_of_text="<|endoftext|>",
)

# The first pattern found in the name counts.
_NAMES = (
    (r"deepseek-r1-distill-qwen", _QWEN25._replace(assumed=True)),
    (r"deepseek-r1-distill-llama", _LLAMA3._replace(assumed=True)),
    (r"qwen3-\d+b-a\d+b", _QWEN3_MOE),
    (r"qwen3-4b-(instruct|thinking)-2507", _QWEN3_PLAIN),
    (r"qwen3-\d", _QWEN3),
    (r"qwen1\.5|qwen2|qwq", _QWEN25),
    (r"tinyllama", _TINYLLAMA),
    (r"llama-?3", _LLAMA3),
    (r"smollm3", _SMOLLM3),
    (r"smollm", _SMOLLM2),
    (r"gemma-?3n?-(4b|12b|27b|e\db)", _GEMMA3._replace(assumed=True)),  # it sees images as well
    (r"gemma-?3", _GEMMA3),
    (r"gemma-?2-\d", _GEMMA2),
    (r"gemma", _GEMMA),
    (r"mistral-7b-(instruct-)?v0\.[12]", _MISTRAL01),
    (r"mistral", _MISTRAL),
    (r"phi-3|phi-4-mini", _PHI3),
    (r"phi-4", _PHI4),
    (r"granite-3", _GRANITE),
    (r"olmo-?2", _OLMO2),
)
