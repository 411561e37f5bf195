from rewards import MIXES

mix = MIXES[STAGE]
