"""The compiler's checks in a module, each with its own name, line and message."""

import re
from collections.abc import Set

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.mangled_names import plain_name
from magicert.functions.llvm.markers import ASSERTIONS, LEFT_OUT, TRAP, Trap
from magicert.functions.llvm.reader import NAME, unquoted

INDEX = 18
CHECKS = {
    0: "signed overflow (addition)", 1: "code that was declared unreachable is reached",
    3: "division by zero or overflow", 10: "a value that its type cannot have",
    11: "the end of a function without a return", 12: "signed overflow (multiplication)",
    13: "signed overflow (negation)", INDEX: "an index outside an array", 19: "pointer overflow",
    20: "a shift by too much or too little", 21: "signed overflow (subtraction)",
    22: "a null or misaligned pointer",
}  # fmt: skip
"""What LLVM's sanitizer numbers its checks (SanitizerHandler.h)."""


GUARD = "_ZGV"
"""So the variables begin that say whether a function's static variable is made, in C++."""


def with_named_traps(text: str) -> tuple[str, dict[str, Trap]]:
    """A module whose checks are calls to functions of their own, and what each of them says."""
    module = Module(text)
    traps: dict[str, Trap] = {}

    def replaced(match: re.Match[str]) -> str:
        line, debug = match[1], match[2] or ""
        callee = re.search(rf"@({NAME})\(", line.partition(" asm ")[0])
        if not callee:
            return match[0]  # a naked function's assembly returns
        if not callee[1].startswith("llvm.") and module.may_throw(unquoted(callee[1])):
            return match[0]
        place = module.names.source_line(int(debug) if debug else None)
        message = place.message
        kind = re.search(r"@llvm\.ubsantrap\(i8 (-?\d+)\)", line)
        number = int(kind[1]) & 255 if kind else -1
        if not message and kind:
            message = CHECKS.get(number, "a check fails")
        called = unquoted(callee[1])
        if called in module.bodies and LEFT_OUT in module.reached(called):
            # What stands in the place of what is left out does not return: the source's own may.
            return f"  call void @{LEFT_OUT}(i32 0)\n  unreachable"
        asserts = called in ASSERTIONS and called not in module.bodies
        message = message or f"the program stops in {plain_name(callee[1])}"
        return stopped(message, place, asserts, number == INDEX)

    def stopped(message: str, place: object, asserts: bool = False, outside: bool = False) -> str:
        name = f"{TRAP}{len(traps)}"
        traps[name] = Trap(message, str(place), asserts, outside)
        return f'  call void @"{name}"()\n  unreachable'

    def unchecked(match: re.Match[str]) -> str:
        return match[1] + stopped(
            CHECKS[1], module.names.source_line(int(match[2]) if match[2] else None)
        )

    text = re.sub(
        r"^ +((?:(?:tail|musttail|notail) )?call [^\n]*?)(?:, !dbg !(\d+))?(?:, ![\w.]+ !\d+)*"
        r"\n(?: *#dbg[^\n]*\n)* +unreachable(?:, [^\n]*)?$",
        replaced, text, flags=re.MULTILINE,
    )  # fmt: skip
    text = re.sub(
        r"^((?!.* call ).*\n(?: *#dbg.*\n)*) +unreachable(?:, !dbg !(\d+))?(?:, ![\w.]+ !\d+)*$",
        unchecked, text, flags=re.MULTILINE,
    )  # fmt: skip
    # What lies behind an object's end LLVM would take from the object, if it knew that by heart, or
    # that all addresses lie inside.
    name = rf"^(@{NAME} = )"
    linkage = (
        r"(?:(?:private|internal|linkonce_odr|weak_odr|available_externally) (?:dllimport )?)?"
    )
    text = re.sub(
        rf"{name}{linkage}((?!external |extern_weak |weak |appending )(?:[^\n\"]*? )?constant )",
        r"\1linkonce \2", text, flags=re.M,
    )  # fmt: skip
    # Of instructions it is looked at first whether an index fits (`operations`).
    text = re.sub(r"(?<!= )\bgetelementptr (?:inbounds |nusw |nuw )+", "getelementptr ", text)
    declared = "".join(f'declare void @"{name}"() noreturn nounwind\n' for name in traps)
    return f"{text}\n{declared}", traps


def with_made_variables(text: str, guards: Set[str]) -> str:
    """The module where functions ask no more whether their static variables are made, and have
    nothing left that makes them.
    """
    load = re.compile(rf"= load (?:atomic )?(i\d+), ptr @({NAME})(?: acquire)?, align \d+")

    def known(match: re.Match[str]) -> str:
        return f"= or {match[1]} 1, 0" if unquoted(match[2]) in guards else match[0]

    def changed(body: re.Match[str]) -> str:
        body_made = load.sub(known, body[0])
        if body_made == body[0]:
            return body_made
        for value, kind in re.findall(r"^ +(%\S+) = or (i\d+) 1, 0", body_made, re.MULTILINE):
            asks = rf"= icmp eq {kind} {re.escape(value)}, 0"
            for test in re.findall(rf"^ +(%\S+) {asks}", body_made, re.MULTILINE):
                ways = rf"br i1 {re.escape(test)}, label %\S+, (label %[^\s,]+).*"
                body_made = re.sub(ways, r"br \1", body_made)
        return _without_unreached(body_made)

    if not guards:
        return text
    return re.sub(r"^define .*?^}", changed, text, flags=re.MULTILINE | re.DOTALL)


def _without_unreached(body: str) -> str:
    """A function without the blocks to which nothing goes, unless a value comes from one."""
    head, *parts = re.split(rf"^({NAME}):", body.removesuffix("}"), flags=re.MULTILINE)
    blocks = dict(zip(parts[::2], parts[1::2], strict=True))
    seen, waiting = set[str](), [head]
    while waiting:
        new = set(re.findall(rf"label %({NAME})", waiting.pop())) - seen
        seen |= new
        waiting += [blocks[name] for name in new]
    blocks_kept = {name: block for name, block in blocks.items() if name in seen}
    text = head + "".join(f"{name}:{block}" for name, block in blocks_kept.items()) + "}"
    gone = "|".join(map(re.escape, blocks.keys() - seen))
    return body if not gone or re.search(rf", %(?:{gone}) \]", text) else text
