"""Completion for PowerShell, which click has not: how words come in, and results go out."""

import os

from click.shell_completion import CompletionItem, ShellComplete

SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_WORD = $wordToComplete
    $env:%(complete_var)s = 'powershell_complete'
    try {
        %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_ -split "`t", 3
            if ($kind -eq 'plain') {
                if (-not $help) { $help = $value }
                [System.Management.Automation.CompletionResult]::new(
                    $value, $value, 'ParameterValue', $help)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename(
                    $wordToComplete)
            }
        }
    } finally {
        Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s -ErrorAction Ignore
    }
}
"""


class PowerShell(ShellComplete):
    """Words before the cursor in COMP_WORDS, one a line; the word at it in COMP_WORD."""

    name = "powershell"
    source_template = SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one."""
        words = os.environ.get("COMP_WORDS", "")
        return words.split("\n") if words else [], os.environ.get("COMP_WORD", "")

    def format_completion(self, item: CompletionItem) -> str:
        """A line: the kind, the word, its help."""
        return f"{item.type}\t{item.value}\t{' '.join((item.help or '').split())}"
