"""Run under torchrun: what vLLM would be given of a model that FSDP2 shards, as JSON.

That is TRL's own walk over the weights, on a tiny model with an adapter of the kind that is named,
held against the adapter merged into the whole model.
"""

import copy
import json
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
from peft import LoraConfig, get_peft_model
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from transformers import Qwen2Config, Qwen2ForCausalLM
from trl.generation.vllm_generation import VLLMGeneration

SIZES: dict[str, Any] = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}


def main() -> None:
    """Print the names that vLLM would not know, and how many weights would be wrong."""
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = Qwen2ForCausalLM(Qwen2Config(**SIZES, tie_word_embeddings=False))
    adapter = LoraConfig(
        r=4, lora_alpha=8, target_modules="all-linear", use_dora=sys.argv[1] == "dora"
    )
    trained: Any = get_peft_model(model, adapter)
    for name, weight in trained.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight)
    whole = copy.deepcopy(trained).merge_and_unload().state_dict()
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for layer in trained.base_model.model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(trained, mesh=mesh)
    generation: Any = object.__new__(VLLMGeneration)  # its engine needs a GPU
    generation.model = trained
    generation.accelerator = SimpleNamespace(device="cpu")
    sharding = {"is_fsdp": True, "fsdp_version": 2, "gather_params": lambda _: nullcontext()}
    vars(generation)["_dist"] = SimpleNamespace(**sharding)
    walk = generation._iter_named_params  # noqa: SLF001 - has no public name
    given = {name: weight.detach().clone() for name, weight in walk()}
    wrong = [
        name
        for name, weight in whole.items()
        if name in given and not torch.allclose(given[name], weight, atol=1e-5)
    ]
    if dist.get_rank() == 0:
        found = {"unknown": sorted(given.keys() ^ whole.keys()), "wrong": len(wrong)}
        sys.stdout.write(json.dumps(found) + "\n")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
