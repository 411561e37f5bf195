"""Stage `improve`: RLOO on the rewards, from the result of `imitate`, with a LoRA adapter.

Run with `python train_improve.py` after train_imitate.py and train_judge.py; leaves the trained
model in outputs/improve/model and what was run in outputs/improve/run.json.
"""

from peft import LoraConfig
from trl import RLOOConfig, RLOOTrainer

from completion_tables import CompletionTables
from data import enough_for, in_epochs, load_train, short_enough
from monitor import Monitor
from resume import train
from rewards import LIKED_MODEL, MIXES
from stages import output_of, result_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> RLOOTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    LIKED_MODEL.ready()
    start = result_of("imitate")
    tokenizer = load_tokenizer(start)
    mix = MIXES["improve"]
    args = RLOOConfig(
        output_dir=output_of("improve"),
        seed=42,
        max_steps=100,
        learning_rate=1e-5,  # TRL's default times ten, as its guide says for LoRA
        # 8 prompts * 4 generations = 32 completions a step = 1 per device * 32 accumulation
        per_device_train_batch_size=1,
        gradient_accumulation_steps=32,
        shuffle_dataset=False,  # in_epochs has shuffled the rows
        num_generations=4,
        max_completion_length=64,
        temperature=1.0,
        use_vllm=True,  # in this process, on the GPU that trains
        vllm_mode="colocate",
        # of the GPU's memory, for the weights once more and the completions of a rollout
        vllm_gpu_memory_utilization=0.3,
        vllm_max_model_length=576,  # prompts of up to 512 tokens and completions of up to 64
        beta=0.05,
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
    return RLOOTrainer(
        model=start,
        reward_funcs=list(mix),
        args=args,
        train_dataset=in_epochs(
            enough_for(8, short_enough(load_train(), tokenizer)), prompts=100 * 8, seed=42
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
    trainer.add_callback(Monitor("improve"))
    trainer.add_callback(CompletionTables(trainer))
    train(trainer, "improve", result_of("imitate"), MIXES["improve"])
    save_result(trainer, "improve", result_of("imitate"))


if __name__ == "__main__":
    require_versions()
    main()
