"""How a spec becomes a training project. The command line is the public surface; all else may change."""
