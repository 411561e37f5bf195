def limit() -> int:
    return 400
