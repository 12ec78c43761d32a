"""Options and arguments that several commands share, each declared once."""
