def limit() -> int:
    unused = 1
    return 400
