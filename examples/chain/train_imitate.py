"""Stage `imitate`: SFT on the ideal completions.

From HuggingFaceTB/SmolLM2-360M-Instruct, with a LoRA adapter. Run with `python
train_imitate.py`; leaves the trained model in outputs/imitate/model and what was run in
outputs/imitate/run.json.
"""

from peft import LoraConfig
from trl import SFTConfig, SFTTrainer

from data import load_train, short_enough, to_prompt_completion
from monitor import Monitor
from resume import train
from stages import BASE, output_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> SFTTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = BASE
    tokenizer = load_tokenizer(start)
    args = SFTConfig(
        output_dir=output_of("imitate"),
        seed=42,
        num_train_epochs=3,
        learning_rate=2e-4,  # TRL's default times ten, as its guide says for LoRA
        per_device_train_batch_size=1,  # 8 rows a step = 1 per device * 8 accumulation
        gradient_accumulation_steps=8,
        max_length=1024,
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
    return SFTTrainer(
        model=start,
        args=args,
        train_dataset=to_prompt_completion(short_enough(load_train(), tokenizer)),
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
    trainer.add_callback(Monitor("imitate"))
    train(trainer, "imitate", BASE)
    save_result(trainer, "imitate", BASE)


if __name__ == "__main__":
    require_versions()
    main()
