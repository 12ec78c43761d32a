"""What speaks against a reading that certifies, though no square of it conflicts.

A table that certifies may still not be the engine's: another list of bits is looked up, a list of
masks is not the one that it certifies with, or it certifies only because its index was assumed to
be longer than it is. `reasons_against` gives each as a sentence that names the place and
the option that decides it, the gravest first.
"""

from collections.abc import Iterator, Sequence

from magicert.verify.source.bits import Count, implausible, literals_of
from magicert.verify.source.columns import SHIFT_WORDS, Column
from magicert.verify.source.contents import Contents
from magicert.verify.source.lookups import other_lookups
from magicert.verify.source.overrides import Overrides, called, map_option
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading, other_masks


def reasons_against(
    contents: Contents,
    overrides: Overrides,
    reading: PieceReading,
    tried: Sequence[PieceReading],
    near: Sequence[PieceReading],
) -> Iterator[str]:
    """What speaks against a reading that certifies: `tried` are all ways to read its list in the
    same order of rows, `near` those in any order with squares that do not conflict.
    """
    yield from _called_anothers(contents, overrides, reading)
    yield from _spoilt_lists(contents, overrides, reading)
    yield from _other_masks_listed(contents, overrides, reading)
    lookups = [*_other_lookup_written(contents, overrides, reading)]
    yield from (text for is_shift, text in lookups if not is_shift)
    yield from _other_shift_used(contents, reading)
    yield from _other_bits_called(contents, reading, tried)
    for other in near:
        yield from _other_bits_listed(contents, reading, other)
        yield from _fewer_bits_nearly(reading, other)
    yield from (text for is_shift, text in lookups if is_shift)


def _called_anothers(
    contents: Contents, overrides: Overrides, reading: PieceReading
) -> Iterator[str]:
    """The magics are called another piece's, and what goes with them this one's."""
    piece, magic, count = reading.piece, reading.magic, reading.count
    if (
        reading.variant.piece_in(magic.name_words) in (None, piece)
        or (piece, "magic") in overrides.lists
    ):
        return
    theirs = [
        column.where
        for column in reading.columns[1:]
        if column.group != magic.group and column.named_piece == piece
    ]
    if count.evidence == "constant":
        name = count.words.partition(" ")[0]
        theirs += [count.words] * (reading.variant.briefly(split_words(name)) == piece)
    if theirs:
        text = f"{magic.where} would be valid magics of a {piece}, with {theirs[0]};"
        yield f"{text} {map_option(piece, 'magic', called(contents, magic))} decides it"


def _spoilt_lists(contents: Contents, overrides: Overrides, reading: PieceReading) -> Iterator[str]:
    """A list is called the piece's bits or masks, and has not one item a square."""
    piece = reading.piece
    for refused in contents.refused:
        if refused.what == "magic" or refused.piece != piece:
            continue
        if refused.what == "mask":
            known = "mask" in reading.parameters or piece in overrides.masks
            option = map_option(piece, "mask", "usual")
        else:
            known, option = reading.count.is_read, reading.count.option(contents, piece)
        if not known:
            yield f"{refused.file}:{refused.line}: {refused.message}; {option} decides it"


def _other_masks_listed(
    contents: Contents, overrides: Overrides, reading: PieceReading
) -> Iterator[str]:
    """A list of masks goes with the magics, and they are not read with it."""
    piece = reading.piece
    if piece in overrides.masks or (piece, "mask") in overrides.lists:
        return
    for column in _contradicting(contents, reading):
        text = f"{column.where} are not the masks with which the magics are valid;"
        yield f"{text} {map_option(piece, 'mask', called(contents, column))} or =usual decides it"


def _other_shift_used(contents: Contents, reading: PieceReading) -> Iterator[str]:
    """Products with these magics are shifted by another literal."""
    piece, count = reading.piece, reading.count
    for literal in literals_of(contents, piece, reading.magic):
        apart = count.column and not contents.goes_with(count.column, reading.magic)
        if literal.tied and not count.tied and (apart or not count.is_read):
            text = f"{literal.words} does not match these magics;"
            yield f"{text} {count.option(contents, piece)} decides it"


def _other_lookup_written(
    contents: Contents, overrides: Overrides, reading: PieceReading
) -> Iterator[tuple[bool, str]]:
    """The code around the magics' name does something else with them; is it only how far is
    shifted?
    """
    piece, count = reading.piece, reading.count
    if overrides.formula is not None or overrides.as_written:
        return
    for other in other_lookups(contents, reading):
        if not other.shift:
            text = f"{other.words} ({other.place}), which is not {reading.formula.text};"
            yield False, f"{text} add --as-written to take the numbers as listed"
        elif count.evidence != "stated":
            text = f"{other.words} ({other.place}) does not match these magics;"
            yield True, f"{text} {count.option(contents, piece)} decides it"


