"""The constant lists of a source: names, types, items, lines and columns."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from magicert.languages.alternatives import alternatives
from magicert.languages.brackets import Tree, literals, read_items, refuse_deep
from magicert.languages.comments import blank
from magicert.languages.definitions import Definitions
from magicert.languages.evaluator import BEFORE, INSIDE, Evaluator
from magicert.languages.items import (
    ItemRow,
    ListItem,
    Value,
    guessed,
    records_in_types,
    row_in_type,
)
from magicert.languages.language import PLAIN, parse_within
from magicert.languages.macros import DEFINE
from magicert.languages.syntax import Declaration, Syntax, for_grammar, read_expression
from magicert.problem import names_apart
from magicert.verify.source.cells import cell_lists
from magicert.verify.source.files import line_starts, text_and_code
from magicert.verify.source.gathered import Filled, gathered, joined_to
from magicert.verify.source.source_text import SECONDS, ItemStatement, NumberList, Source

FEWEST = 16
"""Lists of fewer numbers are of no use."""


_LONG = re.compile(
    r"0[xX][0-9a-fA-F_']{7,}|\d[\d_']{9,}|\$[0-9a-fA-F]{8,}|\"(?:0x)?[0-9a-fA-F]{8,}\""
)


_HIT = re.compile(
    r"0[xX][0-9a-fA-F_']{7,}|\d[\d_']{8,}|\b\d[\da-fA-F]{7}\b|\"(?:0[xX])?[0-9a-fA-F]{8,16}\""
    r"|[\[({,|]\s*-?\d[\w']*\s*[,;]\s*-?\d[\w']*\s*(?:[,;]|[\])}]\s*[,;]\s*[\[({])"
    r"|[\[({]\s*(?:[^\s,;{}][^,;{}\n]{0,150},\s*){4}"
    r"|\](?:(?:\.|->)\w+)?\s*=\s*(?=[^=\s{\[(])"
)


_PARTS = ("number", "unary", "binary", "cast", "expression")
"""Kinds of what stands for one number."""


MOST_EXPRESSION = 20_000
"""Letters of a statement's value that are read."""


_BETWEEN = re.compile(r"[,;\s]\s*")


_RUN_THROUGH = ("for_in_clause", "for_clause", "comprehension_for", "generator")
"""Nodes of a comprehension, which makes another list of one."""


_PERHAPS = re.compile(
    r"(?:if|for|foreach|while|do|switch|case|match|try|catch|when|unless|loop|guard)_?.*"
)
"""Nodes of what may happen, or more than once."""


_SQUARE = re.compile(r"(?:\w++(?:\.|::))?(?:SQ_?|sq_?)?([A-Ha-h])([1-8])")


_PROPERTY = re.compile(
    r"^[ \t]*([\w.]+)[ \t]*[=:][ \t]*((?:[^\s,]++[ \t]*+,[ \t\\\n]*+){15,}+[^\s,]++)", re.MULTILINE
)


def read_sources(
    files: Sequence[tuple[Path, bytes]], word: int = 64, names: Mapping[Path, str] | None = None
) -> list[list[Source]]:
    """Each file under each choice of its `#if` branches, by the `names` that tell them apart."""
    names = names or names_apart(path for path, _ in files)
    by_file: list[list[Source]] = []
    known: list[Definitions] = []
    for path, data in files:
        text, language, plain, code = text_and_code(path, data)
        refuse_deep(code, str(path))
        choices = alternatives(code)
        not_read = tuple(f"not read: {names[path]}, {branch.words}" for branch in choices.not_read)
        readings = []
        for choice in choices.readings:
            definitions = Definitions(_without(code, choice.omitted), language, word, known)
            source = Source(
                path, names[path], language, _without(plain, choice.omitted), definitions.code,
                line_starts(text), definitions,
                taken=choice.taken, notes=not_read,
            )  # fmt: skip
            readings.append(source)
        known += [source.definitions for source in readings[:1]]
        by_file.append(readings)
    for readings in by_file:
        seconds = SECONDS
        for source in readings:
            reader = _Reader(source, seconds)
            reader.read()
            seconds = reader.seconds
            if (
                word == 64
                and source is readings[0]
                and len(readings) > 1
                and not _may_hold_a_table(source, readings[1:])
            ):
                del readings[1:]
    return [_different(readings) for readings in by_file]


