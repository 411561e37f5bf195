"""A sampler whose probabilities are not those of the policy."""

from windows import Run, recent

# Nats a token between what vLLM and the policy say of a token that vLLM sampled. bfloat16 rounds a
# logit of 16 to 32 by 0.03 on average, which is no harm; a tenth is more than rounding.
APART = 0.1
# What completions weigh in the loss on average: near 1 where the two agree, and below a half where
# most are left out.
LEFT = 0.5
OTHER_WINDOWS = 3


def other_sampler(run: Run) -> dict[str, str]:
    """The loss takes what vLLM samples for the policy's own, and can make up for little."""
    metric = "sampling/sampling_logp_difference/mean"
    distances = recent(run, metric, OTHER_WINDOWS)
    if distances and min(distances) >= APART:
        return {
            metric: f"vLLM and the policy have been at least {min(distances):.2g} nats a token "
            "apart: they are not the same model; try use_vllm=False for a few steps"
        }
    metric = "sampling/importance_sampling_ratio/mean"
    weights = recent(run, metric, OTHER_WINDOWS)
    if weights and max(weights) < LEFT:
        return {
            metric: f"completions count {max(weights):.2f} on average or less, for what vLLM "
            "samples differs from the policy: a vllm_importance_sampling_mode of tokens (it is "
            f"{run.args.vllm_importance_sampling_mode}) keeps more of long ones"
        }
    return {}
