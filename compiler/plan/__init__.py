"""The plan of a project: finished values with their origins, and nothing left to decide.

Each file that is written has one context object here, which its template names in its first line.
"""

__all__: list[str] = []
