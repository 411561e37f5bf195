"""Contexts of the training scripts."""

from typing import Any, Literal, NamedTuple

from compiler.plan.mechanics import Batch, Mechanics
from compiler.plan.values import Argument

__all__ = [
    "LoraPlan",
    "MemoryPlan",
    "MethodName",
    "MixPlan",
    "StageCallbacks",
    "StagePlan",
    "Totals",
    "UnslothPlan",
    "WeightPlan",
]


MethodName = Literal["sft", "reward", "dpo", "kto", "grpo", "rloo"]


class LoraPlan(NamedTuple):
    """The adapter of a stage as the arguments of `LoraConfig`."""

    r: int
    arguments: tuple[Argument, ...]


class WeightPlan(NamedTuple):
    """The weight of a reward in one stage: its code, what it is called, and how far it moves.

    `first` holds in the first step, `last` in the last; `lowest` and `highest` are the least and
    the most that it can be. `schedule` names the class of schedules.py, None for a number, and
    `steps` is how long it takes to its last weight, None where that follows no steps.
    """

    code: str
    words: str
    first: float
    last: float
    lowest: float
    highest: float
    schedule: str | None = None
    steps: int | None = None


class Totals(NamedTuple):
    """Two weighted sums at one end of a stage: the best wrong answer and the worst right one.

    `correctness` is the reward that tells the two apart and weighs most; `when` says which end it
    is, and is empty where no weight follows a schedule.
    """

    when: str
    wrong: float
    right: float
    correctness: str


class MixPlan(NamedTuple):
    """The rewards that one stage calls, with their weights, and what follows from these.

    `totals` is empty where no reward of correctness is paid, or where what a completion earns
    depends on its group. `lone_length` is a paid length with nothing paid beside it that the length
    does not give. `constant`: crafted completions all earn the same.
    """

    stage: str
    weights: tuple[tuple[str, WeightPlan], ...]
    code: str
    totals: tuple[Totals, ...]
    lone_length: str | None
    constant: bool

    @property
    def moves(self) -> bool:
        """Whether a weight changes while the stage trains."""
        return any(weight.schedule is not None for _, weight in self.weights)


class MemoryPlan(NamedTuple):
    """The peak of a stage on its GPU; every size in bytes.

    `moment` is when it comes, `parts` what it consists of, with rows as long as they may be. A run
    needs `least` for sure, with rows as short as can be, and goes through with `most`; `held` is
    what is taken of the `usable` memory if the prediction is right.
    `fit` is `fits`, `tight` or `does not fit`. `assumed` says what an unknown architecture is taken
    for. `edits` are changes of the spec with which it would fit; both are empty where there is
    nothing to say.
    """

    moment: str
    parts: tuple[tuple[str, int], ...]
    least: int
    most: int
    held: int
    usable: int
    fit: str
    assumed: str
    edits: tuple[str, ...]

    @property
    def peak(self) -> int:
        """Bytes that are allocated at once."""
        return sum(size for _, size in self.parts)


class StageCallbacks(NamedTuple):
    """The callbacks that a script adds to its trainer, and the lines that import them."""

    codes: tuple[str, ...]
    imports: tuple[str, ...]


class UnslothPlan(NamedTuple):
    """The calls of `FastLanguageModel` in one training script.

    `loading` are the arguments of `from_pretrained`, `adapter` those of `get_peft_model`: empty
    where all weights are trained. `standby`: vLLM gives its memory back while the model trains.
    """

    loading: tuple[Argument, ...]
    adapter: tuple[Argument, ...]
    standby: bool


class StagePlan(NamedTuple):
    """Context of one train_<stage>.py.

    `rows_code` and `eval_rows_code` are the data sets of its trainer, `data_import` brings their
    functions in; `eval_rows_code` is None where nothing is evaluated while it trains.
    `group` is None for a stage that samples nothing, `wandb_project` where runs are not sent there.
    `model` is the stage's own, as an expression, `quantization` how its weights are loaded beside
    an adapter; both None where the stage has none. `unsloth` is None where TRL loads the model.
    """

    name: str
    method: MethodName
    docstring: str
    start: str | None
    start_code: str
    model: str | None
    tokenizer_import: str
    tokenizer_code: str
    stages_import: str
    arguments: tuple[Argument, ...]
    lora: LoraPlan | None
    quantization: str | None
    unsloth: UnslothPlan | None
    mix: MixPlan | None
    asks: tuple[str, ...]
    rewards_import: str
    data_import: str
    rows_code: str
    eval_rows_code: str | None
    mechanics: Mechanics
    group: int | None
    callbacks: StageCallbacks
    name_code: str
    built_code: str
    scheduled: bool
    was: str | None
    memory: MemoryPlan | None
    wandb_project: str | None

    @property
    def batch(self) -> Batch:
        """How an optimizer step is laid out."""
        return self.mechanics.batch

    @property
    def widens(self) -> bool:
        """Whether the adapter has to be made float32 again.

        TRL makes it bfloat16 beside quantized weights (trl/trainer/sft_trainer.py:908 and its
        like), which the scaler of float16 refuses (trl#4901).
        """
        return self.quantization is not None and self.mechanics.precision != "bfloat16"

    @property
    def processes(self) -> int | None:
        """How many have to be started together, None where it is one."""
        return self.batch.processes if self.batch.processes > 1 else None

    @property
    def asks_gpu(self) -> tuple[str, ...]:
        """What rewards ask that is loaded once each process has a GPU of its own."""
        return tuple(each for each in self.asks if self.processes and each.endswith("_MODEL"))

    @property
    def asks_first(self) -> tuple[str, ...]:
        """What rewards ask that is made ready before anything else."""
        return tuple(each for each in self.asks if each not in self.asks_gpu)

    @property
    def moves(self) -> bool:
        """Whether a weight of its rewards changes while it trains."""
        return self.mix is not None and self.mix.moves

    @property
    def writes_completions(self) -> bool:
        """Whether the project writes the tables of completions, which TRL does for GRPO alone."""
        return self.method == "rloo" and self.value("log_completions") is True

    @property
    def asks_a_machine(self) -> bool:
        """Whether a vLLM server samples on another machine, which the environment names."""
        hosts = (each for each in self.arguments if each.name == "vllm_server_host")
        return any(host.value.value is None for host in hosts)

    def value(self, name: str) -> Any:  # noqa: ANN401  # a config field holds any TOML value
        """The value of a config field that the script writes out, else None."""
        found = (argument for argument in self.arguments if argument.name == name)
        return next((argument.value.value for argument in found), None)
