"""The options about compiled functions, which `verify` and `report` have, and what comes of them.

No other module of the command line knows the package magicert.functions.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from magicert.commands.command import Answer, given_options, option
from magicert.commands.options import budget, memory
from magicert.commands.source_options import SourceOptions, gathered
from magicert.outcome import OutcomeKind, Unknown
from magicert.problem import InputError, Problem, printable
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.functions.certificate import FunctionCertificate
    from magicert.functions.listing import Listing
    from magicert.functions.question import FunctionFile, FunctionQuestion
    from magicert.show.document import Document

PANEL = "How to prove functions"
FLAGS = "magicert.flags"
"""In a context: the words behind --, which are a compiler's."""
_option = partial(option, panel=PANEL)
_seldom = partial(_option, seldom=True)


def _one_after_another(_: click.Context, __: click.Parameter, inits: Sequence[str]) -> str | None:
    """Several inits as one call, in C, C++, Rust and Zig."""
    if not inits[1:]:
        return inits[0] if inits else None
    calls = (name if name.endswith(")") else f"{name}()" for name in inits)
    return f"({', '.join(calls)})"


class WithFlags(click.Command):
    """A command whose words behind `--` are a compiler's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            flags = args[place + 1 :]
            options = {word.partition("=")[0] for word in args[:place]}
            of_functions = {"--function", "--functions", "--function-file"} & options
            if of_functions or any(flag.startswith("-") for flag in flags):
                ctx.meta[FLAGS] = tuple(flags)
                args = args[:place]
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True)
class FunctionOptions:
    """What is to be proved of an engine's functions, and how they are compiled: the words of these
    options, None and () where an option is not there.
    """

    functions: tuple[str, ...]
    listing: bool | None
    function_file: Path | None
    init: str | None
    build: Path | None
    run: bool | None
    target: str | None
    compiler: str | None
    traps: bool | None
    proof: Path | None
    cached: bool | None
    seconds: float | None
    memory: int | None


function_options = gathered(
    "functions",
    FunctionOptions,
    (
        _option(
            "--function", "functions", multiple=True, metavar="[KIND:]PIECE=NAME",
            help="A function to prove for all occupancies, as in rook=rook_attacks. KIND is "
            "attacks (the default), setwise, xray or index; or, for a function of two squares, "
            "between, line or ray (without PIECE: the queen's lines).",
        ),
        _option(
            "--functions", "listing", is_flag=True, default=None,
            help="Prove nothing: list the functions and tables of the source that could be, what "
            "their names say that they are, and the command that proves them.",
        ),
        _option(
            "--function-file", metavar="FILE.function.toml",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Take these options from this file. Such a file can run programs, so magicert "
            "reads it only if you name it here.",
        ),
        _option(
            "--init", metavar="NAME", multiple=True, callback=_one_after_another,
            help="Run this function first, because it fills the tables; several in their order: "
            "'init_masks(), init_magics()', or --init for each. That runs the source's code.",
        ),
        _option(
            "--build", metavar="compile_commands.json",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Take the flags of the source from this file: include folders, macros, the "
            "language's version, the processor. The compiler is not taken from it.",
        ),
        _seldom(
            "--run", is_flag=True, default=None,
            help="Allow the compiled code to be loaded and called: static initialisers run, and "
            "counterexamples are confirmed.",
        ),
        _seldom(
            "--target", metavar="TARGET[,TARGET...]",
            help="Compile for x86_64_v3, aarch64, wasm32, armv7, i386, or a triple. With several "
            "each function is proved for each, and the verdict is the gravest.",
        ),
        _seldom("--compiler", metavar="NAME", help="clang, zig, rustc, or a path."),
        _seldom(
            "--traps/--no-traps", is_flag=True, default=None,
            help="Look for undefined behaviour in a second build, in which it traps. The default.",
        ),
        _seldom(
            "--proof", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
            help="Write clauses and a DRUP proof for each square into this folder; the verified "
            "checker checks them.",
        ),
        _seldom(
            "--cache/--no-cache", "cached", is_flag=True, default=None,
            help="Take from the user's cache what was compiled and proved in an earlier run. "
            "The default.",
        ),
        budget(panel=PANEL, seldom=True),
        memory(panel=PANEL, help="Memory limit."),
    ),
)  # fmt: skip
"""The decorator of a command that has these options: it takes `functions`, a FunctionOptions."""


@dataclass(frozen=True, slots=True)
class CertifiedFunctions:
    """Functions, and what came of them."""

    question: "FunctionQuestion"
    result: "FunctionCertificate | Unknown"
    others: "tuple[CertifiedFunctions, ...]" = ()
    """The same for other targets."""

    @property
    def documents(self) -> "list[Document]":
        from magicert.functions.documents import documents_of, of_targets

        results = [(one.question, one.result) for one in (self, *self.others)]
        documents = [list(documents_of(result, question)) for question, result in results]
        return of_targets(results, documents) if self.others else documents[0]

    @property
    def data(self) -> dict[str, Any]:
        """The answer as JSON."""
        from magicert.functions.documents import as_json, targets_as_json

        if self.others:
            return targets_as_json([(one.question, one.result) for one in (self, *self.others)])
        return as_json(self.result)

    @property
    def is_decided(self) -> bool:
        """Whether there is a certificate, or findings."""
        return not all(isinstance(one.result, Unknown) for one in (self, *self.others))

    def certificate_file(self, folder: Path) -> Path:
        """Where the certificate or the findings are written."""
        from magicert.functions.work import certificate_file

        return certificate_file(self.question, folder, str(self.data["verdict"]))

    def play_back(self, file: Path) -> str:
        """Write what was refuted as a test, and say so, or why there is none."""
        from magicert.functions.playback import playback
        from magicert.system.whole_file import write_whole

        for one in (self, *self.others):
            if not isinstance(one.result, Unknown) and one.result.verdict == "invalid":
                break
        else:
            return f"nothing is refuted: {printable(file)} is not written"
        try:
            text = playback(one.result, one.question, file)
        except InputError as error:
            return "; ".join(f"{printable(file)} is not written: {one}" for one in error.problems)
        if not text:
            return f"no finding has an input: {printable(file)} is not written"
        write_whole(file, text.encode("utf-8", "surrogateescape"))
        return f"{printable(file)}: what is refuted, as a test; its first lines say how to run it"

    def page(self) -> str:
        from magicert.functions.page import function_page

        return function_page(self.result, self.question, self.documents)


def has_functions(functions: FunctionOptions, paths: Iterable[Path]) -> bool:
    """Whether functions are to be certified. Raises InputError for options that go with --function
    only, and for a file beside a source that says what would be proved: whoever relied on it must
    not take a verdict on the numbers for one on the function.
    """
    if functions.functions or functions.listing or functions.function_file is not None:
        return True
    stray = given_options(field.name for field in fields(functions))
    if _flags():
        stray.append("flags behind --")
    if stray:
        raise InputError([Problem(f"{stray[0]}: needs --function PIECE=NAME")])
    if problems := [_not_obeyed(*pair) for pair in _function_files(paths)]:
        raise InputError(problems)
    return False


def certify(
    paths: Sequence[Path], functions: FunctionOptions, source: SourceOptions,
    playback: Path | None = None,
) -> CertifiedFunctions:  # fmt: skip
    """Certify the functions of some sources. InputError where there is nothing to certify, or where
    `playback` cannot be a test of these sources.
    """
    from magicert.functions.question import question_of, sources_of
    from magicert.functions.work import certify_targets

    paths = tuple(paths)
    if not paths and functions.function_file is None:
        raise InputError([Problem("expected the PATH of a source")])
    words = _words(functions, source)
    file = _file_to_obey(paths, functions.function_file, words)
    if file is not None and all(path.is_dir() for path in paths):
        paths = tuple(sources_of(file.path)[:1])
        if not paths:
            message = f"there is no source beside it, such as {_stem(file.path)}.c"
            raise InputError([Problem(message, file=str(file.path))])
    _check_no_folder(paths)
    stated = () if file is None else file.stated.get("flags", ())
    words["flags"] = _with_build(functions, paths, words["flags"] or stated)
    question = question_of(paths, words, file)
    if playback is not None:
        from magicert.functions.playback import check_playback

        check_playback(playback, question)
    if question.proof is not None:
        question.proof.mkdir(parents=True, exist_ok=True)

    def watch(one: "FunctionQuestion") -> ProgressDisplay:
        title = f"certifying {paths[0].name}{f' for {one.target}' * (',' in question.target)}"
        return ProgressDisplay(title, "squares")

    first, *others = (CertifiedFunctions(*one) for one in certify_targets(question, watch))
    return replace(first, others=tuple(others))


def _check_no_folder(paths: Iterable[Path]) -> None:
    """A folder is no source: which of its files may have the functions."""
    for path in (one for one in paths if one.is_dir()):
        message = "is a folder: expected the file that has the function"
        if found := _likely_sources(path):
            message += f", such as {' or '.join(printable(one) for one in found)}"
        raise InputError([Problem(message, file=str(path))])


def _likely_sources(folder: Path) -> list[Path]:
    from magicert.functions.likely_sources import likely_sources
    from magicert.verify.source.folder import VENDORED

    return likely_sources(folder, VENDORED)


def _words(functions: FunctionOptions, source: SourceOptions) -> dict[str, Any]:
    """The options as `question_of` takes them."""
    words = asdict(functions)
    del words["function_file"], words["build"], words["listing"]
    words["cached"] = words["cached"] is not False
    words["functions"] = _names_by_piece(functions.functions, source.pieces)
    return words | {"flags": _flags(), "order": source.order, "board": source.board}


def _with_build(
    functions: FunctionOptions, paths: Sequence[Path], flags: Sequence[str]
) -> tuple[str, ...]:
    """The compiler's words behind those of the build that is named."""
    return (*(_flags_of_build(functions.build, paths) if functions.build else ()), *flags)


