"""How many paths of a project are written as one step, of which a kill leaves all or nothing."""

__all__: list[str] = []
