"""What a language's folder may say: `dialect.toml` with something missing or wrong, variables that
begin with a dollar sign, and the names that templates are given.
"""

import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from magicert.compact.emit import LANGUAGES, Printer, dialect, prepare_table
from magicert.compact.emit.dialect import FOLDER, Dialect, about, dialects, read_dialect
from magicert.data import find_table
from magicert.problem import InputError
from magicert.table import Table, TableFile, read_table
from magicert.table.write import write_table

SIGILS = Path(__file__).parent / "sigils" / "perl"
ROW = (SIGILS / "dialect.toml").read_text()
FIELDS = [name for name in Dialect.__struct_fields__ if name != "folder"]
REQUIRED = [field.name for field in msgspec.structs.fields(Dialect) if field.required]


def changed(folder: Path, text: str) -> Dialect:
    """The dialect of the tests' own language, with another text."""
    path = folder / "dialect.toml"
    path.write_text(text)
    for name in ("table.pm", "helpers.pm", "usage.txt"):
        (folder / name).write_text((SIGILS / name).read_text())
    return read_dialect(path)


def without(field: str) -> str:
    return re.sub(rf"^{field} = .*\n", "", ROW, flags=re.MULTILINE)


@pytest.mark.parametrize("form", ["filled", "finished", "half a board"])
def test_variables_may_begin_with_a_dollar_sign(form, half_board, all_lookups, ran, tmp_path):
    file: TableFile = read_table(find_table("cfish_black"))
    if form == "half a board":
        write_table(half_board, tmp_path / "half.toml")
        file = read_table(tmp_path / "half.toml")
    text = Printer(read_dialect(SIGILS / "dialect.toml")).emit(
        prepare_table(file, "the tests"), form == "finished"
    )
    (tmp_path / "Magics.pm").write_text(text)
    (tmp_path / "main.pl").write_text((SIGILS / "main.pl").read_text())
    assert ran(tmp_path, "perl main.pl", queries=all_lookups.queries) == all_lookups.answers


@pytest.mark.parametrize("field", list(tomllib.loads(ROW)))
def test_a_missing_field_is_named_with_what_it_is_for(field, tmp_path):
    """Or the language does without it."""
    if field in REQUIRED:
        with pytest.raises(InputError) as caught:
            changed(tmp_path, without(field))
        expected = f"{tmp_path / 'dialect.toml'}: {field}: missing: {about(field)}"
        assert str(caught.value) == expected
    else:
        assert getattr(changed(tmp_path, without(field)), field) != tomllib.loads(ROW)[field]


def test_all_missing_and_unknown_fields_are_named_at_once(tmp_path):
    with pytest.raises(InputError) as caught:
        changed(tmp_path, without("read").replace("swapped =", "swaped ="))
    keys = {problem.key: problem.message for problem in caught.value.problems}
    assert keys == {
        "swapped": f"missing: {about('swapped')}",
        "read": f"missing: {about('read')}",
        "swaped": "no such field: did you mean swapped?",
    }


def test_two_languages_of_one_name_are_refused(tmp_path, monkeypatch):
    for name in ("python", "copy"):
        shutil.copytree(FOLDER / "python", tmp_path / name)
    monkeypatch.setattr(dialect, "FOLDER", tmp_path)
    with pytest.raises(InputError) as caught:
        dialects.__wrapped__()
    (problem,) = caught.value.problems
    assert (problem.file, problem.key) == (str(tmp_path / "python/dialect.toml"), "name")
    assert str(tmp_path / "copy/dialect.toml") in problem.message


@pytest.mark.cases_of("a_dialect_that_says_something_wrong.tsv")
def test_a_dialect_that_says_something_wrong(old, new, message, tmp_path):
    """Where it is read, or where the text is filled."""
    assert old in ROW
    unit = prepare_table(read_table(find_table("cfish_black")), "")

    def emit() -> str:
        return Printer(changed(tmp_path, ROW.replace(old, new))).emit(unit, literal=True)

    with pytest.raises(InputError) as caught:
        emit()
    assert str(caught.value).startswith(f"{tmp_path / 'dialect.toml'}: {message}")


def test_every_field_says_what_it_is_for():
    assert all(about(field) for field in FIELDS)


def sections() -> dict[str, set[str]]:
    """The names that the README of all languages lists, by their headings' words in backticks."""
    text = (LANGUAGES["c"].folder.parent / "README.md").read_text()
    found = {}
    for section in text.split("\n### ")[1:]:
        title, _, rest = section.partition("\n")
        found[title] = set(re.findall(r"^\| `(\w+)`", rest, re.MULTILINE))
    return found


def names_given(scope: Mapping[str, Any], title: str, found: dict[str, set[str]]) -> None:
    """The names of a scope, and of the lists in it."""
    found.setdefault(title, set()).update(scope)
    for name, value in scope.items():
        for item in value if isinstance(value, list) else []:
            names_given(item, f"In `%% for {name}`", found)


def test_the_readme_lists_the_names_that_templates_are_given(half_board: Table, tmp_path):
    found: dict[str, set[str]] = {}
    write_table(half_board, tmp_path / "half.toml")
    knight, half = find_table("pikafish_knight"), tmp_path / "half.toml"
    # Moves and records; words by parts; lists in parts, and finished ones as they are.
    for path, language in ((knight, "c"), (knight, "go"), (half, "java"), (half, "c")):
        row = LANGUAGES[language]
        scope = Printer(row).program(prepare_table(read_table(path), ""), path == half)
        own = {name: x for name, x in scope.items() if name not in row.words}
        names_given(own, "Everywhere", found)
    listed = sections()
    assert {title: listed[title] for title in found} == found
    every = {name for names in listed.values() for name in names}
    every |= {word for row in LANGUAGES.values() for word in row.words}
    for path in LANGUAGES["c"].folder.parent.glob("*/*"):
        if path.is_file() and path.name != "dialect.toml":
            text = path.read_text()
            used = {a or b for a, b in re.findall(r"(?<!\$)\$(?:(\w+)|\{(\w+)\})", text)}
            used |= {*re.findall(r"%% (?:for|if)(?: not)? (\w+)$", text, re.MULTILINE)}
            assert used <= every, path
