"""Chat templates: what is known of them by name, and what rendering one tells."""
