"""What a stage's config says where vLLM samples: TRL's own fields, beside the same recipe."""

from pathlib import Path

import pytest
from trl.trainer.grpo_config import GRPOConfig
from trl.trainer.rloo_config import RLOOConfig

from compiler.diagnostics import Report
from compiler.parse import parse
from compiler.plan.stages import StagePlan
from compiler.resolve import gather, outline_of
from compiler.source import SourceFile
from compiler.validate import validate
from tests.projects import ROWS, write_project
from tests.rollout.specs import sampling_spec
from tests.test_mixes import said

CONFIGS = {"grpo": GRPOConfig, "rloo": RLOOConfig}
SERVER = 'engine = "vllm-server", tensor_parallel = 2'
COLOCATE = 'engine = "vllm-colocate", share = 0.4'

UNCORRECTED = "[stages.reasoning.trainer]\nvllm_importance_sampling_correction = false"
OF_SEQUENCES = '[stages.reasoning.trainer]\nvllm_importance_sampling_mode = "sequence_mask"'


def planned(folder: Path, text: str) -> StagePlan:
    """The one stage of a spec, as the checks let it pass."""
    (folder / "train.jsonl").write_text(ROWS)
    report = Report()
    document = parse(SourceFile(folder / "task.toml", "task.toml", text), report)
    (stage,) = outline_of(gather(validate(document, report), folder)).stages
    return stage


def values(stage: StagePlan) -> dict[str, object]:
    """The arguments whose values are known now."""
    found = {argument.name: argument.value.value for argument in stage.arguments}
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("method", CONFIGS)
@pytest.mark.parametrize(
    ("rollout", "hardware"), [(COLOCATE, ""), (SERVER, "gpus = 6"), (COLOCATE, "gpus = 4")]
)
def test_the_config_of_trl_takes_what_is_said_of_vllm(
    tmp_path: Path, method: str, rollout: str, hardware: str
) -> None:
    text = sampling_spec(rollout, tier="80gb", hardware=hardware, method=method)
    written = values(planned(tmp_path, text))
    here = {"output_dir": str(tmp_path), "use_cpu": True, "bf16": False}
    here |= {"per_device_train_batch_size": 16, "gradient_accumulation_steps": 1}
    config = CONFIGS[method](**{**written, **here})
    assert config.use_vllm
    assert all(getattr(config, name) == value for name, value in written.items() if "vllm" in name)
    if rollout is SERVER:
        assert (config.vllm_mode, config.vllm_server_port) == ("server", 8000)
        assert "vllm_gpu_memory_utilization" not in written
    else:
        assert (config.vllm_mode, config.vllm_gpu_memory_utilization) == ("colocate", 0.4)
        assert config.vllm_max_model_length == 512 + 512


def test_a_stage_learns_the_same_whatever_samples(tmp_path: Path) -> None:
    by_vllm = values(planned(tmp_path, sampling_spec(COLOCATE)))
    plain = values(planned(tmp_path, sampling_spec('engine = "transformers"')))
    assert not [name for name in plain if "vllm" in name]
    mechanics = {"per_device_train_batch_size", "gradient_accumulation_steps"}
    mechanics |= {"activation_checkpointing", "gradient_checkpointing"}
    for name, value in by_vllm.items():
        if "vllm" not in name and name not in mechanics:
            assert plain[name] == value
    assert plain.keys() - by_vllm.keys() <= mechanics


def test_the_correction_is_that_of_trl_and_vespos_is_that_of_tokens(tmp_path: Path) -> None:
    mode = "vllm_importance_sampling_mode"
    assert planned(tmp_path, sampling_spec(COLOCATE)).value(mode) == "sequence_mask"
    vespo = planned(tmp_path, sampling_spec(COLOCATE, stage='loss_type = "vespo"'))
    assert vespo.value(mode) == "token_truncate"
    assert planned(tmp_path, sampling_spec(COLOCATE, method="rloo")).value(mode) is None
    chosen = f'[stages.reasoning.trainer]\n{mode} = "token_mask"'
    stage = planned(tmp_path, sampling_spec(COLOCATE, stage=chosen))
    assert [each.value.value for each in stage.arguments if each.name == mode] == ["token_mask"]


