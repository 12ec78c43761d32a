"""Options about an engine's functions, for `verify` and `report`: what they compute, and how to
compile them.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from magicert.cli.options.types import DurationType
from magicert.cli.options.work import Decorator, options

_OPTIONS: Decorator = options(
    click.option(
        "--function", "functions", multiple=True, metavar="[KIND:]PIECE=NAME",
        help="A function to certify for all occupancies, as in rook=rook_attacks. KIND: attacks, "
        "setwise, xray or index.",
    ),
    click.option(
        "--init", metavar="NAME",
        help="Run this function of the source before tables are read. That runs the source's code.",
    ),
    click.option(
        "--run", is_flag=True, default=None,
        help="Allow to load and call the compiled code: static initialisers run, and "
        "counterexamples are confirmed.",
    ),
    click.option("--target", metavar="TARGET", help="As in x86_64_v3, aarch64, or a triple."),
    click.option("--compiler", metavar="NAME", help="clang, zig, rustc, or a path."),
    click.option(
        "--traps/--no-traps", default=None,
        help="Look for undefined behaviour in a second build, in which it traps. The default.",
    ),
    click.option(
        "--proof", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Write clauses and a DRUP proof for each square; the verified checker looks at them.",
    ),
    click.option("--budget", "seconds", type=DurationType(), help="Stop after 90s, 10m or 2h."),
    click.option("--memory", type=click.IntRange(min=64), metavar="MIB", help="Memory limit."),
    panel="How to certify functions",
)  # fmt: skip
_NAMES = ("functions", "init", "run", "target", "compiler", "traps", "proof", "seconds", "memory")


class WithFlags(click.Command):
    """A command whose words behind `--` are a compiler's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What stands before `--` is the command's own."""
        if "--" in args:
            place = args.index("--")
            flags = args[place + 1 :]
            if any(flag.startswith("-") for flag in flags) or "--function" in args[:place]:
                ctx.meta["magicert.flags"] = tuple(flags)
                args = args[:place]
        return super().parse_args(ctx, args)


def function_options(instead: Callable[..., None]) -> Decorator:
    """The options; where a function is asked about, `instead` is called with the paths, these
    options, the compiler's flags and the command's own options.
    """
    return lambda command: _with_functions(command, instead)


def _with_functions(command: Callable[..., Any], instead: Callable[..., None]) -> Any:  # noqa: ANN401
    @wraps(command)
    def with_functions(*arguments: Any, **given: Any) -> Any:  # noqa: ANN401
        own = {name: given.pop(name) for name in _NAMES}
        context = click.get_current_context()
        flags = context.meta.get("magicert.flags", ())
        paths = tuple(Path(path) for path in given.get("paths", [given.get("table")]))
        if own["functions"] or (paths and _stated_beside(paths[0])):
            return instead(paths, own, flags, given)
        stray = [name for name in _NAMES if own[name] not in (None, ())]
        if stray or flags:
            what = "flags behind --" if flags else f"--{stray[0].replace('seconds', 'budget')}"
            raise click.UsageError(f"{what}: expected --function PIECE=NAME as well")
        return command(*arguments, **given)

    return _OPTIONS(with_functions)


def _stated_beside(path: Path) -> bool:
    """Whether a file beside the source asks about its functions."""
    return path.is_file() and path.with_name(f"{path.stem}.function.toml").is_file()
