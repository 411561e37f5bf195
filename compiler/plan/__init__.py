"""The plan of a project: finished values with their origins, and nothing left to decide.

Each file that is written has one context object here, which its template names in its first line.
"""

from compiler.plan.checks import (
    ConftestFile,
    DataReportFile,
    EvaluateFile,
    MadeRowsFile,
    SmokeFile,
    TestDataFile,
    TestRewardsFile,
    TinyModelFile,
)
from compiler.plan.modules import AnswersFile, DataFile, PromptsFile, Shot, SourcePlan
from compiler.plan.project import PlannedFile, ProjectPlan
from compiler.plan.stages import (
    Batch,
    LoraPlan,
    MixPlan,
    RewardPlan,
    RewardsFile,
    StagePlan,
    StagesFile,
)
from compiler.plan.texts import (
    AboutFile,
    PlanPage,
    PyprojectFile,
    ReadmePage,
    RewardRow,
    RunFile,
    Setting,
    StageRow,
)
from compiler.plan.values import Argument, Origin, OriginKind, Planned

__all__ = [
    "AboutFile",
    "AnswersFile",
    "Argument",
    "Batch",
    "ConftestFile",
    "DataFile",
    "DataReportFile",
    "EvaluateFile",
    "LoraPlan",
    "MadeRowsFile",
    "MixPlan",
    "Origin",
    "OriginKind",
    "PlanPage",
    "Planned",
    "PlannedFile",
    "ProjectPlan",
    "PromptsFile",
    "PyprojectFile",
    "ReadmePage",
    "RewardPlan",
    "RewardRow",
    "RewardsFile",
    "RunFile",
    "Setting",
    "Shot",
    "SmokeFile",
    "SourcePlan",
    "StagePlan",
    "StageRow",
    "StagesFile",
    "TestDataFile",
    "TestRewardsFile",
    "TinyModelFile",
]
