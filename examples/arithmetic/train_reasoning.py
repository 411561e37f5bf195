"""Stage `reasoning`: GRPO on the rewards, from the result of `warmup`.

Run with `python train_reasoning.py` after train_warmup.py; leaves the trained model in
outputs/reasoning/model and what was run in outputs/reasoning/run.json.
"""

from trl import GRPOConfig, GRPOTrainer

from data import enough_for, in_epochs, load_train, short_enough
from monitor import Monitor
from resume import train
from rewards import MIXES
from stages import output_of, result_of, save_result
from tokens import load_tokenizer
from versions import require_versions


def build_trainer() -> GRPOTrainer:
    """The trainer of this stage, its rows and its model loaded."""
    start = result_of("warmup")
    tokenizer = load_tokenizer(start)
    mix = MIXES["reasoning"]
    args = GRPOConfig(
        output_dir=output_of("reasoning"),
        seed=42,
        max_steps=100,
        learning_rate=3e-4,
        # 8 prompts * 8 generations = 64 completions a step = 64 per device * 1 accumulation
        per_device_train_batch_size=64,
        gradient_accumulation_steps=1,
        shuffle_dataset=False,  # in_epochs has shuffled the rows
        num_generations=8,
        max_completion_length=48,
        temperature=1.0,
        loss_type="dapo",
        scale_rewards="group",
        beta=0.0,  # no reference model is loaded, and no KL is logged
        reward_weights=list(mix.values()),
        model_init_kwargs={"dtype": "float32"},
        use_cpu=True,
        bf16=False,  # TRL turns it on by default, on a CPU as well
        activation_checkpointing=False,
        logging_steps=10,  # completions are logged with the metrics
        log_completions=True,
        num_completions_to_print=2,  # the tables on disk have them all
        logging_nan_inf_filter=False,  # the filter would log a broken loss as 0.0
        save_steps=500,
        save_total_limit=2,
        report_to="none",
    )
    return GRPOTrainer(
        model=start,
        reward_funcs=list(mix),
        args=args,
        train_dataset=in_epochs(
            enough_for(8, short_enough(load_train(), tokenizer)), prompts=100 * 8, seed=42
        ),
        processing_class=tokenizer,
    )


def main() -> None:
    """Train, or go on where a run was killed, and save the result for the stages after this one."""
    trainer = build_trainer()
    trainer.add_callback(Monitor("reasoning"))
    train(trainer, "reasoning", result_of("warmup"), MIXES["reasoning"])
    save_result(trainer, "reasoning", result_of("warmup"))


if __name__ == "__main__":
    require_versions()
    main()
