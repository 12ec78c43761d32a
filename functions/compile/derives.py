"""What well-known derives of Rust implement, where their crates are not here: written behind the
type, in one line, for types that have nothing but names, or one field.

    #[derive(EnumIter)]               impl ::strum::IntoEnumIterator for File { ... }
    enum File { A, B }
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from magicert.functions.compile.rust_tree import attributes_of, name_of
from magicert.functions.compile.syntax import node_text

if TYPE_CHECKING:
    from tree_sitter import Node

_NONE = "::core::option::Option::None"
_SOME = "::core::option::Option::Some"
_SIGNS = {"Add": "+", "Sub": "-", "BitAnd": "&", "BitOr": "|", "BitXor": "^"}
"""What derive_more does with two of a type."""
_BY_ANY = {"Mul": "*", "Div": "/", "Rem": "%", "Shl": "<<", "Shr": ">>"}
"""What it does with one of a type and whatever its field takes."""
_UNARY = {"Not": "!", "Neg": "-"}
_OF_BYTES = frozenset({"Pod", "Zeroable", "NoUninit", "AnyBitPattern"})
"""What bytemuck says of a type's bytes, without a method of its own."""


@dataclass(frozen=True, slots=True)
class _Names:
    """An enum that has no more than names, and the type of their numbers."""

    name: str
    variants: tuple[str, ...]
    number: str

    def of_number(self, number: str, kind: str) -> str:
        """The name of a number, as an option."""
        ways = (f"if {number} == {one} as {kind} {{ return {_SOME}({one}); }}" for one in self.each)
        return f"{' '.join(ways)} {_NONE}"

    @property
    def each(self) -> list[str]:
        """The names, as an expression has them."""
        return [f"{self.name}::{one}" for one in self.variants]


def implemented(derive: str, item: "Node", crates: Collection[str]) -> str:
    """What a derive implements for a type, by the `crates` that are stood in for; "" where nothing
    here knows it.
    """
    name = derive.rpartition("::")[2]
    if item.child_by_field_name("type_parameters") is not None:
        return ""
    if name in _OF_BYTES and "bytemuck" in crates:
        traits = ("Zeroable", name) if name == "AnyBitPattern" else (name,)
        each = (f"unsafe impl ::bytemuck::{one} for {name_of(item)} {{}}" for one in traits)
        return " ".join(each)
    if (names := _names_of(item)) is not None:
        known = ((crate, of_names) for crate, of_names in _OF_NAMES if crate in crates)
        return next((text for _, of_names in known if (text := of_names(name, names))), "")
    field = _only_field(item)
    if field is not None and "derive_more" in crates:
        return " ".join(_of_field(name, name_of(item), *field))
    return ""


def _names_of(item: "Node") -> _Names | None:
    body = item.child_by_field_name("body")
    if item.type != "enum_item" or body is None:
        return None
    variants = [one for one in body.named_children if one.type == "enum_variant"]
    attributes = [one for one in body.named_children if one.type == "attribute_item"]
    if any(one.child_by_field_name("body") for one in variants) or not variants:
        return None
    if any(re.search(r"\bcfg\b|\(.*\b(?:disabled|default|alternatives|catch_all)\b", node_text(one))
           for one in attributes):  # fmt: skip
        return None
    stated = (re.search(r"\brepr\s*\([^)]*\b([iu](?:\d+|size))\b", node_text(one))
              for one in attributes_of(item))  # fmt: skip
    number = next((one[1] for one in stated if one), "")
    return _Names(name_of(item), tuple(map(name_of, variants)), number)


def _of_strum(derive: str, names: _Names) -> str:
    number, every = len(names.variants), ", ".join(names.each)
    head = f"for {names.name}"
    match derive:
        case "EnumIter":
            ways = " ".join(f"{n} => {one}," for n, one in enumerate(names.each))
            made = f"::core::iter::Map<::core::ops::Range<usize>, fn(usize) -> {names.name}>"
            return (
                f"impl ::strum::IntoEnumIterator {head} {{ type Iterator = {made}; "
                f"#[inline] fn iter() -> {made} {{ fn of(n: usize) -> {names.name} {{ "
                f"match n {{ {ways} _ => ::core::unreachable!() }} }} (0..{number}).map(of) }} }}"
            )
        case "EnumCount" | "EnumCountMacro":
            return f"impl ::strum::EnumCount {head} {{ const COUNT: usize = {number}; }}"
        case "VariantArray":
            kept = f"const VARIANTS: &'static [Self] = &[{every}];"
            return f"impl ::strum::VariantArray {head} {{ {kept} }}"
        case "FromRepr":
            kind = names.number or "usize"
            return (
                f"impl {names.name} {{ #[inline] pub const fn from_repr(number: {kind}) -> "
                f"::core::option::Option<Self> {{ {names.of_number('number', kind)} }} }}"
            )
    return ""


