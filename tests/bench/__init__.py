"""Ratios of the compiler and its projects to named peers, measured in one run."""
