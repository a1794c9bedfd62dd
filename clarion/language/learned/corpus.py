"""Labelled examples, and which of them are kept aside: those are never trained or tuned on."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from zlib import crc32

ASIDE_EVERY = 5
MARKED = re.compile(r"\[([tcafnlwx]) ([^\]]*)\]")
"""A part of a request with its letter: `[c 吃药]`."""
FOLDERS = resources.files("clarion.language").joinpath("corpora")


@dataclass(frozen=True, slots=True)
class Example:
    file: str
    fields: Mapping[str, str]

    def is_aside(self, *names: str) -> bool:
        """One in five, decided by the named fields alone: it stays the same in every version."""
        key = "\t".join(self.fields[name] for name in names)
        return crc32(key.encode()) % ASIDE_EVERY == 0


def examples(folder: str) -> list[Example]:
    """Every line of every table in this folder of the corpora, in order."""
    return [example for table in _tables(folder) for example in _lines(table)]


def fingerprint(folders: Sequence[str]) -> str:
    """Changes whenever a corpus does."""
    seen = hashlib.sha256()
    for folder in folders:
        for table in _tables(folder):
            seen.update(table.name.encode() + table.read_bytes())
    return seen.hexdigest()[:16]


def _tables(folder: str) -> list[Traversable]:
    tables = (each for each in FOLDERS.joinpath(folder).iterdir() if each.name.endswith(".tsv"))
    return sorted(tables, key=lambda table: table.name)


def _lines(table: Traversable) -> Iterator[Example]:
    header, *lines = table.read_text(encoding="utf-8").split("\n")
    names = header.split("\t")
    for line in lines:
        if line:
            fields = line.split("\t")
            fields += [""] * (len(names) - len(fields))
            yield Example(table.name.removesuffix(".tsv"), dict(zip(names, fields, strict=False)))
