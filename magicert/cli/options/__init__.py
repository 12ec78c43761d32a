"""Options and arguments that several commands share, each declared once.

version     what --version says
powershell  completion for PowerShell
output      where a command may write, and --force
pins        parts of a source's reading that the user states
work        workers, seed, time and memory limits, ledger, cluster, JSON
types       squares, occupancies, tables, durations, piece and square
"""
