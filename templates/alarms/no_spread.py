"""Groups whose completions all score alike."""

from windows import Run, recent

# DAPO (arXiv 2503.14476, section 3.2): such groups have no gradient, and the batch shrinks to the
# rest. From 0.8 on a fifth of the step, or less, is learnt from.
NO_SPREAD = 0.8
NO_SPREAD_WINDOWS = 3


def no_spread(run: Run) -> dict[str, str]:
    """Rows that are all right or all wrong are too easy or too hard for the policy as it is."""
    shares = recent(run, "frac_reward_zero_std", NO_SPREAD_WINDOWS)
    if not shares or min(shares) < NO_SPREAD:
        return {}
    return {
        "frac_reward_zero_std": f"at least {min(shares):.0%} of the groups score alike, so that "
        "nothing is learnt from them: easier or harder rows, a reward with partial credit, a "
        f"larger num_generations (it is {run.args.num_generations}) or a higher temperature"
    }
