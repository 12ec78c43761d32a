"""The command group: which commands there are, and how errors become exit statuses."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from keyword import iskeyword
from textwrap import wrap
from typing import Any, ClassVar

import click
from click.exceptions import Exit

from magicert.commands import INTERRUPTED
from magicert.commands.command import EVERYTHING, OF_ALL_COMMANDS, Context, in_short
from magicert.commands.usage import message_of
from magicert.outcome import STATUS, OutcomeKind
from magicert.problem import EXTRAS, InputError, Problem, suggestion

GROUPS = {
    "Your engine": ("verify", "fix", "report", "import", "emit", "bench"),
    "Your tables": ("find", "find-set", "pack", "tables", "show"),
    "Research": ("disprove", "check", "atlas", "lemma", "gather", "export"),
    "Shell": ("completion", "docs", "help"),
}
"""The commands, as help groups them. Each is `run` of the module of its name, which imports
numpy, numba and solvers inside its functions only, so that help stays quick."""
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
FEW = 20
"""Help shows all options of a command that has fewer, else only those that are not `seldom`."""

FIRST = {
    "verify": ("src/bitboard.cpp", "are this engine's tables right?"),
    "find": ("rook e4", "a magic for a square"),
    "pack": ("--budget 10m", "all tables in a smaller buffer"),
    "emit": ("black --lang c -o magics.h", "a table as source"),
    "docs": ("", "the documents"),
}
"""What is shown to whoever gives no command: an example of the five that come first."""

FORMER_OPTIONS = {
    ("pack", "--layered"): "in a checkout: python -m research.packing layered",
    ("pack", "--half"): "removed in 0.2.0; commit 9528eafe still has it",
    ("bench", "--frontier"): "in a checkout: python -m research.frontier measure",
    ("emit", "--header-only"): "removed in 0.2.0; commit 9528eafe still has it",
    **dict.fromkeys(
        ((name, "--keys") for name in ("find", "disprove", "emit", "check")),
        "files of keys were removed in 0.2.0; commit 9528eafe still reads them",
    ),
    **dict.fromkeys(
        (
            ("find", flag)
            for flag in (
                "--piece",
                "--form",
                "--two-level",
                "--masks",
                "--fixed-shift",
                "--fewer-bits",
                "--output",
                "-o",
                "--sizes",
            )
        ),
        "use magicert find-set",
    ),
    **dict.fromkeys(
        (
            ("find-set", flag)
            for flag in (
                "--order",
                "--largest-index",
                "--search",
                "--ledger",
                "--cluster",
                "--all",
                "--magic",
            )
        ),
        "only magicert find has it, for one square",
    ),
}
"""Options that somebody may have typed before, and what is there instead."""

RENAMED = {("find", "--set"): "find-set"}
"""Options of before 0.2.0 that are commands now: until 0.3.0 they call these, with a note."""

READER_GONE = 141
"""128 + SIGPIPE: what a shell sees of any command whose reader has closed the pipe."""


class ReaderGoneError(Exception):
    """Whoever read our output has closed it."""


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None


class Group(click.Group):
    """Loads commands by name, and gives every error its exit status."""

    context_class = Context
    groups: ClassVar[Mapping[str, Sequence[str]]] = GROUPS
    """The commands, by the title that they stand under in help."""
    folder: ClassVar[str] = "magicert.commands"
    """The package that has a module for each."""
    program: ClassVar[str] = "magicert"
    """The first words of a command in a provenance."""

    @property
    def names(self) -> list[str]:
        return [name for names in self.groups.values() for name in names]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return self.names

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a command a few are shown: --help has all of them."""
        if not args and self.groups is GROUPS and not ctx.resilient_parsing:
            click.echo(first_words(self.names), err=True)
            ctx.exit(STATUS[OutcomeKind.BAD_INPUT])
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.names:
            return None
        command = self.load(cmd_name)
        if command.context_class is not Context:
            command.context_class = Context
            options = [param for param in command.params if isinstance(param, click.Option)]
            if len(options) < FEW:
                for option in options:
                    vars(option)["seldom"] = False
            seldom = sum(getattr(option, "seldom", False) for option in options)
            command.params += [*OF_ALL_COMMANDS, help_all(seldom)]
        return command

    def load(self, name: str) -> click.Command:
        """The command of a name. `import` and its like, which Python keeps for itself, have a _."""
        module = name.replace("-", "_") + "_" * iskeyword(name)
        command: click.Command = import_module(f"{self.folder}.{module}").run
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in self.groups.items():
            with formatter.section(title):
                shown = {name: self.get_command(ctx, name) for name in names}
                rows = [(name, in_short(command)) for name, command in shown.items() if command]
                formatter.write_dl(rows, col_max=12)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        for (name, flag), new in RENAMED.items():
            if args[0] == name and flag in args:
                if not ctx.resilient_parsing:  # no shell asks for words
                    click.echo(f"{name} {flag} is now {new}", err=True)
                args = [new, *(word for word in args[1:] if word != flag)]
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = suggestion(args[0], self.names).capitalize()
            raise click.UsageError(f"{error.message} {hint}".rstrip(), ctx) from None

    def make_context(self, *words: Any, **extra: Any) -> click.Context:  # noqa: ANN401
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            extra["color"] = False
        with _reader():
            return super().make_context(*words, **extra)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run the command; click itself would call a reader that has gone a failure."""
        with _reader():
            return super().invoke(ctx)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:  # noqa: ANN401
        extra["standalone_mode"] = False
        try:
            status = self._status(args, *rest, **extra)
        except BrokenPipeError:  # of stderr, while an error was told
            drop_unwritten()
            status = READER_GONE
        sys.exit(status if isinstance(status, int) else 0)

    def _status(self, args: Sequence[str] | None, *rest: Any, **extra: Any) -> Any:  # noqa: ANN401
        words = sys.argv[1:] if args is None else args
        try:
            status = super().main(args, *rest, **extra)
            sys.stdout.flush()  # a help text may wait there
        except (Exception, KeyboardInterrupt) as error:
            named = with_replacement(error)
            status = self.status_of(named)
            if self.prints_json(words):
                echo_problems(named)
        return status

    def prints_json(self, words: Sequence[str]) -> bool:
        """Whether the command of these words was to print one JSON document."""
        words = words[: words.index("--")] if "--" in words else words
        name = next((word for word in words if not word.startswith("-")), "")
        command = self.get_command(click.Context(self), name) if "--json" in words else None
        return command is not None and any(param.name == "as_json" for param in command.params)

    def status_of(self, error: BaseException) -> int:
        """Say what went wrong, and with which status to exit."""
        match error:
            case Exit():
                return error.exit_code
            case click.UsageError():
                show_usage_error(error)
                return error.exit_code
            case click.ClickException():
                error.show()
                return error.exit_code
            case InputError():
                for problem in error.problems:
                    click.echo(problem, err=True)
                return error.exit_status
            case click.Abort() | KeyboardInterrupt():
                click.echo("interrupted", err=True)
                return INTERRUPTED
            case ReaderGoneError() | BrokenPipeError():
                drop_unwritten()
                return READER_GONE
            case OSError():
                drop_unwritten()
                click.echo(problem_of(error), err=True)
                return STATUS[OutcomeKind.BAD_INPUT]
        import traceback

        traceback.print_exception(error)
        click.echo("This is a bug in magicert: please report it with the input.", err=True)
        return STATUS[OutcomeKind.ERROR]


def show_usage_error(error: click.UsageError) -> None:
    """What is wrong with a command's words first, then how it is used."""
    click.echo(f"Error: {message_of(error)}", err=True)
    if error.ctx is not None:
        click.echo(error.ctx.get_usage(), err=True)
        click.echo(f"Try '{error.ctx.command_path} --help' for help.", err=True)


