from trl import GRPOConfig

SYSTEM = "Think first."
LIMITS = {"concise": 400}


def build_trainer() -> GRPOConfig:
    """The trainer."""
    return GRPOConfig(temperature=1.0, top_p=0.9, learning_rate=1e-5)
