"""A policy that left the model it started from."""

from windows import Run, recent

# Nats a token. The start finds what the policy says exp(0.5) = 1.6 times as surprising as the
# policy does; nothing that the start can do is safe at such a distance.
FAR = 0.5
FAR_WINDOWS = 3


def far_from_start(run: Run) -> dict[str, str]:
    """The KL that a stage with a `beta` is held by; without one TRL logs none."""
    if not run.args.beta:
        raise SystemExit(
            "the alarm far_from_start needs the KL, which is not logged with beta = 0: set beta, "
            "or take the alarm out of ALARMS in monitor.py"
        )
    now = recent(run, "kl", FAR_WINDOWS)
    if not now or min(now) < FAR:
        return {}
    return {
        "kl": f"the KL to the start has been at least {min(now):.3g} nats a token: a larger beta "
        f"(it is {run.args.beta:g}) or a lower learning_rate (it is {run.args.learning_rate:g})"
    }
