"""Searching magics: the window search, the finders, the ledger."""
