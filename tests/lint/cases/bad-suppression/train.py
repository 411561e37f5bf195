from trl import SFTConfig

args = SFTConfig(
    max_seq_length=1,  # lint: ignore[retired-argument]
    lr=1.0,  # lint: ignore[retired-argument] the fork that we use has it
    bf16=True,  # lint: ignore[retired-argument] was fp16 once
    fp16=False,  # lint: ignore[retired] no such code
)
TEXT = "# lint: ignore[retired-argument]"