def _may_hold_a_table(first: Source, others: Iterable[Source]) -> bool:
    """Is there a list about as long as a chessboard is large, or may another branch have one?"""
    counts = [
        n
        for number_list in first.lists
        for n in (len(number_list.row.items), len(number_list.values()))
    ]
    taken = {(b.start, b.end) for b in first.taken}
    branches = {(b.start, b.end) for other in others for b in other.taken} - taken
    numbers = sum(len(_LONG.findall(other.text, *span)) for other in others for span in branches)
    return numbers >= FEWEST or any(n > 60 and min(n % 64, -n % 64) <= 3 for n in counts)


def _different(readings: list[Source]) -> list[Source]:
    """Those of a file's alternatives that differ in their numbers."""
    if len(readings) == 1:
        return readings
    seen: list[object] = []
    distinct = []
    for source in readings:
        key = [(number_list.name, number_list.values()) for number_list in source.lists]
        if key not in seen:
            seen.append(key)
            distinct.append(source)
    return distinct


def _without(text: str, parts: Iterable[tuple[int, int]]) -> str:
    done, pieces = 0, []
    for start, end in sorted(parts):
        if end > done:
            pieces += [text[done : max(done, start)], blank(text, max(done, start), end)]
            done = end
    return "".join([*pieces, text[done:]])