def with_replacement(error: BaseException) -> BaseException:
    """The same error; of an option that a command had once, with what there is instead."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error
    instead = FORMER_OPTIONS.get((str(error.ctx.info_name), error.option_name))
    message = f"{error.message.rstrip('.')}: {instead}"
    return error if instead is None else click.UsageError(message, error.ctx)


def problem_of(error: OSError) -> Problem:
    """What the system refused, and the file: of a stream there is no name."""
    file = os.fsdecode(error.filename) if error.filename else "output"
    return Problem(error.strerror or str(error), file=file)


def echo_problems(error: BaseException) -> None:
    """What ended a command as the one JSON document that it prints. Where standard output itself
    was refused, nothing can be printed; a bug has its traceback.
    """
    from magicert.show.document import bad_data, echo_json

    match error:
        case InputError():
            echo_json(bad_data(error.problems))
        case click.UsageError():
            echo_json(bad_data([Problem(message_of(error))]))
        case click.ClickException():
            echo_json(bad_data([Problem(error.format_message())]))
        case click.Abort() | KeyboardInterrupt():
            echo_json(bad_data([Problem("interrupted")], "unknown"))
        case OSError() if error.filename:
            echo_json(bad_data([problem_of(error)]))


def drop_unwritten() -> None:
    """What is still to be written has nowhere to go: Python shall not try at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def help_all(more: int) -> click.Option:
    """The option that shows all options, `more` than help."""

    def show(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
        if is_given:
            ctx.meta[EVERYTHING] = True
            click.echo(ctx.get_help())
            ctx.exit()

    return click.Option(
        ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=show,
        help=f"Show {more} more options.", hidden=not more,
    )  # fmt: skip


def first_words(commands: Iterable[str]) -> str:
    """What magicert does, five commands, and the names of the others."""
    calls = [(f"magicert {name} {words}".rstrip(), what) for name, (words, what) in FIRST.items()]
    wide = max(len(call) for call, _ in calls)
    others = ", ".join(name for name in commands if name not in FIRST)
    return "\n".join(
        [
            "magicert proves that the rook and bishop attacks of a chess engine are right.",
            "",
            *(f"  {call:<{wide}}   {what}" for call, what in calls),
            "",
            *wrap(f"More commands: {others}.", 78, break_on_hyphens=False),
            "magicert --help says what each does.",
        ]
    )


def show_version(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
    """What --version does."""
    if is_given:
        from magicert.commands.installed import about

        click.echo(about(EXTRAS))
        ctx.exit()


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 if the answer is what the command looks for (valid, found; for disprove "
    "impossible), 1 if it is the opposite, 2 bad input or usage, 3 not decided (out of time, or "
    "interrupted).",
)
@click.option(
    "-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version,
    help="Show the version, the commit and the extras, and exit.",
)  # fmt: skip
def cli() -> None:
    """Check, find and pack magic-bitboard tables, and prove the functions that use them.

    Start with one table: magicert verify shakmaty
    """