def _other_bits_called(
    contents: Contents, reading: PieceReading, tried: Sequence[PieceReading]
) -> Iterator[str]:
    """Bits or shifts that are called the piece's, and go with none of its magics."""
    piece, count = reading.piece, reading.count
    if count.tied:
        return
    fitting = [other.count for other in tried if not other.hopeless]
    hopeless = (
        other.count
        for other in tried
        if other.hopeless and _may_be_meant(contents, reading.magic, other)
    )
    for other in (*implausible(contents, piece), *hopeless):
        if other in fitting or (count.is_read and not _is_instead(contents, other, count)):
            continue
        if other.column is None or contents.may_belong(other.column, reading.magic):
            text = f"{other.words} does not match the magics of a {piece};"
            yield f"{text} --bits {piece}={count.option_value} decides it"


def _other_bits_listed(
    contents: Contents, reading: PieceReading, other: PieceReading
) -> Iterator[str]:
    """A list of bits with which some squares conflict is more likely the one that is meant."""
    count, listed, piece = reading.count, other.count, reading.piece
    if listed.evidence != "read" or listed.column is None or listed.column is count.column:
        return
    telling = (
        other.is_confirmed
        or (listed.in_records and not count.is_read)
        or _is_the_pieces(reading, listed)
        or (not (count.is_read or count.tied) and _may_be_meant(contents, reading.magic, other))
        or _is_instead(contents, listed, count)
    )
    if telling and contents.may_belong(listed.column, reading.magic):
        text = f"{listed.words} does not match these magics: {other.shown(listed.column)}"
        options = " or ".join(
            option_count.option(contents, piece) for option_count in (listed, count)
        )
        yield f"{text}; {options} decides it"


def _fewer_bits_nearly(reading: PieceReading, other: PieceReading) -> Iterator[str]:
    """It certifies with a long index that was assumed, and nearly so with a likelier one."""
    count, shorter, piece = reading.count, other.count, reading.piece
    if count.evidence not in ("usual", "literal") or not other.is_confirmed:
        return
    if shorter.evidence == "popcount" or (
        shorter.evidence in ("literal", count.evidence) and shorter.fixed < count.fixed
    ):
        value = shorter.option_value
        few = "popcount of the mask" if value == "popcount" else f"{value} bits"
        yield (
            f"with {few} {len(other.bad)} of the {reading.variant.squares} squares of the {piece} "
            f"conflict, with {count.option_value} bits none; "
            f"--bits {piece}={count.option_value} or {value} decides it"
        )


def _contradicting(contents: Contents, reading: PieceReading) -> Iterator[Column]:
    """Lists of masks that the piece's magics are not read with."""
    masks = reading.parameters.get("mask", ())
    both = (masks, reading.variant.words_of(~word for word in masks))
    taken = [other for other in reading.columns[1:] if other.words in both]
    theirs = (reading.magic.group, None, reading.piece)
    if any(other.group in theirs or other.named_piece in theirs for other in taken):
        return
    yield from other_masks(contents, reading.piece, reading.magic)
    if reading.arrangement.listing != reading.arrangement.order:
        for column in contents.columns:
            arrangements = [
                masks.arrangement for masks in column.masks if masks.piece == reading.piece
            ]
            if arrangements and reading.arrangement not in arrangements:
                yield column


def _may_be_meant(contents: Contents, magic: Column, reading: PieceReading) -> bool:
    """Is a list of bits that goes with no magic called the piece's, or looked up with these? One
    that counts the squares of the masks is for that. If nothing uses the magics, it must count
    about as many bits as the piece needs.
    """
    column, needed = (
        reading.count.column,
        reading.variant.mask_bits(reading.piece, reading.arrangement),
    )
    if column is None or (reading.count.kind == "bits" and (*column.values,) == needed):
        return False
    if column.named_piece is None:
        about = range(min(needed) - 2, max(needed) + 4)
        likely = sum(n in about for n in column.bits(reading.count.kind)) > len(column.values) // 2
        likely = likely or contents.is_used(magic)
        return likely and column.says(SHIFT_WORDS) and contents.goes_with(column, magic)
    return column.named_piece == reading.piece


def _is_instead(contents: Contents, current: Count, count: Count) -> bool:
    """Is a list of bits looked up, and the one that was taken not?"""
    if current.column is None or count.column is None or current.column.named_piece is None:
        return False
    return contents.is_used(current.column) and not contents.is_used(count.column)


def _is_the_pieces(reading: PieceReading, bits: Count) -> bool:
    """Is a count that was read called the piece's bits or shifts? The bits of its masks may be
    there to count occupancies.
    """
    column = bits.column
    if column is None or reading.count.is_read or not column.says(SHIFT_WORDS):
        return False
    needed = reading.variant.mask_bits(reading.piece, reading.arrangement)
    return column.named_piece == reading.piece and (
        bits.kind != "bits" or (*bits.values,) != needed
    )
