#!/usr/bin/env bash
# All stages in order, then the scores on held-out rows.
set -euo pipefail
cd "$(dirname "$0")"

export HF_HUB_DISABLE_TELEMETRY=1      # TRL reports to the hub at the start of a trainer
export TOKENIZERS_PARALLELISM=false    # the tokenizer's threads do not survive a fork
export CUDA_VISIBLE_DEVICES="${CUDA_VISIBLE_DEVICES:-0}"    # the batch is laid out for one GPU

python versions.py
python data.py

# A stage that has finished is passed over, and one that was killed goes on from its last checkpoint.
python stages.py imitate || python train_imitate.py
python stages.py judge || python train_judge.py
python stages.py improve || python train_improve.py

python evaluate.py

[ ! -f export.py ] || python export.py