class _Reader:
    """Finds the lists of one source."""

    def __init__(self, source: Source, seconds: float = SECONDS) -> None:
        self.source = source
        self.seconds = seconds
        self.text = source.text.encode("ascii", "replace").decode()
        self.values = Evaluator(source.definitions, self.text)
        self.lists_so_far: list[NumberList] = []
        self.assigned: dict[str, dict[int, ItemStatement]] = {}

    def read(self) -> None:
        source = self.source
        parser = source.language.parser()
        notes: list[str] = []
        filled: list[Filled] = []
        if self.by_rows():
            pass
        elif parser is None:
            filled = self.filled()
            self.by_brackets(_without(self.text, _spans(filled)))
            why = f"{source.file}: no grammar for {source.language.name}"
            if source.language.grammar:
                why += " is not installed: pip install 'magicert[grammars]'"
            notes.append(f"{why}; until then only brackets and numbers are read")
        else:
            tree, started = None, time.process_time()
            if self.seconds > 0:
                tree = parse_within(parser, for_grammar(self.text, source.language), self.seconds)
            self.seconds -= time.process_time() - started if tree is not None else SECONDS
            source.root = tree.root_node if tree is not None else None
            covered = self.by_grammar(tree.root_node) if tree is not None else []
            covered += self.by_macros()
            filled = self.filled()
            covered += _spans(filled)
            rest = _without(source.code.encode("ascii", "replace").decode(), covered)
            if len(_LONG.findall(rest)) >= FEWEST * 3:
                lists, before = len(self.lists_so_far), len(self.lists_so_far) + len(self.assigned)
                self.by_brackets(rest)
                self.lists_so_far[lists:] = [
                    replace(number_list, loose=True) for number_list in self.lists_so_far[lists:]
                ]
                if len(self.lists_so_far) + len(self.assigned) > before:
                    why = "the grammar failed: only brackets and numbers are read in part of it"
                    notes.append(f"{source.file}: {why}")
        self.fill(filled)
        self.assignments()
        source.lists = tuple(
            sorted(
                self.lists_so_far, key=lambda number_list: (number_list.line, number_list.column)
            )
        )
        source.notes = (*source.notes, *notes)

    def by_rows(self) -> bool:
        """Read a file that is nothing but numbers, or records of them: other files include it in
        brackets. False if it is another file.
        """
        if not re.match(r"\s*[-$\d({\[]", self.text):
            return False
        items = read_items(self.text, 0, len(self.text), self.source.language)
        records = self.source.language is PLAIN or self.source.language.name == "JSON"
        known = ("number", "unary", "binary", *(("pair", "text") if records else ()))
        inside = (
            part.kind in known
            for item in items
            for part in (item.children if item.kind == "list" else (item,))
        )
        if len(items) < FEWEST or not all(inside):
            return False
        row = self.row(Tree("list", items[0].start, items[-1].end, "", items))
        if row is not None:
            self.add(self.source.path.stem, "", row, ())
        return row is not None

    def by_grammar(self, root: "object") -> list[tuple[int, int]]:
        syntax = Syntax(self.text, self.source.language)
        covered: list[tuple[int, int]] = []
        done = 0
        names = (
            [rf"\b(?:{'|'.join(names_of_lists)})\b"]
            if (names_of_lists := self.source.definitions.several)
            else []
        )
        compact = "|".join(filter(None, [*names, self.source.language.several])) or "(?!)"
        several = re.compile(compact)
        for match in re.compile(rf"(?P<several>{compact})|{_HIT.pattern}").finditer(self.text):
            inside = match["several"] is None and match[0][0] in "[({,]"
            place = match.end() - (match[0][0] != "]") if inside else match.start()
            if place < done:
                continue
            node = root.descendant_for_byte_range(place, place + 1)  # type: ignore[attr-defined]
            outer = syntax.outermost(node)
            if outer is not None and match[0][0] != "]":
                parts = self.text[outer.start_byte : outer.end_byte]
                enough = len(_BETWEEN.findall(parts)) >= FEWEST - 1 or several.search(parts)
                row = self.row(syntax.tree(outer)) if enough else None
                if row is not None:
                    if outer.parent is not None and outer.parent.type in _RUN_THROUGH:
                        row = guessed(row, f"{BEFORE}a comprehension")
                    elif around := syntax.around(outer):
                        row = guessed(row, f"{INSIDE}{around}")
                    header = Declaration(syntax, outer)
                    self.add(header.name, header.type, row, header.around)
                    done = outer.end_byte
                    covered.append((outer.start_byte, done))
                    continue
            header = Declaration(syntax, node)
            if header.subscript is not None and header.declaration is not None:
                self.assign(header, syntax, node)
                done = header.declaration.end_byte
                covered.append((header.declaration.start_byte, done))
        return covered

    def by_macros(self) -> list[tuple[int, int]]:
        """Macros that are lists: of numbers, or of records that another macro is called with."""
        covered = []
        for match in DEFINE.finditer(self.source.code) if self.source.language.is_c else ():
            start, end = match.span("body")
            if len(_LONG.findall(match["body"])) >= FEWEST:
                text = self.text.replace("\\\n", " \n")
                items = read_items(text, start, end, self.source.language)
                row = self.row(Tree("list", start, end, "", items))
                if row is not None:
                    self.add(match["name"], "", row, ())
                    covered.append(match.span())
        return covered

    def row(self, tree: Tree) -> ItemRow | None:
        """A list with enough numbers; None where a tree is none."""
        try:
            value = self.values.value(tree)
        except RecursionError:
            return None
        if not isinstance(value, ItemRow) or sum(1 for _ in value.flat()) < FEWEST:
            return None
        return value

    def assign(self, header: Declaration, syntax: Syntax, node: "object") -> None:
        """A statement `magics[A7] = 0x...`."""
        assert header.subscript is not None
        assert header.declaration is not None
        whole = header.declaration
        right = whole.child_by_field_name("right") or whole.named_children[-1]
        if right.start_byte > node.start_byte or right.end_byte < node.end_byte:  # type: ignore[attr-defined]
            return
        target = right.prev_named_sibling or header.subscript
        if self.text[target.end_byte : right.start_byte].strip() not in ("=", ":="):
            return  # another operator
        index = self.values.value(syntax.tree(header.subscript))
        value = self.values.value(syntax.tree(right))
        if isinstance(value, ItemRow) and len(value.items) == 1 and right.type == "expression_list":
            (value,) = value.items
        if isinstance(index, ListItem) and index.value is None and isinstance(value, ListItem):
            named = _SQUARE.fullmatch(index.text)  # an enumerator of another file
            if named is not None:
                number = "abcdefgh".index(named[1].lower()) + 8 * int(named[2]) - 8
                index = replace(index, value=number)
                value = replace(value, guess=f"{index.text} = {number}")
        if isinstance(index, ListItem) and isinstance(value, ListItem) and index.value is not None:
            ancestor, sure = whole.parent, value.value is not None
            while ancestor is not None and syntax.kinds.get(ancestor.type) != "function":
                sure = sure and not _PERHAPS.fullmatch(ancestor.type)
                ancestor = ancestor.parent
            span = (whole.start_byte, whole.end_byte)
            statement = ItemStatement(value, span, header.around, sure, called=ancestor is not None)
            self.note(header.name, index.value, statement)

    def note(self, name: str, index: int, statement: ItemStatement) -> None:
        """Keep a statement: the last one counts, if nothing makes it doubtful."""
        name = re.sub(r"^(?:this|self|Self)(?:\.|::|->)", "", name)
        known = self.assigned.setdefault(name, {})
        known[index] = statement._replace(
            sure=statement.sure and (index not in known or known[index].sure)
        )

    def by_brackets(self, text: str) -> None:
        """Lists by brackets and numbers, where no grammar helps."""
        language = self.source.language
        if language.directives:
            self.by_directives(text)
            return
        try:
            items = read_items(text, 0, len(text), language)
            self.below(items, "", ())
        except RecursionError:
            return
        if language is PLAIN and not self.lists_so_far:
            cells = cell_lists(text)
            if not any(len(cell_list.row.items) % 64 == 0 for cell_list in cells):
                self.by_lines(text)
            for cell_list in cells if not self.lists_so_far else ():
                self.add(cell_list.name or self.source.path.stem, "", cell_list.row, ())
        if language.clauses:
            for match in re.finditer(
                r"^([A-Za-z_]+)(\d+)[ \t]*=[ \t]*(-?\d+)(?:\\?:(\d+))?$", text, re.MULTILINE
            ):
                numbers = [ListItem(int(match[n]), match.start(n)) for n in (3, 4) if match[n]]
                pair = ItemRow(tuple(numbers), ("",) * len(numbers), match.start(3), match.end())
                value = numbers[0] if len(numbers) == 1 else pair
                self.note(match[1], int(match[2]), ItemStatement(value, match.span()))
            for match in _PROPERTY.finditer(text):
                inside = read_items(text, *match.span(2), language)
                row = self.row(Tree("list", *match.span(2), "", inside))
                if row is not None:
                    self.add(match[1], "", row, ())

    def below(
        self, items: Sequence[Tree], name: str, around: tuple[str, ...], maker: str = ""
    ) -> None:
        """The lists among items, at any depth; `maker` is what makes something else of them."""
        language = self.source.language
        for item in items:
            value, inner_name = item, name
            if item.kind == "pair":
                value = item.children[0]
                if len(item.children) > 1 and item.word:
                    self.state(item)
                    continue
                inner = name and item.word and not item.word[0].isupper()
                inner_name = f"{name}.{item.word}" if inner else item.word or name
            if value.kind not in ("list", "call", "cast", "unary", "binary"):
                self.below(value.children, inner_name, around, maker or value.word)
                continue
            inner_name = inner_name or value.word
            inside = value.children
            plain = [c.children[0] if c.kind == "pair" else c for c in inside]
            several = len(plain) >= FEWEST and all(c.kind in (*_PARTS, "other") for c in plain)
            rows = len(inside) >= FEWEST and all(
                c.kind == "list"
                and len(c.children) > 1
                and all(n.kind in _PARTS for n in c.children)
                for c in inside
            )
            enough = (
                several
                or rows
                or (
                    any(_LONG.search(self.text, c.start, c.end) or self.is_number(c) for c in plain)
                    and sum(c.kind in (*_PARTS, "text", "call", "list") for c in plain)
                    >= FEWEST / 8
                )
            )
            wide = (
                c.children[0].kind in ("list", "call")
                and len(_LONG.findall(self.text, c.start, c.end)) >= FEWEST
                for c in inside
                if c.kind == "pair"
            )
            if enough and not any(wide):
                row = self.row(value)
                if row is not None:
                    row = guessed(row, f"{INSIDE}{maker}") if maker else row
                    self.add(inner_name, value.word, row, around)
                    continue
            outer = (*around, value.word or inner_name) if value.word or inner_name else around
            alone = value.kind == "call" and [child.kind for child in inside] in (
                ["list"],
                ["call"],
            )
            known = language.keeps(value.word) or self.source.definitions.types.type_of(value.word)
            called = f"{value.word}(...)" if alone and not known else ""
            self.below(inside, inner_name, outer, maker or called)

    def is_number(self, tree: Tree) -> bool:
        """Is a part of a list a number, or worked out to be one?"""
        if tree.kind == "number" or tree.kind not in (*_PARTS, "text"):
            return tree.kind == "number"
        return getattr(self.values.item(tree), "value", None) is not None

    def state(self, item: Tree) -> None:
        value, index = (self.values.value(child) for child in item.children)
        if not isinstance(index, ListItem) or index.value is None:
            return
        clause = self.text[item.children[1].end] not in ")]"  # of two, the first counts
        if not clause or index.value not in self.assigned.get(item.word, {}):
            self.note(item.word, index.value, ItemStatement(value, (item.start, item.end)))

    def by_directives(self, text: str) -> None:
        """Assembly: a label, and the numbers behind it."""
        name = ""
        items: list[ListItem] = []
        widths = "|".join(
            sorted(map(re.escape, self.source.language.directives), key=len, reverse=True)
        )
        line = re.compile(
            rf"^[ \t]*(?:(?P<label>[A-Za-z_.$][\w.$]*):?)??[ \t]*"
            rf"(?:(?:{widths})\b(?P<rest>(?:\\[ \t]*\n|[^\n])*))?$",
            re.MULTILINE | re.IGNORECASE,
        )
        plain = re.sub(r"\\(?=[ \t]*\n)", " ", text)
        labels: list[tuple[str, list[ListItem]]] = []
        for match in line.finditer(text):
            if match["label"]:
                name, items = match["label"], []
                labels.append((name, items))
            if match["rest"]:
                if not labels:
                    labels.append(("", items))
                trees = read_items(plain, *match.span("rest"), self.source.language)
                items += [v for v in map(self.values.value, trees) if isinstance(v, ListItem)]
        self.add_named(labels)

    def by_lines(self, text: str) -> None:
        """A text: lines of numbers, which may be items of a list, below a line that names them."""
        named: list[tuple[str, list[ListItem]]] = [("", [])]
        for line in re.finditer(r"^[ \t]*+(?:[-*][ \t]++)?(\S.*+)$", text, re.MULTILINE):
            trees = read_items(text, *line.span(1), self.source.language)
            items = [v for v in map(self.values.value, trees) if isinstance(v, ListItem)]
            if items and len(items) == len(trees) and all(i.value is not None for i in items):
                named[-1][1].extend(items)
            elif words := re.findall(r"[A-Za-z]\w*", line[1]):
                named.append(("_".join(words), []))
        self.add_named(named)

    def add_named(self, named: Sequence[tuple[str, list[ListItem]]]) -> None:
        """Lists of items that stand one after the other, those that are long enough."""
        for name, items in named:
            if len(items) >= FEWEST:
                row = ItemRow(tuple(items), ("",) * len(items), items[0].place, items[-1].place)
                self.add(name, "", row, ())

    def add(
        self, name: str, kind: str, row: ItemRow, around: tuple[str, ...], stated: bool = False
    ) -> None:
        """A list; of a container of named lists, each of them."""
        pairs = zip(row.keys, row.items, strict=True)
        named = [item for key, item in pairs if isinstance(key, str) and key]
        apart = [item for item in named if isinstance(item, ItemRow) and len(item.items) >= FEWEST]
        if apart and len(row.items) < FEWEST:
            for key, item in zip(row.keys, row.items, strict=True):
                if isinstance(item, ItemRow):
                    called = f"{name}.{key}" if name and key else str(key or name)
                    self.add(called, kind, item, around)
            return
        known = self.source.definitions.types.type_of(kind)
        if known is not None and not (known[0] and stated):
            row = row_in_type(row, known, self.source.definitions.word, f"declared {kind}")
        elif fields := self.source.definitions.fields_of(kind):
            row = records_in_types(row, fields, self.source.definitions.word)
        line, before = self.source.spot(row.start)
        last = self.source.spot(max(row.start, row.end - 1))[0]
        self.lists_so_far.append(
            NumberList(name, kind, row, self.source.file, line, before + 1, last, around, stated)
        )

    def assignments(self) -> None:
        """Statements replace items of lists; enough of them are a list."""
        for name, items in self.assigned.items():
            first = self.source.language.first
            called = (
                name in (number_list.name, number_list.name.split("::")[-1])
                for number_list in self.lists_so_far
            )
            places = [place for place, its in enumerate(called) if its]
            if places:
                for index, statement in items.items():
                    around = [n for n in places if _is_around(self.lists_so_far[n], statement)]
                    meant = places if len(places) == 1 else around
                    if statement.sure and len(meant) == 1:
                        self.overwrite(meant[0], index - first, statement)
            elif len(items) >= FEWEST and min(items) >= 0 and max(items) < 4096:
                first = first if min(items) >= first else 0
                unknown = ItemStatement(ListItem(None, 0, "not assigned"), (0, 0))
                every = [items.get(n, unknown) for n in range(first, max(items) + 1)]
                values = tuple(item.value for item in every)
                items_assigned = [item.value for item in items.values()]
                ends = [n.place if isinstance(n, ListItem) else n.start for n in items_assigned]
                row = ItemRow(values, ("",) * len(every), min(ends), max(ends) + 1)
                self.add(name, "", row, (), stated=True)
                self.source.followed += [(*item.span, True) for item in items.values()]

    def filled(self) -> list[Filled]:
        """The lists that statements fill, item by item or row by row."""
        source = self.source
        if len(_LONG.findall(self.text)) < FEWEST:
            return []
        spans = [(number_list.row.start, number_list.row.end) for number_list in self.lists_so_far]
        text = _without(self.text, spans)
        if len(_LONG.findall(text)) < FEWEST:
            return []
        code, pattern = _without(source.code, spans), literals(source.language)
        return gathered(text, code, source.language, self.expression, pattern)

    def fill(self, filled: Sequence[Filled]) -> None:
        """Take these lists, and what is added to others."""
        source = self.source
        known = {entry.name: place for place, entry in enumerate(self.lists_so_far)}
        for entry in filled:
            place, statements = known.get(entry.name), self.assigned.get(entry.name, {})
            last = source.spot(entry.steps[-1].span[1] - 1)[0]
            if place is not None and entry.added:
                number_list = self.lists_so_far[place]
                row = joined_to(number_list.row, entry)
                self.lists_so_far[place] = replace(
                    number_list, row=row, stated=True, last_line=last
                )
            elif place is not None or len(statements) >= len([*entry.row.flat()]):
                continue
            else:
                self.assigned.pop(entry.name, None)
                self.add(entry.name, "", entry.row, (), stated=True)
                self.lists_so_far[-1] = replace(self.lists_so_far[-1], last_line=last)
            source.followed += [(*step.span, True) for step in entry.steps]
            source.filling.update(place for step in entry.steps for place in step.places)

    def expression(self, start: int, end: int) -> Value | None:
        """What a part of the text comes to; None where it is no expression."""
        part = self.text[start:end]
        start, part = start + len(part) - len(part.lstrip()), part.strip().rstrip(";,")
        if literals(self.source.language).fullmatch(part):
            value, problem = self.values.signed(part)
            return self.values.read(value, start, part, problem)
        if not part or len(part) > MOST_EXPRESSION:
            return None
        tree = read_expression(part, self.source.language, start)
        return None if tree is None else self.values.value(tree)

    def overwrite(self, place: int, index: int, statement: ItemStatement) -> None:
        number_list = self.lists_so_far[place]
        if 0 <= index < len(number_list.row.items) and isinstance(
            number_list.row.items[index], ListItem
        ):
            listed = number_list.listed
            if statement.called:
                listed = listed or number_list.row
            elif listed is not None:
                listed = _with_item(listed, index, statement.value)
            row = _with_item(number_list.row, index, statement.value)
            self.lists_so_far[place] = replace(number_list, row=row, listed=listed)
            self.source.followed.append((*statement.span, not statement.called))


def _spans(filled: Iterable[Filled]) -> list[tuple[int, int]]:
    return [step.span for row in filled for step in row.steps]


def _with_item(row: ItemRow, index: int, value: Value) -> ItemRow:
    return replace(row, items=(*row.items[:index], value, *row.items[index + 1 :]))


def _is_around(number_list: NumberList, statement: ItemStatement) -> bool:
    """Does a statement stand where a list's own name means it?"""
    return bool(number_list.around) and set(number_list.around) <= set(statement.around)
