"""How much memory a stage needs on its GPU, predicted from the model and the plan.

Pure arithmetic: it imports nothing of ours. `models` finds the architecture, `devices` the GPU,
`peak` puts together what `persistent` and `activations` count for a `job`.
"""

from compiler.memory.architecture import LINEARS, Architecture
from compiler.memory.devices import DEVICES, GIB, MEMORY_CLASSES, Device, device_of, larger_classes
from compiler.memory.engine import engine_bytes
from compiler.memory.job import OPTIMIZERS, Adapter, Job, Weights
from compiler.memory.models import architecture_of, from_config, known_models
from compiler.memory.peak import Estimate, Fit, estimate
from compiler.memory.unsloth import unsloth_weights, with_unsloth

__all__ = [
    "DEVICES",
    "GIB",
    "LINEARS",
    "MEMORY_CLASSES",
    "OPTIMIZERS",
    "Adapter",
    "Architecture",
    "Device",
    "Estimate",
    "Fit",
    "Job",
    "Weights",
    "architecture_of",
    "device_of",
    "engine_bytes",
    "estimate",
    "from_config",
    "known_models",
    "larger_classes",
    "unsloth_weights",
    "with_unsloth",
]
