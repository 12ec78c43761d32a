"""One module a command: it parses, calls one job, and shows what came of it."""
