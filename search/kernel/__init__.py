"""The window search, compiled: it knows nothing of files, bars or databases."""
