"""As much of reasoning-gym as a project calls, with one generator; not the package itself."""

from reasoning_gym.dataset import ProceduralDataset

__all__ = ["create_dataset"]


def create_dataset(name: str, **settings: int) -> ProceduralDataset:
    """Make the one generator there is."""
    assert name == "chain_sum"
    return ProceduralDataset(**settings)
