"""The `[model]` table: which model is trained, and which of its weights."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from spec_schema.adapter_keys import AdapterTable
from spec_schema.base import LazyTables, NonEmptyText, Table, Variants

__all__ = ["ADAPTERS", "Adapter", "LoraAdapter", "LowRank", "Model", "NoAdapter"]


class LoraAdapter(AdapterTable):
    """Train low-rank additions to the weights, and merge them in at the end of a stage."""

    kind: Literal["lora"] = Field(description="Which adapter.")


class NoAdapter(Table):
    """Train all weights, as where `adapter` is left out."""

    kind: Literal["none"] = Field(description="Which adapter.")


# Few specs have another one.
ADAPTERS = LazyTables(
    "spec_schema",
    {
        "lora": "model:LoraAdapter",
        "qlora": "rare_adapters:QloraAdapter",
        "dora": "rare_adapters:DoraAdapter",
        "none": "model:NoAdapter",
    },
)

if TYPE_CHECKING:
    from spec_schema.rare_adapters import DoraAdapter, QloraAdapter

    LowRank = LoraAdapter | QloraAdapter | DoraAdapter
    Adapter = LowRank | NoAdapter
else:
    LowRank = AdapterTable
    Adapter = Annotated[Table, Variants(ADAPTERS, "kind")]


class Model(Table):
    """Which model is trained, and which of its weights."""

    base: NonEmptyText = Field(
        description="The model to start from: an id on the Hugging Face hub, or a folder whose "
        "path begins with `./`, `../` or `/`."
    )
    revision: NonEmptyText | None = Field(
        default=None, description="Branch, tag or commit of a hub model. Left out: its main branch."
    )
    opens_thinking: bool | None = Field(
        default=None,
        description="Whether the chat template ends a prompt with `<think>`, so that a completion "
        "begins inside the block. Left out: what is known of the name of the base.",
    )
    chat_template: NonEmptyText | None = Field(
        default=None,
        description="The chat template of a base model without one: a Jinja file, relative to the "
        "spec's folder, or a name: `chatml`, `gemma`, `gemma-3`, `granite`, `llama-3`, `mistral`, "
        "`olmo-2`, `phi-3`, `phi-4`, `zephyr`. The trained model keeps it. Left out: the "
        "tokenizer's own.",
    )
    attention: Literal["eager", "sdpa", "flash_attention_2", "flash_attention_3"] | None = Field(
        default=None,
        description="Which implementation of attention transformers uses. Left out: the model's "
        "own choice.",
    )
    thinking: Literal["auto", "on", "off"] = Field(
        default="auto",
        description="Whether prompts ask for a thinking block, where the chat template has a "
        "switch for it. The trained model's template keeps it as its default. Left out: the "
        "template's own default.",
    )
    system_role: Literal["auto", "keep", "fold"] = Field(
        default="auto",
        description="What becomes of a system message: it is kept, or folded into the first user "
        "turn, with a blank line in between; in every stage, in evaluation, and in the template of "
        "the trained model. Left out: folded where the template is known to have no system role, "
        "else kept, and refused by the scripts where the template drops it.",
    )
    adapter: Adapter | None = Field(
        default=None, description="What is trained instead of all weights. Left out: all weights."
    )
