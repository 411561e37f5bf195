#!/usr/bin/env bash
# All stages in order, then the scores on held-out rows.
set -euo pipefail
cd "$(dirname "$0")"

export HF_HUB_DISABLE_TELEMETRY=1      # TRL reports to the hub at the start of a trainer
export TOKENIZERS_PARALLELISM=false    # the tokenizer's threads do not survive a fork

python versions.py
python data.py

# A stage that has finished is passed over, and one that was killed goes on from its last checkpoint.
python stages.py warmup || python train_warmup.py
python stages.py judge || python train_judge.py
python stages.py tone || python train_tone.py

python evaluate.py

[ ! -f export.py ] || python export.py
