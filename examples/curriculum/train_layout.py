"""Stage `layout`: GRPO on the rewards, from the result of `warmup`, with a LoRA adapter.

Run with `python train_layout.py` after train_warmup.py; leaves the trained model in
outputs/layout/model and what was run in outputs/layout/run.json.
"""

from peft import LoraConfig
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

from data import enough_for, in_epochs, load_train, short_enough
from monitor import Monitor
from resume import train
from rewards import MIXES
from stages import output_of, result_of, save_result
from versions import require_versions


def build_trainer() -> GRPOTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = result_of("warmup")
    tokenizer = AutoTokenizer.from_pretrained(start)
    mix = MIXES["layout"]
    args = GRPOConfig(
        output_dir=output_of("layout"),
        seed=42,
        max_steps=60,
        learning_rate=1e-5,  # TRL's default times ten, as its guide says for LoRA
        # 8 prompts * 8 generations = 64 completions a step = 2 per device * 32 accumulation
        per_device_train_batch_size=2,
        gradient_accumulation_steps=32,
        shuffle_dataset=False,  # in_epochs has shuffled the rows
        num_generations=8,
        max_completion_length=256,
        temperature=1.0,
        use_vllm=True,  # in this process, on the GPU that trains
        vllm_mode="colocate",
        # of the GPU's memory, for the weights once more and the completions of a rollout
        vllm_gpu_memory_utilization=0.23,
        vllm_max_model_length=768,  # prompts of up to 512 tokens and completions of up to 256
        # weighs completions by policy over vLLM, and leaves out what is above 3
        vllm_importance_sampling_mode="sequence_mask",
        loss_type="dapo",
        scale_rewards="group",
        beta=0.0,  # no reference model is loaded, and no KL is logged
        reward_weights=list(mix.values()),
        # the frozen base; the adapter is trained in float32
        model_init_kwargs={"dtype": "bfloat16"},
        bf16=True,
        gradient_checkpointing=True,  # recomputed, to save memory
        logging_steps=10,  # completions are logged with the metrics
        log_completions=True,
        num_completions_to_print=2,  # the tables on disk have them all
        logging_nan_inf_filter=False,  # the filter would log a broken loss as 0.0
        save_steps=50,
        save_total_limit=2,
        report_to="none",
    )
    return GRPOTrainer(
        model=start,
        reward_funcs=list(mix),
        args=args,
        train_dataset=in_epochs(
            enough_for(8, short_enough(load_train(), tokenizer)), prompts=60 * 8, seed=42
        ),
        processing_class=tokenizer,
        peft_config=LoraConfig(
            r=16,
            lora_alpha=32,
            lora_dropout=0.0,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )


def main() -> None:
    """Train, or go on where a run was killed, and save the result for the stages after this one."""
    trainer = build_trainer()
    trainer.add_callback(Monitor("layout"))
    train(trainer, "layout", result_of("warmup"), MIXES["layout"])
    save_result(trainer, "layout", result_of("warmup"))


if __name__ == "__main__":
    require_versions()
    main()
