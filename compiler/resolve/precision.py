"""What a model is computed in: the tier's precision, unless it cannot be computed in that."""

import re

from compiler.chat.facts import hub_name
from compiler.plan.mechanics import Precision
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs

__all__ = ["overflows", "precision_of", "scoring_dtype"]

# Their activations leave the range of float16. vLLM refuses these kinds in it
# (vllm/config/model.py, `_FLOAT16_NOT_SUPPORTED_MODELS`); Unsloth computes them in float32 as well.
OVERFLOWING_KINDS = r"gemma[234]\w*|glm4\w*"
OVERFLOWING_NAMES = r"gemma-?[234]|glm-?4"
# The memory that a model takes while it samples, in parts of its weights.
ROOM_FOR_SCORING = 1.25


def precision_of(inputs: Inputs, model: str) -> Precision:
    """What a model of the hub, or in a folder, is trained and loaded in on the tier."""
    device = gpu_of(inputs.spec.hardware)
    if device is None or (device.precision == "float16" and overflows(inputs, model)):
        return "float32"
    return device.precision


def scoring_dtype(inputs: Inputs) -> str:
    """What a model is scored in: as it was saved, for rounding would lose small updates.

    Where the base was saved in bfloat16 and the tier does not compute that, in float32. A model
    that does not fit in float32, as stages save it, is rounded.
    """
    base = inputs.spec.model.base
    device, shape = gpu_of(inputs.spec.hardware), inputs.architectures.get(base)
    if device is None:
        return "float32"
    if shape is not None and ROOM_FOR_SCORING * 4 * shape.parameters > device.bytes:
        return precision_of(inputs, base)
    return "auto" if device.precision == "bfloat16" else "float32"


def overflows(inputs: Inputs, model: str) -> bool:
    """Whether a model is known to leave the range of float16."""
    shape = inputs.architectures.get(model)
    if re.search(OVERFLOWING_NAMES, hub_name(model)):
        return True
    return shape is not None and re.fullmatch(OVERFLOWING_KINDS, shape.kind) is not None
