"""A language to emit that keeps the columns of a piece as one array of records."""

from magicert.compact.emit.language import Language
from magicert.compact.emit.unit import PieceUnit


class Records(Language):
    """A language that keeps the columns of a piece as one array of records."""

    record: str
    """The record and its array: $fields and $rows, $squares, the names of the piece."""
    declared: str
    """A field: $column and its $kind."""
    between = ""
    """What stands between two fields."""
    row = ("{", "}")
    """The brackets around a record, by the names of the piece."""
    cell = "$value"
    """A number in a record; languages with named fields name it."""

    def columns(self, piece: PieceUnit) -> str:
        """A type and an array of it, a line for each square."""
        return self.recorded(self.record, piece)

    def recorded(self, text: str, piece: PieceUnit) -> str:
        """A text of the fields and rows of a piece."""
        fields = [
            self.write(self.declared, **self.names(piece, c.name), kind=self.column_kind(c))
            for c in piece.columns
        ]
        opening, closing = (self.write(end, **self.names(piece, "")) for end in self.row)
        rows = []
        for square in range(piece.squares):
            cells = [
                self.write(self.cell, column=c.name, value=self.number(c, c.values[square]))
                for c in piece.columns
            ]
            rows.append(f"{self.indent}{opening}{', '.join(cells)}{closing},\n")
        return self.write(
            text,
            **self.names(piece, ""),
            squares=piece.squares,
            fields=self.between.join(fields),
            rows="".join(rows),
        )
