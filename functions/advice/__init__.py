"""What helps with an answer that is not decided, or with an error: the whole next command."""
