"""Layered tables: a formula makes the attack set from the loaded word, so squares share entries."""
