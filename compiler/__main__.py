"""`python -m compiler` is `trainspec`."""

from compiler.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
