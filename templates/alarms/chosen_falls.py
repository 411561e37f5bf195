"""Good answers that become less likely."""

from windows import Run, recent

# Nats for a whole answer: e**10 = 22,000 times less likely than at the start. That both fall
# while the margin grows is known as likelihood displacement (arXiv 2410.08847).
CHOSEN_FALL = 10.0
CHOSEN_WINDOWS = 3


def chosen_falls(run: Run) -> dict[str, str]:
    """The loss is about the difference, which also grows where both fall, rejected faster."""
    gained = recent(run, "rewards/chosen", CHOSEN_WINDOWS)
    margins = recent(run, "rewards/margins", CHOSEN_WINDOWS)
    if not gained or not margins or min(margins) <= 0 or not run.args.beta:
        return {}
    fall = -max(gained) / run.args.beta
    if fall < CHOSEN_FALL:
        return {}
    return {
        "rewards/chosen": f"chosen answers lost {fall:.0f} nats on the start while the margin grew:"
        f" a larger beta (it is {run.args.beta:g}) or a lower learning_rate (it is "
        f"{run.args.learning_rate:g})"
    }
