"""Searching magics: the window search by storeys, and the finders beside it."""
