"""Stage `judge`: reward model on preferences, from the result of `imitate`, with a LoRA adapter.

Run with `python train_judge.py` after train_imitate.py; leaves the trained model in
outputs/judge/model and what was run in outputs/judge/run.json.
"""

from peft import LoraConfig
from trl import RewardConfig, RewardTrainer

from data import load_judge_train
from monitor import Monitor
from resume import train
from stages import output_of, result_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> RewardTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = result_of("imitate")
    tokenizer = load_tokenizer(start)
    args = RewardConfig(
        output_dir=output_of("judge"),
        seed=42,
        num_train_epochs=2,
        learning_rate=1e-4,  # TRL's default
        per_device_train_batch_size=1,  # 8 pairs a step = 1 per device * 8 accumulation
        gradient_accumulation_steps=8,
        max_length=1024,  # pairs with a longer answer are left out
        # the frozen base; the adapter is trained in float32
        model_init_kwargs={"dtype": "bfloat16"},
        bf16=True,
        gradient_checkpointing=True,  # recomputed, to save memory
        logging_steps=10,
        logging_nan_inf_filter=False,  # the filter would log a broken loss as 0.0
        save_steps=50,
        save_total_limit=2,
        report_to="none",
    )
    return RewardTrainer(
        model=start,
        args=args,
        train_dataset=load_judge_train(),
        processing_class=tokenizer,
        peft_config=LoraConfig(
            r=16,
            lora_alpha=32,
            lora_dropout=0.0,
            target_modules="all-linear",
            task_type="SEQ_CLS",
        ),
    )


def main() -> None:
    """Train, or go on where a run was killed, and save the result for the stages after this one."""
    trainer = build_trainer()
    trainer.add_callback(Monitor("judge"))
    train(trainer, "judge", result_of("imitate"))
    save_result(trainer, "judge", result_of("imitate"))


if __name__ == "__main__":
    require_versions()
    main()
