"""The `[model]` table: which model is trained, and which of its weights."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Table, Variants, text_or_list

__all__ = ["Adapter", "LoraAdapter", "Model", "NoAdapter"]


TargetModules = Annotated[
    Annotated[Literal["all-linear"], Tag("<text>")]
    | Annotated[list[NonEmptyText], Field(min_length=1), Tag("<list>")],
    Discriminator(text_or_list),
]


class LoraAdapter(Table):
    """Train low-rank additions to the weights, and merge them in at the end of a stage."""

    kind: Literal["lora"] = Field(description="Which adapter.")
    r: int = Field(default=16, ge=1, description="Rank of the additions.")
    alpha: int = Field(
        default=32, ge=1, description="Scale of the additions; they count alpha / r."
    )
    dropout: float = Field(
        default=0.0, ge=0, lt=1, description="Share of the adapter's inputs that training drops."
    )
    target_modules: TargetModules = Field(
        default="all-linear",
        description="Which modules get an addition: all linear ones but the output head, "
        "or a list of module names.",
    )


class NoAdapter(Table):
    """Train all weights, as where `adapter` is left out."""

    kind: Literal["none"] = Field(description="Which adapter.")


Adapter = Annotated[
    LoraAdapter | NoAdapter,
    Variants({"lora": LoraAdapter, "none": NoAdapter}, "kind"),
]


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
