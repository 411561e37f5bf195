import rewards
from rewards import LIMIT, batched, concise

mix = {rewards.correct: 1.0, rewards.polite: 0.5, concise: LIMIT}
made = rewards.__name__, batched

try:
    from rewards import optional
except ImportError:
    optional = None
