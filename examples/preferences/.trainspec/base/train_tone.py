"""Stage `tone`: DPO on preferences, from the result of `warmup`.

Run with `python train_tone.py` after train_warmup.py; leaves the trained model in
outputs/tone/model and what was run in outputs/tone/run.json.
"""

from trl import DPOConfig, DPOTrainer

from data import load_tone_eval, load_tone_train
from monitor import Monitor
from resume import train
from stages import output_of, result_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> DPOTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = result_of("warmup")
    tokenizer = load_tokenizer(start)
    args = DPOConfig(
        output_dir=output_of("tone"),
        seed=42,
        max_steps=200,
        learning_rate=1e-4,
        per_device_train_batch_size=16,  # 16 pairs a step = 16 per device * 1 accumulation
        gradient_accumulation_steps=1,
        max_length=128,
        loss_type=["sigmoid"],
        beta=0.1,
        model_init_kwargs={"dtype": "float32"},
        use_cpu=True,
        bf16=False,  # TRL turns it on by default, on a CPU as well
        activation_checkpointing=False,
        logging_steps=10,
        logging_nan_inf_filter=False,  # the filter would log a broken loss as 0.0
        eval_strategy="steps",
        eval_steps=50,
        per_device_eval_batch_size=16,
        save_steps=200,
        save_total_limit=2,
        report_to="none",
    )
    return DPOTrainer(
        model=start,
        args=args,
        train_dataset=load_tone_train(),
        eval_dataset=load_tone_eval(),
        processing_class=tokenizer,
    )


def main() -> None:
    """Train, or go on where a run was killed, and save the result for the stages after this one."""
    trainer = build_trainer()
    trainer.add_callback(Monitor("tone"))
    train(trainer, "tone", result_of("warmup"))
    save_result(trainer, "tone", result_of("warmup"))


if __name__ == "__main__":
    require_versions()
    main()
