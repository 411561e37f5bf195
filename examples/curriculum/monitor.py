"""Says while a stage trains what looks wrong in its log, and which setting to change.

An alarm stops nothing. It is printed once when it begins, again only after it has ended in between,
and kept in outputs/<stage>/alarms.jsonl. What each one looks at, and from where on it sounds, stands
in alarms.py.
"""

import json
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from alarms import (
    Run,
    broken_number,
    cut_off,
    entropy_collapse,
    far_from_start,
    gradient_spike,
    length_drift,
    memorised,
    no_spread,
    other_sampler,
    stuck_reward,
    unjudged_reward,
)

ALARMS = {
    "warmup": (
        broken_number,
        gradient_spike,
        memorised,
    ),
    "layout": (
        broken_number,
        gradient_spike,
        no_spread,
        cut_off,
        stuck_reward,
        unjudged_reward,
        entropy_collapse,
        length_drift,
        other_sampler,
    ),
    "reasoning": (
        broken_number,
        gradient_spike,
        no_spread,
        cut_off,
        stuck_reward,
        unjudged_reward,
        entropy_collapse,
        length_drift,
        far_from_start,
        other_sampler,
    ),
}
# The lowest and the highest value of the rewards that each stage pays.
RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "layout": {
        "well_formed": (0.0, 1.0),
        "xml_tags": (0.0, 1.0),
    },
    "reasoning": {
        "correct": (0.0, 1.0),
        "well_formed": (0.0, 1.0),
    },
}


class Monitor(TrainerCallback):
    """Sounds the alarms of a stage."""

    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.sounding: set[tuple[str, str]] = set()  # alarms with the metrics that they speak of

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Go on as the run is: what sounded before a checkpoint was told then."""
        self.sounding = set(self.heard(args, state))
        path = Path(args.output_dir, "alarms.jsonl")
        if state.is_world_process_zero and path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if json.loads(line)["step"] <= state.global_step]
            path.write_text("".join(kept), encoding="utf-8")

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Tell the alarms that begin to sound."""
        heard = self.heard(args, state)
        for (alarm, metric), text in heard.items():
            if state.is_world_process_zero and (alarm, metric) not in self.sounding:
                print(f"\nALARM at step {state.global_step} of {self.stage}: {text}", flush=True)
                line = {"step": state.global_step, "alarm": alarm, "metric": metric, "text": text}
                with Path(args.output_dir, "alarms.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.sounding = set(heard)

    def heard(self, args: Any, state: Any) -> dict[tuple[str, str], str]:
        """What the alarms say of the log as it is."""
        run = Run(state.log_history, args, RANGES.get(self.stage, {}))
        return {
            (alarm.__name__, metric): text
            for alarm in ALARMS[self.stage]
            for metric, text in alarm(run).items()
        }
