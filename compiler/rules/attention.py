"""`model.attention`: the tier has its kernels, and transformers has it for the model."""

import re

from compiler.chat.facts import hub_name
from compiler.hub_cache import model_folder
from compiler.memory import Device, architecture_of, device_of
from compiler.rules.case import Case

__all__ = ["check_attention"]

PATH = ("model", "attention")
LEAVE_OUT = "leave `attention` out: the model's own choice is used"
WIDEST_HEAD = 256  # of the kernels of FlashAttention

# What transformers 5.24 loads the family with: `_supports_sdpa` and `_supports_flash_attn` of its
# modeling files, and `_compatible_flash_implementations` of gpt-oss, which other kernels replace.
_WITHOUT: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("gpt-oss", r"gpt-oss", ("sdpa", "flash_attention_2"), "has sinks that it does not know"),
    ("Gemma 2", r"gemma-?2", ("sdpa",), "caps its scores, which it cannot do"),
    (
        "a Gemma that sees images",
        r"gemma-?3-(4b|12b|27b)|gemma-?4",
        ("flash_attention_2", "flash_attention_3"),
        "masks images in a way that it drops, so that transformers refuses it",
    ),
)


def check_attention(case: Case) -> None:
    """Report an attention that would end the run when the model is loaded, or be replaced."""
    attention = case.spec.model.attention
    device = device_of(case.spec.hardware.tier)
    if case.spec.hardware.backend == "unsloth":
        message = "Unsloth has its own attention, and `attention` does not change it"
        case.error("not-with-unsloth", PATH, message, LEAVE_OUT)
    elif attention is not None and attention.startswith("flash"):
        _has_kernels(case, attention, device)
    for base in _bases(case):
        for title, pattern, without, why in _WITHOUT:
            if attention in without and re.search(pattern, hub_name(base)):
                message = f"`{attention}` does not work with {title}: it {why}"
                case.error("conflicting-keys", PATH, message, LEAVE_OUT)
                return


def _bases(case: Case) -> list[str]:
    """The models that are trained."""
    own = (stage.model for stage in case.spec.stages.values())
    return list(dict.fromkeys([case.spec.model.base, *(base for base in own if base)]))


def _has_kernels(case: Case, attention: str, device: Device | None) -> None:
    """FlashAttention has kernels for the GPU, and for heads as wide as the model's."""
    version = int(attention[-1])
    tier = case.spec.hardware.tier
    related = ((("hardware", "tier"), "the machine"),)
    if device is None or not device.flash_attention:
        message = f"FlashAttention has no kernels for `{tier}`"
        case.error("conflicting-keys", PATH, message, 'write `attention = "sdpa"`', related=related)
        return
    if version not in device.flash_attention:
        message = f"FlashAttention {version} is written for Hopper, and `{tier}` is another GPU"
        if device.capability is None and device.maker == "nvidia":
            message = f"FlashAttention {version} is written for Hopper, which `{tier}` need not be"
        hints = ('write `attention = "flash_attention_2"`', "or name a Hopper as `tier`: `h100`")
        case.error("conflicting-keys", PATH, message, *hints, related=related)
        return
    for base in _bases(case):
        shape = architecture_of(base, case.folder, model_folder(base, None, case.folder))
        if shape is not None and not shape.counted and shape.head_size > WIDEST_HEAD:
            message = (
                f"FlashAttention has kernels for heads of {WIDEST_HEAD} at most, and those of "
                f"`{base}` are {shape.head_size} wide"
            )
            case.error("conflicting-keys", PATH, message, LEAVE_OUT)