def listed_functions(
    paths: Sequence[Path], functions: FunctionOptions, source: SourceOptions
) -> Answer:
    """What could be proved in some sources: no proof. Raises InputError for a source that does not
    compile, and for options that ask for a proof as well.
    """
    from magicert.functions.likely_sources import listing_of_folder
    from magicert.functions.listing import listing
    from magicert.functions.question import question_of
    from magicert.system.deadline import BudgetOverError

    paths = tuple(paths)
    if not paths:
        raise InputError([Problem("expected the PATH of a source")])
    if functions.functions or functions.function_file is not None:
        raise InputError([Problem("--functions proves nothing: give it without --function")])
    folder = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
    files = _likely_sources(folder) if folder is not None else []
    if not files:
        _check_no_folder(paths)

    @cache
    def question_about(*sources: Path) -> "FunctionQuestion":
        words = _words(functions, source)
        words["flags"] = _with_build(functions, sources, words["flags"])
        # Any function makes a question; what it is does not matter.
        return question_of(sources, {**words, "functions": {"rook": "rook"}})

    file = paths[0]
    try:
        with ProgressDisplay(f"compiling {(files or paths)[0].name}"):
            if files:
                file, found = listing_of_folder(files, question_about)
            else:
                found = listing(question_about(*paths))
    except BudgetOverError:
        message = "not decided: the compiler took too long: a longer --budget helps"
        return Answer(OutcomeKind.UNKNOWN, [f"{printable(paths[0])}: {message}"])
    kind = OutcomeKind.EXISTS if found.found else OutcomeKind.IMPOSSIBLE
    remarks = list[str]()
    if rest := [one for one in files if one != file]:
        names = " and ".join(printable(one) for one in rest)
        remarks.append(f"{printable(paths[0])}: functions may be in {names} as well")
    return Answer(kind, _lines_of(found, file), found.as_data, remarks)


