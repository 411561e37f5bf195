"""How a spec becomes a training project; the command line is public, all else may change."""
