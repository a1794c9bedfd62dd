"""Requests with their parts marked, as people corrected them: `[t 八点][a 提醒我][c 吃药]`."""

import hashlib
import re
from dataclasses import dataclass

from clarion.language.learned.corpus import MARKED, examples
from clarion.language.parts.tagger import BETWEEN, Part

ASIDE = 5  # one in five is never trained on


@dataclass(frozen=True, slots=True)
class Marked:
    text: str
    parts: tuple[Part, ...]
    """In order; what lies between them is marks and spaces."""
    confirm: str
    """1 wanted, - refused, 0 not spoken of."""
    level: str

    @property
    def aside(self) -> bool:
        """Kept for measuring: told by the sentence alone, so that a copy is on the same side."""
        digest = hashlib.sha256(re.sub(r"\W+", "", self.text.lower()).encode()).digest()
        return digest[0] % ASIDE == 0

    def said(self, kind: str) -> list[str]:
        return [self.text[part.start : part.end] for part in self.parts if part.kind == kind]

    def kinds(self, spans: list[tuple[int, int]]) -> list[str]:
        """The kind of each word that stands at `spans`."""
        kinds = []
        parts = iter(self.parts)
        part = next(parts, None)
        for start, _ in spans:
            while part is not None and part.end <= start:
                part = next(parts, None)
            inside = part is not None and part.start <= start
            kinds.append(part.kind if part is not None and inside else BETWEEN)
        return kinds


def unmark(marked: str, confirm: str = "0", level: str = "") -> Marked:
    text, parts, last = "", [], 0
    for found in MARKED.finditer(marked):
        text += marked[last : found.start()]
        parts.append(Part(found[1], len(text), len(text) + len(found[2])))
        text += found[2]
        last = found.end()
    return Marked(text + marked[last:], tuple(parts), confirm, level)


def marked_requests() -> dict[str, list[Marked]]:
    """By the table of `clarion/language/corpora/requests` they stand in."""
    found: dict[str, list[Marked]] = {}
    for example in examples("requests"):
        fields = example.fields
        one = unmark(fields["marked"], fields["confirm"], fields["level"])
        found.setdefault(example.file, []).append(one)
    return found