def _of_num_enum(derive: str, names: _Names) -> str:
    kind, name = names.number, names.name
    if not kind:
        return ""
    match derive:
        case "TryFromPrimitive":
            error = f"::num_enum::TryFromPrimitiveError<{name}>"
            result = f"::core::result::Result<Self, {error}>"
            found = f"fn found(number: {kind}) -> ::core::option::Option<{name}> {{ "
            found += f"{names.of_number('number', kind)} }}"
            body = f"{{ {found} found(number).ok_or({error[: error.index('<')]}::new(number)) }}"
            return (
                f"impl ::num_enum::TryFromPrimitive for {name} {{ type Primitive = {kind}; "
                f'type Error = {error}; const NAME: &\'static str = "{name}"; '
                f"fn try_from_primitive(number: {kind}) -> {result} {body} }} "
                f"impl ::core::convert::TryFrom<{kind}> for {name} {{ type Error = {error}; "
                f"#[inline] fn try_from(number: {kind}) -> {result} {body} }}"
            )
        case "IntoPrimitive":
            return (
                f"impl ::core::convert::From<{name}> for {kind} {{ "
                f"#[inline] fn from(one: {name}) -> {kind} {{ one as {kind} }} }}"
            )
        case "UnsafeFromPrimitive":
            return (
                f"impl ::num_enum::UnsafeFromPrimitive for {name} {{ type Primitive = {kind}; "
                f"#[inline] unsafe fn unchecked_transmute_from(number: {kind}) -> Self {{ "
                "unsafe { ::core::mem::transmute(number) } } }"
            )
    return ""


def _of_num_traits(derive: str, names: _Names) -> str:
    match derive:
        case "FromPrimitive":
            option = "::core::option::Option<Self>"
            return (
                f"impl ::num_traits::FromPrimitive for {names.name} {{ "
                f"#[inline] fn from_i64(n: i64) -> {option} {{ {names.of_number('n', 'i64')} }} "
                f"#[inline] fn from_u64(n: u64) -> {option} {{ Self::from_i64(n as i64) }} }}"
            )
        case "ToPrimitive":
            ways = " ".join(f"{one} => {one} as i64," for one in names.each)
            option = "::core::option::Option"
            return (
                f"impl ::num_traits::ToPrimitive for {names.name} {{ "
                f"#[inline] fn to_i64(&self) -> {option}<i64> {{ "
                f"{_SOME}(match *self {{ {ways} }}) }} "
                f"#[inline] fn to_u64(&self) -> {option}<u64> {{ "
                "self.to_i64().map(|n| n as u64) } }"
            )
    return ""


_OF_NAMES: tuple[tuple[str, Callable[[str, _Names], str]], ...] = (
    ("strum", _of_strum), ("num_derive", _of_num_traits), ("num_enum", _of_num_enum),
)  # fmt: skip


def _only_field(item: "Node") -> tuple[str, str] | None:
    """The name and the type of a struct's field, where that is its only one and has no attribute of
    its own.
    """
    body = item.child_by_field_name("body")
    if item.type != "struct_item" or body is None:
        return None
    inside = [one for one in body.named_children if "comment" not in one.type]
    if any(one.type == "attribute_item" for one in inside):
        return None
    if body.type == "ordered_field_declaration_list":
        kinds = [one for one in inside if one.type != "visibility_modifier"]
        return ("0", node_text(kinds[0])) if len(kinds) == 1 else None
    fields = [one for one in inside if one.type == "field_declaration"]
    if len(fields) != 1:
        return None
    return name_of(fields[0]), node_text(fields[0].child_by_field_name("type"))


def _of_field(derive: str, name: str, field: str, kind: str) -> Iterator[str]:
    """derive_more's of a struct with one field."""

    def made(value: str) -> str:
        return f"{name} {{ {field}: {value} }}"

    base = derive.removesuffix("Assign")
    method = re.sub(r"(?<!^)(?=[A-Z])", "", base).lower()
    sign = _SIGNS.get(base) or _BY_ANY.get(base) or ""
    given, other = (name, f"other.{field}") if base in _SIGNS else ("Its", "other")
    kept = "" if base in _SIGNS else "<Its: ::core::marker::Copy>"
    if sign and derive == base:
        where = (
            "" if base in _SIGNS else f"where {kind}: ::core::ops::{base}<Its, Output = {kind}> "
        )
        yield (
            f"impl{kept} ::core::ops::{base}<{given}> for {name} {where}{{ type Output = {name}; "
            f"#[inline] fn {method}(self, other: {given}) -> {name} "
            f"{{ {made(f'self.{field} {sign} {other}')} }} }}"
        )
    elif sign:
        where = "" if base in _SIGNS else f"where {kind}: ::core::ops::{derive}<Its> "
        yield (
            f"impl{kept} ::core::ops::{derive}<{given}> for {name} {where}{{ "
            f"#[inline] fn {method}_assign(&mut self, other: {given}) "
            f"{{ self.{field} {sign}= {other}; }} }}"
        )
    elif derive in _UNARY:
        yield (
            f"impl ::core::ops::{derive} for {name} {{ type Output = {name}; #[inline] "
            f"fn {method}(self) -> {name} {{ {made(f'{_UNARY[derive]}self.{field}')} }} }}"
        )
    elif derive == "From":
        yield (
            f"impl ::core::convert::From<{kind}> for {name} {{ #[inline] "
            f"fn from(given: {kind}) -> {name} {{ {made('given')} }} }}"
        )
    elif derive == "Into":
        yield (
            f"impl ::core::convert::From<{name}> for {kind} {{ #[inline] "
            f"fn from(given: {name}) -> {kind} {{ given.{field} }} }}"
        )
    elif derive == "Deref":
        yield (
            f"impl ::core::ops::Deref for {name} {{ type Target = {kind}; #[inline] "
            f"fn deref(&self) -> &{kind} {{ &self.{field} }} }}"
        )
    elif derive == "DerefMut":
        yield (
            f"impl ::core::ops::DerefMut for {name} {{ #[inline] "
            f"fn deref_mut(&mut self) -> &mut {kind} {{ &mut self.{field} }} }}"
        )
    elif derive == "Constructor":
        head = f"pub const fn new(given: {kind}) -> {name}"
        yield f"impl {name} {{ #[inline] {head} {{ {made('given')} }} }}"
