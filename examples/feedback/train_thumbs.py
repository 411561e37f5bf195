"""Stage `thumbs`: KTO on answers marked as good or bad, from the result of `warmup`.

Run with `python train_thumbs.py` after train_warmup.py; leaves the trained model in
outputs/thumbs/model and what was run in outputs/thumbs/run.json.
"""

from trl import KTOConfig, KTOTrainer

from data import load_thumbs_eval, load_thumbs_train
from monitor import Monitor
from resume import train
from stages import output_of, result_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> KTOTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = result_of("warmup")
    tokenizer = load_tokenizer(start)
    args = KTOConfig(
        output_dir=output_of("thumbs"),
        seed=42,
        max_steps=200,
        learning_rate=2e-4,
        per_device_train_batch_size=16,  # 16 rows a step = 16 per device * 1 accumulation
        gradient_accumulation_steps=1,
        max_length=128,
        loss_type="kto",
        beta=0.1,
        desirable_weight=1.8,
        undesirable_weight=1.0,
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
    return KTOTrainer(
        model=start,
        args=args,
        train_dataset=load_thumbs_train(),
        eval_dataset=load_thumbs_eval(),
        processing_class=tokenizer,
    )


def main() -> None:
    """Train, or go on where a run was killed, and save the result for the stages after this one."""
    trainer = build_trainer()
    trainer.add_callback(Monitor("thumbs"))
    train(trainer, "thumbs", result_of("warmup"))
    save_result(trainer, "thumbs", result_of("warmup"))


if __name__ == "__main__":
    require_versions()
    main()
