"""Rows that are known by heart."""

from windows import Run, recent

# Nats a token, and the share of tokens that are the likeliest: what is left to learn is how a
# single row is worded.
MEMORISED_LOSS = 0.02
MEMORISED_ACCURACY = 0.995
MEMORISED_WINDOWS = 3


def memorised(run: Run) -> dict[str, str]:
    """More steps make the model surer of these rows and worse at others."""
    losses = recent(run, "loss", MEMORISED_WINDOWS)
    accuracies = recent(run, "mean_token_accuracy", MEMORISED_WINDOWS)
    if not losses or not accuracies:
        return {}
    if max(losses) > MEMORISED_LOSS or min(accuracies) < MEMORISED_ACCURACY:
        return {}
    return {
        "loss": f"loss is {losses[-1]:.2g} and {accuracies[-1]:.1%} of the tokens are predicted: "
        "the rows are learnt by heart; fewer steps or epochs, or more rows"
    }
