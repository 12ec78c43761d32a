"""Work that several questions share, without a terminal.

A job takes a frozen dataclass or a few plain values, shows how far it is to an observer
(or each phase to whoever watches), and returns what came of it. It prints nothing.
"""