def _lines_of(found: "Listing", source: Path) -> Iterator[str]:
    """A listing as text: its command comes later, for compilers are asked for what it needs."""
    yield from found.as_lines(printable(source))
    with ProgressDisplay("looking for what the command needs"):
        command = found.command
    if command:
        yield "Names say what these are. This command proves or refutes what they say of pieces:"
        yield f"  {printable(command)}"


def without_gap(source: SourceOptions) -> SourceOptions:
    """How the numbers of the same sources are read: lists have no gap, a function's words may. An
    order that is guessed of functions says nothing of lists.
    """
    from magicert.functions.compare.layout import order_alone
    from magicert.functions.question import GUESSED

    if source.order is None or source.order.endswith(GUESSED):
        return replace(source, order=None)
    return replace(source, order=order_alone(source.order))


def _flags() -> tuple[str, ...]:
    """The compiler's words."""
    return cast("tuple[str, ...]", click.get_current_context().meta.get(FLAGS, ()))


def _flags_of_build(build: Path, sources: Sequence[Path]) -> tuple[str, ...]:
    """The flags of a build, which are shown before they are obeyed."""
    from magicert.functions.compile.build import flags_of

    flags = flags_of(build, tuple(sources))
    click.echo(printable(flags.as_lines), err=True)
    return flags.flags


def _function_files(paths: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """The files beside sources that say something of functions, but for other people's folders."""
    paths = tuple(paths)
    if not any(path.exists() for path in paths):
        return
    from magicert.functions.question import function_files
    from magicert.verify.source.folder import VENDORED

    for top in paths:
        for file, source in function_files([top]):
            inside = file.relative_to(top).parts[:-1] if top.is_dir() else ()
            if not any(part.lower() in VENDORED or part[:1] == "." for part in inside):
                yield file, source


def _not_obeyed(file: Path, source: Path) -> Problem:
    message = f"lies beside {printable(source)}, but is not used, because it can run programs: "
    message += f"--function-file {shlex.quote(str(file))} uses it"
    return Problem(message, file=str(file))


def _file_to_obey(
    paths: Iterable[Path], named: Path | None, words: dict[str, Any]
) -> "FunctionFile | None":
    """The file that --function-file names: what it adds is shown before anything comes of it. So is
    one that lies beside a source and is not named.
    """
    from magicert.functions.question import read_function_file

    for path, _ in _function_files(paths):
        if named is None or not path.samefile(named):
            click.echo(f"{printable(path)}: not used: --function-file uses it", err=True)
    if named is None:
        return None
    file = read_function_file(named)
    for line in file.as_lines(words):
        click.echo(printable(line), err=True)
    return file


def _stem(file: Path) -> str:
    from magicert.functions.question import ENDING

    return file.name.removesuffix(ENDING)


def _names_by_piece(texts: Sequence[str], pieces: Sequence[str]) -> dict[str, str]:
    """PIECE=NAME, or NAME with --piece."""
    names: dict[str, str] = {}
    problems = []
    for number, text in enumerate(texts):
        key, equals, name = text.partition("=")
        if not equals and number < len(pieces):
            key, name = pieces[number], text
        elif not equals:
            message = "expected PIECE=NAME, such as rook=rook_attacks: --functions lists them"
            problems.append(Problem(message, key=f"--function {text}"))
            continue
        if key in names:
            message = f"{key} is given twice: use a command for each"
            problems.append(Problem(message, key=f"--function {text}"))
        names[key] = name
    if problems:
        raise InputError(problems)
    return names
