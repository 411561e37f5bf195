from trl import GRPOConfig

SYSTEM = "Think."
LIMITS = {"concise": 300}


def build_trainer() -> GRPOConfig:
    """My trainer."""
    return GRPOConfig(temperature=0.7, top_p=0.9, min_p=0.1, learning_rate=0.00001)
