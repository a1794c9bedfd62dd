"""Joins the modules that the console's first page needs into one file, as the server starts.

A slow line pays for every request: forty small files take seconds, one takes two round trips.
The files stay as they lie there. Under its own address a module that was joined only hands on
what it exports, so that pages which are loaded later share its state.
"""

import json
import os.path
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

FIRST = "first.js"
START = ("views/today.js", "main.js")  # the page that opens first, then what shows it
IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "([^"]+)";\n', re.MULTILINE)
LATER = re.compile(r'\bimport\("([^"]+)"\)')
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def joined(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The joined file, and what stands in for each module in it; nothing without a start."""
    if any(name not in files for name in START):
        return {}
    sources = {name: body.decode() for name, body in files.items() if name.endswith(".js")}
    order = list(in_order(sources))
    place = {name: f"$[{number}]" for number, name in enumerate(order)}
    parts = [one_of(name, sources[name], place) for name in order]
    whole = "export const $ = [];\n" + "".join(parts)
    return {FIRST: whole.encode()} | {
        name: stand_in(sources[name], place[name]) for name in order if exports_of(sources[name])
    }


def in_order(sources: Mapping[str, str]) -> Iterator[str]:
    """The modules in order, each after those it imports."""
    seen: set[str] = set()

    def walk(name: str) -> Iterator[str]:
        if name in seen:
            return
        seen.add(name)
        for found in IMPORT.finditer(sources[name]):
            yield from walk(address(name, found[3]))
        yield name

    for name in START:
        yield from walk(name)


def one_of(name: str, source: str, place: Mapping[str, str]) -> str:
    """The module as a function, so that names of two files do not collide."""

    def bound(found: re.Match[str]) -> str:
        names = found[1] or f"{{{found[2].replace(' as ', ': ')}}}"
        return f"const {names} = {place[address(name, found[3])]};\n"

    def later(found: re.Match[str]) -> str:
        wanted = address(name, found[1])
        there = place.get(wanted)
        return f"Promise.resolve({there})" if there else f'import("/console/{wanted}")'

    made = ", ".join(exports_of(source))
    body = LATER.sub(later, EXPORT.sub(r"\1", IMPORT.sub(bound, COMMENT.sub("", source))))
    return f"{place[name]} = (() => {{\n{INDENT.sub('', body)}return {{ {made} }};\n}})();\n"


def stand_in(source: str, place: str) -> bytes:
    names = ", ".join(exports_of(source))
    line = f"import {{ $ }} from {json.dumps(f'/console/{FIRST}')};\n"
    return f"{line}export const {{ {names} }} = {place};\n".encode()


def exports_of(source: str) -> list[str]:
    return [found[2] for found in EXPORT.finditer(source)]


def address(name: str, relative: str) -> str:
    return os.path.normpath(str(PurePosixPath(name).parent / relative))
