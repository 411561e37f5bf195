"""The `[stages.*]` tables: what is trained, by which method, with which recipe.

The models are imported where a spec names their method.
"""

from typing import TYPE_CHECKING, Annotated

from spec_schema.base import LazyTables, Variants
from spec_schema.stage_table import StageTable

if TYPE_CHECKING:
    from spec_schema.stages.dpo import DpoStage
    from spec_schema.stages.grpo import GrpoStage
    from spec_schema.stages.kto import KtoStage
    from spec_schema.stages.reward import RewardStage
    from spec_schema.stages.rloo import RlooStage
    from spec_schema.stages.sft import SftStage

__all__ = ["STAGES", "Stage"]

STAGES = LazyTables(
    "spec_schema.stages",
    {
        "sft": "sft:SftStage",
        "reward": "reward:RewardStage",
        "dpo": "dpo:DpoStage",
        "kto": "kto:KtoStage",
        "grpo": "grpo:GrpoStage",
        "rloo": "rloo:RlooStage",
    },
)

if TYPE_CHECKING:
    Stage = SftStage | RewardStage | DpoStage | KtoStage | GrpoStage | RlooStage
else:
    Stage = Annotated[StageTable, Variants(STAGES, "method")]
