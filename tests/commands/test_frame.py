"""What all commands share: errors as JSON, the options that went, and that every option is read."""

import ast
import inspect
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

import click
import pytest

import magicert
from magicert.commands.app import COMMANDS, FORMER_OPTIONS, RENAMED, cli
from magicert.commands.command import command, option
from magicert.commands.source_options import gathered

PACKAGE = Path(str(magicert.__file__)).parent
SAMPLE = Path(__file__).parents[1] / "source" / "samples" / "bbc.c"


def loaded(name: str) -> click.Command:
    """A command with the options that all commands have."""
    found = cli.get_command(click.Context(cli), name)
    assert found
    return found


def options(name: str) -> list[click.Option]:
    """The options of a command."""
    return [one for one in loaded(name).params if isinstance(one, click.Option)]


PRINT_JSON = [name for name in COMMANDS if any(one.name == "as_json" for one in options(name))]


# -- errors with --json


def problem(result: Any) -> str:
    """What the one document on standard output says is wrong; standard error says it, too."""
    assert result.exit_code == 2, result.output
    document = json.loads(result.stdout)
    assert document["verdict"] == "bad input"
    (wrong,) = document["problems"]
    assert wrong["message"] in result.stderr
    assert "Traceback" not in result.stderr
    return str(wrong["message"])


@pytest.mark.parametrize("name", PRINT_JSON)
def test_wrong_words_are_one_json_document(run, name):
    """An unknown option, a flag with a value, an option that lacks its value."""
    assert "--no-such" in problem(run(name, "--json", "--no-such"))
    for one in options(name):
        flag = max(one.opts, key=len)
        if one.is_flag:
            assert f"'{flag}' does not take a value" in problem(run(name, f"{flag}=x", "--json"))
        else:
            lacks = problem(run(name, "--json", flag))
            assert f"'{flag}' requires an argument: " in lacks


@pytest.mark.parametrize(
    ("name", "flag"), [case for case in FORMER_OPTIONS if case[0] in PRINT_JSON]
)
def test_an_option_that_went_is_one_json_document(run, name, flag):
    assert FORMER_OPTIONS[name, flag] in problem(run(name, flag, "--json"))


@pytest.mark.usefixtures("here")
def test_a_name_that_the_system_refuses_is_one_json_document(run):
    assert "too long" in problem(run("import", SAMPLE, "-o", "x" * 300, "--json"))


def test_a_name_that_is_no_utf_8_is_escaped(run, here):
    """As a shell gives it: the byte 0xff."""
    written = run("import", SAMPLE, "-o", "\udcff.toml", "--json")
    assert written.exit_code == 0
    assert "\\udcff.toml" in str(list(json.loads(written.stdout).values()))
    (here / "\udcff.c").write_bytes(SAMPLE.read_bytes())
    for words in ("report", "verify --json", "verify --format sarif", "verify --certificates c"):
        command, *options = words.split()
        assert run(command, "\udcff.c", *options).exit_code == 0
    assert run("emit", "shakmaty", "--lang", "c", "-o", "\udcff.h").exit_code == 0
    assert '#include "\ufffd.h"' in (here / "\udcff.h").read_text("utf-8")


@pytest.mark.parametrize(("name", "flag"), RENAMED)
def test_an_option_that_is_a_command_now_says_so_once(run, name, flag):
    """The answer is that of the command, and the note stands on standard error."""
    now = RENAMED[name, flag]
    before, after = run(name, flag, "--no-such"), run(now, "--no-such")
    assert before.stderr == f"{name} {flag} is now {now}\n{after.stderr}"


# -- every option is read


PASSED_ON = {"FunctionOptions": "FunctionQuestion"}
"""Classes whose fields become those of another one: `replace(question, **asdict(options))`."""


class Code:
    """What a piece of code names: `names` are used, defined or imported; `attributes` are read;
    `given_all` are functions and classes called with all of a mapping, `f(**words)`; `parameters`
    are those that a function of a name uses.
    """

    def __init__(self, text: str) -> None:
        self.names, self.attributes, self.given_all = set[str](), set[str](), set[str]()
        self.parameters: dict[str, set[str]] = {}
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Name(id=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                    self.names.add(name)
                case ast.Attribute(attr=name, ctx=ast.Load()):
                    self.attributes.add(name)
                case ast.Call(func=ast.Name(id=name)) if any(w.arg is None for w in node.keywords):
                    self.given_all.add(name)
                case ast.FunctionDef(name=name):
                    inside = [one for part in node.body for one in ast.walk(part)]
                    used = {one.id for one in inside if isinstance(one, ast.Name)}
                    every = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
                    self.parameters.setdefault(name, set()).update(every & used)


@pytest.fixture(scope="module")
def modules() -> list[Code]:
    """The code of the package itself, without the packages that are links in a checkout."""
    folders = [path for path in PACKAGE.iterdir() if path.is_dir()]
    paths = [*PACKAGE.glob("*.py"), *(path for one in folders for path in one.rglob("*.py"))]
    return [Code(path.read_text("utf-8")) for path in paths]


def unread(found: click.Command, modules: Sequence[Code]) -> list[str]:
    """The options of a command that its code does not read.

    A parameter of the command's function is read where the function names it. What is gathered in a
    dataclass, or given to one as `**rest`, is read where a module that knows the class names the
    attribute, or where a function that is given all of it names its parameter.
    """
    assert found.callback
    work = inspect.unwrap(found.callback)
    taken = inspect.signature(work).parameters
    body = Code(textwrap.dedent(inspect.getsource(work)))
    classes = {hint.__name__ for hint in work.__annotations__.values() if is_dataclass(hint)}
    classes |= body.given_all | {PASSED_ON[name] for name in classes & PASSED_ON.keys()}
    knowing = [module for module in modules if classes & module.names]
    functions = set[str]().union(*(module.given_all for module in knowing))
    read = set[str]().union(*(module.attributes for module in knowing))
    for module in modules:
        read |= set[str]().union(*(module.parameters.get(name, set()) for name in functions))
    of_the_frame = {"as_json", *({"force"} - {*taken})}
    names = {str(param.name) for param in found.params if param.expose_value} - of_the_frame
    return sorted(name for name in names if name not in (body.names if name in taken else read))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_read(modules, name):
    assert unread(loaded(name), modules) == []


@dataclass(frozen=True)
class TwoOptions:
    """Of which one is read below."""

    read_option: int | None
    idle_option: int | None


def test_an_option_that_nobody_reads_is_noticed(modules):
    @command("made-up")
    @option("--read")
    @option("--idle")
    @gathered("two", TwoOptions, (option("--read-option"), option("--idle-option")))
    def run(read: str, idle: str, two: TwoOptions) -> Any:  # noqa: ARG001
        return read, two.read_option

    with_it = [*modules, Code(Path(__file__).read_text("utf-8"))]
    assert unread(run, with_it) == ["idle", "idle_option"]
