"""Stage `warmup`: SFT on the ideal completions, from ./tiny-model.

Run with `python train_warmup.py`; leaves the trained model in outputs/warmup/model and what was
run in outputs/warmup/run.json.
"""

from trl import SFTConfig, SFTTrainer

from data import load_warmup_train
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
        output_dir=output_of("warmup"),
        seed=42,
        max_steps=400,
        learning_rate=3e-3,
        per_device_train_batch_size=16,  # 16 rows a step = 16 per device * 1 accumulation
        gradient_accumulation_steps=1,
        max_length=128,
        warmup_steps=20,
        model_init_kwargs={"dtype": "float32"},
        use_cpu=True,
        bf16=False,  # TRL turns it on by default, on a CPU as well
        activation_checkpointing=False,
        logging_steps=10,
        logging_nan_inf_filter=False,  # the filter would log a broken loss as 0.0
        save_steps=200,
        save_total_limit=2,
        report_to="none",
    )
    return SFTTrainer(
        model=start,
        args=args,
        train_dataset=load_warmup_train(),
        processing_class=tokenizer,
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
