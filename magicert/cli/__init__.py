"""Commands that are not yet files of magicert/commands."""
