"""What commands share: options, the answer and its exit status, help.

    @command("tables")
    @click.argument("name", type=SHIPPED_TABLE, required=False)
    def run(name: Path | None) -> Answer: ...

A command is one file of this folder: its options, its work, and how its answer looks as text and as
data. Options are click's own; `option` adds what provenance and help want to know of them.
"""

import shlex
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from magicert.outcome import OutcomeKind, status_of
from magicert.problem import InputError, Problem, libraries
from magicert.show.outputs import check_output

Work = Callable[..., "Answer"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says: `kind` is its verdict, and so its exit status.

    `lines` go to standard output, `remarks` to standard error; `data` is the same as JSON, made
    only if it is wanted. `raw` stands before the lines: bytes as they are. A `paged` text is shown
    by the user's pager.
    """

    kind: str
    lines: Iterable[str] = ()
    data: Callable[[], object] = dict
    remarks: Iterable[str] = ()
    raw: bytes = b""
    paged: str = ""


class OutputPath(click.Path):
    """A file that a command writes: it is looked at before the work begins. "-" is standard output
    where `stream` says that it may be.
    """

    def __init__(self, *, stream: bool = False, folder: bool | None = False) -> None:
        super().__init__(dir_okay=folder is not False, file_okay=folder is not True, path_type=Path)
        self.stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        if value == "-" and not self.stream:
            message = "'-': cannot be written to standard output: expected a file's name"
            self.fail(message, param, ctx)
        return super().convert(value, param, ctx)


class Option(click.Option):
    """An option of click's, with the title (`panel`) that it stands under in help.

    `seldom` ones only --help-all shows. The command in a file's provenance leaves those out that do
    not change the result (`recorded` False), and those at their default unless they are `always`
    recorded.
    """

    def __init__(
        self, words: Sequence[str], *, panel: str = "Options", seldom: bool = False,
        recorded: bool = True, always: bool = False, **more: Any,  # noqa: ANN401
    ) -> None:  # fmt: skip
        super().__init__(words, **more)
        self.panel = panel
        self.seldom = seldom
        self.recorded = recorded
        self.always = always


def option(*flags: str, **more: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """The decorator of an `Option`."""
    return click.option(*flags, cls=Option, **more)


def command(
    name: str,
    *,
    cls: type[click.Command] = click.Command,
    success: OutcomeKind = OutcomeKind.EXISTS,
    json: bool = True,
    force: bool = False,
) -> Callable[[Work], click.Command]:
    """The command that a function is: its parameters are the options, its docstring is the help,
    and its answer is printed, as text or with --json as one document. `success` is the kind of
    answer that is a yes. --force is there if a parameter is a file that is written, or if the
    function itself takes `force`. A command may declare --force or, with `json` False, --json
    itself.
    """

    def decorate(work: Work) -> click.Command:
        takes_force = force or any(
            isinstance(parameter.type, OutputPath)
            for parameter in getattr(work, "__click_params__", ())
        )

        @wraps(work)
        def run(**given: Any) -> None:  # noqa: ANN401
            as_json = given.pop("as_json", False)
            overwrite = given["force"] if force else given.pop("force", False)
            refuse_outputs(given, force=overwrite)
            answer = work(**given)
            show(answer, as_json=as_json)
            sys.exit(status_of(answer.kind, success))

        names = [param.name for param in getattr(work, "__click_params__", ())]
        adds_force = takes_force and "force" not in names
        decorated: Any = run
        if adds_force:
            decorated = force_option(decorated)
        if json:
            decorated = json_option(decorated)
        # The two stand behind the command's own options.
        params = decorated.__click_params__
        added = adds_force + json
        decorated.__click_params__ = params[len(params) - added :] + params[: len(params) - added]
        return click.command(name, cls=cls)(decorated)

    return decorate


json_option = option("--json", "as_json", is_flag=True, is_eager=True, recorded=False,
                     help="Print one JSON document.")  # fmt: skip
force_option = option(
    "--force", is_flag=True, seldom=True, help="Overwrite a file that magicert did not write.",
    recorded=False,
)  # fmt: skip


def show(answer: Answer, *, as_json: bool) -> None:
    """Print an answer."""
    if as_json:
        from magicert.show.document import echo_json

        echo_json(answer.data())
    else:
        if answer.raw:
            click.echo(answer.raw, nl=False)
        if answer.paged:
            click.echo_via_pager(answer.paged)
        for line in answer.lines:
            click.echo(line)
    for remark in answer.remarks:
        click.echo(remark, err=True)


def refuse_outputs(values: Mapping[str, Any], *, force: bool) -> None:
    """Look at the files that the running command is to write. Raises InputError for one that is an
    input as well, or that magicert did not write.
    """
    params = click.get_current_context().command.params
    written = [str(param.name) for param in params if isinstance(param.type, OutputPath)]
    # A type that is looked up later leaves texts.
    named = [str(param.name) for param in params if getattr(param.type, "files", False)]
    inputs = [
        path
        for name, value in values.items() if name not in written
        for path in _paths(value, texts=name in named)
    ]  # fmt: skip
    for name in written:
        for path in _paths(values.get(name)):
            if str(path) != "-":
                check_output(path, inputs, force=force)


def _paths(value: object, *, texts: bool = False) -> list[Path]:
    values = value if isinstance(value, tuple | list) else (value,)
    kinds = (Path, str) if texts else Path
    return [Path(path) for path in values if isinstance(path, kinds)]


def wants_json() -> bool:
    """Whether the running command prints one JSON document."""
    return bool(click.get_current_context().params.get("as_json"))


# The command in a file's provenance.


def recorded_command(*names: str, **changed: Any) -> str:  # noqa: ANN401
    """The running command, as a line that gives the same result: it names what differs from the
    defaults. `changed` are other values than those given; of `names` (all, if none) only these
    options are looked at.
    """
    ctx = click.get_current_context()
    program: str = getattr(ctx.find_root().command, "program", "magicert")
    words = [*program.split(), str(ctx.info_name)]
    for param in ctx.command.params:
        if not names or param.name in names:
            value = changed.get(param.name, ctx.params.get(param.name))
            if is_recorded(param, value, ctx):
                words += words_of(param, value)
    return shlex.join(words)


def is_recorded(param: click.Parameter, value: object, ctx: click.Context) -> bool:
    """Whether the command of a provenance names this option."""
    if not getattr(param, "recorded", True):
        return False
    if getattr(param, "always", False) and value is not None:
        return True
    return is_given(param, value, ctx)


def is_given(param: click.Parameter, value: object, ctx: click.Context) -> bool:
    """Whether a value is another than the option's default."""
    if value in (None, (), {}):
        return False
    default = param.get_default(ctx)
    missing = param.value_is_missing(default)
    return value != (None if missing else param.type_cast_value(ctx, default))


def words_of(param: click.Parameter, value: Any) -> list[str]:  # noqa: ANN401
    """The words of a command line that give an option this value."""
    if isinstance(param, click.Option) and param.is_flag:
        return [param.opts[0] if value else param.secondary_opts[0]]
    if isinstance(value, Mapping):
        values = [f"{name}={text}" for name, text in sorted(value.items())]
    else:
        values = list(value) if param.multiple or param.nargs == -1 else [value]
    write = getattr(param.type, "write", str)
    written = [write(each) for each in values]
    if isinstance(param, click.Argument):
        return written
    return [word for each in written for word in (min(param.opts, key=len), each)]


def given_options(names: Iterable[str]) -> list[str]:
    """The flags of those of these options that the running command was given."""
    ctx, considered = click.get_current_context(), set(names)
    flags = []
    for param in ctx.command.params:
        value = ctx.params.get(str(param.name))
        if param.name in considered and is_given(param, value, ctx):
            words = param.secondary_opts if value is False else param.opts
            flags.append(next((word for word in words if word.startswith("--")), words[0]))
    return flags


def only_with(what: str, *names: str) -> list[Problem]:
    """A problem for each of these options that is given, where `what` they belong to is not."""
    return [Problem(f"{flag} needs {what}") for flag in given_options(names)]


def refuse(problems: Iterable[Problem]) -> None:
    """InputError with these problems, if there are any."""
    if all_problems := list(problems):
        raise InputError(all_problems)


# Help, and what every command has: -q and -v.

COMPLETING = "_MAGICERT_COMPLETE"
"""Is in the environment where a shell asks for words."""
VERBATIM = "    "
"""How a line of a help text begins that stays as it is: an example."""
EVERYTHING = "magicert.everything"
"""In a context: help shows what is seldom needed, too."""
IN_ONE_SENTENCE = ("--quiet", "--verbose", "--help-all", "--help")
"""Every command has these: help says them in a sentence, last."""


def _set_level(context: click.Context, option: click.Parameter, is_set: bool) -> None:
    if is_set:
        context.meta["magicert.level"] = -1 if option.name == "quiet" else 1


OF_ALL_COMMANDS = (
    click.Option(
        ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_set_level,
        help="no progress, no remarks",
    ),
    click.Option(
        ["-v", "--verbose"], is_flag=True, expose_value=False, callback=_set_level,
        help="plans and estimates, too",
    ),
)  # fmt: skip


class Formatter(click.HelpFormatter):
    """Titles are bold where a person reads them."""

    def write_heading(self, heading: str) -> None:
        self.write(f"{click.style(heading, bold=True)}:\n")


class Context(click.Context):
    """A context that writes help in groups: an option with an attribute `panel` stands under that
    title.
    """

    formatter_class = Formatter

    def invoke(self, *words: Any, **given: Any) -> Any:  # noqa: ANN401
        """Run the command. A library that is not here is bad input."""
        with libraries():
            return super().invoke(*words, **given)

    @contextmanager
    def scope(self, cleanup: bool = True) -> Iterator[click.Context]:
        """Where words are read: an error knows its command, and says what an option takes that has
        nothing behind it.
        """
        try:
            with super().scope(cleanup) as here:
                yield here
        except click.BadOptionUsage as error:
            if error.ctx:
                raise
            options = [param for param in self.command.params if error.option_name in param.opts]
            message = error.message
            if options and not getattr(options[0], "is_flag", True):
                takes = f"{options[0].make_metavar(self)} ({options[0].help})"
                message = f"{message.rstrip('.')}: {takes}"
            raise click.BadOptionUsage(error.option_name, message, self) from None

    def get_help(self) -> str:
        formatter = self.make_formatter()
        command = self.command
        command.format_usage(self, formatter)
        for paragraph in paragraphs(command.help or ""):
            formatter.write_paragraph()
            with formatter.indentation():
                if paragraph[0].startswith(VERBATIM):
                    formatter.write("".join(f"  {line}\n" for line in paragraph))
                else:
                    formatter.write_text(" ".join(paragraph))
        for title, options in self.panels(everything=bool(self.meta.get(EVERYTHING))):
            with formatter.section(title):
                formatter.write_dl(options)
        if isinstance(command, click.Group):
            command.format_commands(self, formatter)
        else:
            formatter.write_paragraph()
            formatter.write_text(self.of_all_commands())
        command.format_epilog(self, formatter)
        return formatter.getvalue().rstrip("\n")

    def panels(self, *, everything: bool) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The options with their help, by title: the usual ones, or all."""
        records: dict[str, list[tuple[str, str]]] = {}
        every = () if isinstance(self.command, click.Group) else IN_ONE_SENTENCE
        for param in self.command.get_params(self):
            if not isinstance(param, click.Option) or param.opts[-1] in every:
                continue
            record = param.get_help_record(self)
            if record is not None and (everything or not getattr(param, "seldom", False)):
                records.setdefault(getattr(param, "panel", "Options"), []).append(record)
        # Options without a title come last.
        yield from sorted(records.items(), key=lambda item: item[0] == "Options")

    def of_all_commands(self) -> str:
        options = (
            param for param in self.command.get_params(self) if isinstance(param, click.Option)
        )
        shared = [
            option for option in options if option.opts[-1] in IN_ONE_SENTENCE and not option.hidden
        ]
        shared.sort(key=lambda option: IN_ONE_SENTENCE.index(option.opts[-1]))
        texts = [f"{', '.join(option.opts)} ({option.help})" for option in shared[:-1]]
        return f"Every command has {', '.join([*texts, *shared[-1].opts])}."


def paragraphs(text: str) -> Iterator[Sequence[str]]:
    """The paragraphs of a help text, line by line."""
    for paragraph in cleandoc(text).split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        if lines[0]:
            yield lines


def in_short(command: click.Command) -> str:
    """The first line of a command's help."""
    return textwrap.shorten(cleandoc(command.help or "").partition("\n\n")[0], 200).rstrip(".")
