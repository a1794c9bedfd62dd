"""The page of results as sections, so that one of them can be measured again by itself. Pure."""

import re
from collections.abc import Mapping, Sequence

HEADING = re.compile(r"^(?=## )", re.MULTILINE)


def merged(page: str, measured: Mapping[str, str], order: Sequence[str]) -> str:
    """The page with what was measured, by heading, in place of what stood there.

    All other sections stay as they are. A heading that `order` does not know comes last.
    """
    head, *written = HEADING.split(page)
    sections = {_heading(section): section for section in written} | dict(measured)
    known = [name for name in order if name in sections]
    unknown = [name for name in sections if name not in known]
    kept = [head, *(sections[name] for name in (*known, *unknown))]
    return "\n\n".join(part.strip() for part in kept) + "\n"


def _heading(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ").strip()
