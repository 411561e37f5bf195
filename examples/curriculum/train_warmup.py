"""Stage `warmup`: SFT on the ideal completions.

From Qwen/Qwen2.5-0.5B-Instruct, with a LoRA adapter. Run with `python train_warmup.py`; leaves
the trained model in outputs/warmup/model and what was run in outputs/warmup/run.json.
"""

from peft import LoraConfig
from transformers import AutoTokenizer
from trl import SFTConfig, SFTTrainer

from data import load_train, short_enough, to_prompt_completion
from monitor import Monitor
from resume import train
from stages import BASE, output_of, save_result
from versions import require_versions


def build_trainer() -> SFTTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = BASE
    tokenizer = AutoTokenizer.from_pretrained(start)
    args = SFTConfig(
        output_dir=output_of("warmup"),
        seed=42,
        num_train_epochs=1,
        learning_rate=2e-4,  # TRL's default times ten, as its guide says for LoRA
        per_device_train_batch_size=2,  # 16 rows a step = 2 per device * 8 accumulation
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
    trainer.add_callback(Monitor("warmup"))
    train(trainer, "warmup", BASE)
    save_result(trainer, "warmup", BASE)


if __name__ == "__main__":
    require_versions()
    main()