@pytest.mark.parametrize(
    ("setting", "finding"),
    [
        ("epsilon = 0.3", []),  # the ratio is of two passes, and no longer 1 by construction
        ('[stages.reasoning.trainer]\ncache_implementation = "static"', ["no-effect"]),
        ('[stages.reasoning.trainer]\nvllm_importance_sampling_mode = "tokens"', ["bad-value"]),
        (f"{UNCORRECTED}\nvllm_importance_sampling_clip_max = 2.0", ["no-effect"]),
        (f'loss_type = "vespo"\n{OF_SEQUENCES}', ["settings-conflict"]),
        (
            "[stages.reasoning.trainer]\nvllm_importance_sampling_clip_min = 4.0",
            ["settings-conflict"],
        ),
        ("[stages.reasoning.trainer]\nuse_vllm = true", ["owned-field"]),
        ("[stages.reasoning.trainer]\nvllm_gpu_memory_utilization = 0.5", ["owned-field"]),
    ],
)
def test_settings_are_judged_by_what_vllm_makes_of_them(
    tmp_path: Path, setting: str, finding: list[str]
) -> None:
    found = said(tmp_path, sampling_spec(COLOCATE, stage=setting))
    assert [each.partition(":")[0] for each in found] == finding


def test_where_transformers_samples_the_same_settings_are_judged_by_that(tmp_path: Path) -> None:
    plain = 'engine = "transformers"'
    mode = '[stages.reasoning.trainer]\nvllm_importance_sampling_mode = "token_mask"'
    (found,) = said(tmp_path, sampling_spec(plain, stage=mode))
    assert "has no effect where transformers samples" in found
    (found,) = said(tmp_path, sampling_spec(plain, stage="epsilon = 0.3"))
    assert "while each rollout is used for one update" in found
    # RLOO makes up for nothing, so that there too the ratio is 1.
    (found,) = said(tmp_path, sampling_spec(COLOCATE, method="rloo", stage="epsilon = 0.3"))
    assert "while each rollout is used for one update" in found


def with_end(text: str) -> str:
    """The same on a base whose tokenizer calls the end of a text its end token."""
    base = 'base = "Qwen/Qwen2.5-0.5B"\nchat_template = "chatml"'
    return text.replace('base = "Qwen/Qwen2.5-0.5B-Instruct"', base)


@pytest.mark.parametrize(
    ("stage", "written"),
    [
        ("", 'generation_kwargs={"stop_token_ids": [tokenizer.eos_token_id]}'),
        (
            "[stages.reasoning.trainer]\ngeneration_kwargs = { min_tokens = 2 }",
            '{"stop_token_ids": [tokenizer.eos_token_id], "min_tokens": 2}',
        ),
        (
            "[stages.reasoning.trainer]\ngeneration_kwargs = { stop_token_ids = [7] }",
            'generation_kwargs={"stop_token_ids": [7]}',
        ),
    ],
)
def test_vllm_is_told_where_a_turn_ends_if_the_base_does_not_say(
    tmp_path: Path, stage: str, written: str
) -> None:
    text = with_end(sampling_spec(COLOCATE, stage=stage))
    script = (write_project(tmp_path / "project", text) / "train_reasoning.py").read_text()
    assert written in " ".join(script.split()).replace("( ", "(").replace(", }", "}")
    assert script.count("generation_kwargs=") == 1


def test_vllm_is_told_nothing_that_it_knows(tmp_path: Path) -> None:
    """The files of the start say it, and to transformers the trainer does."""
    for name, text in {
        "known": sampling_spec(COLOCATE),
        "plain": with_end(sampling_spec('engine = "transformers"')),
    }.items():
        script = (write_project(tmp_path / name, text) / "train_reasoning.py").read_text()
        assert "generation_kwargs" not in script
    warmup = '[stages.warmup]\nmethod = "sft"\nsteps = 2\nprompts_per_step = 2\n[stages.reasoning]'
    chain = with_end(sampling_spec(COLOCATE)).replace("[stages.reasoning]", warmup)
    chain = chain.replace("[model]", 'stages = ["warmup", "reasoning"]\n[model]')
    chain = chain.replace('user = "{question}"', 'user = "{question}"\nassistant = "{answer}"')
    script = (write_project(tmp_path / "chain", chain) / "train_reasoning.py").read_text()
    assert "generation_kwargs" not in script
