"""Chat templates and tokens."""
