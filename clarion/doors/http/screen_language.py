"""The language of a screen is its own: `Accept-Language` decides what is shown, refusals too.

Errors are raised in English; those of dispatch in Chinese, as clients of that interface know
them; what a person said wrong in the person's own. `refusals.tsv` has the other languages.
"""

import csv
from functools import cache
from pathlib import Path

from clarion.base.errors import ClarionError
from clarion.language.script import HAN

SPOKEN = ("zh", "en")
TABLE = Path(__file__).with_name("refusals.tsv")


def shown_in(asked: str | None) -> str | None:
    """The first language of a screen that we speak; None: whatever is the person's own."""
    wanted = (one.strip()[:2] for one in asked.lower().split(",")) if asked else ()
    return next((one for one in wanted if one in SPOKEN), None)


def in_language(error: ClarionError, language: str | None) -> tuple[str, str]:
    """Message and hint. They stay as they are without a wish, or without words for it."""
    row = table().get(error.code)
    if language is None or row is None or not row[language] or _speaks(error, row, language):
        return error.message, error.hint
    hint = error.hint if bool(HAN(error.hint)) == (language == "zh") else ""
    return row[language].format(message=error.message), hint


def _speaks(error: ClarionError, row: dict[str, str], language: str) -> bool:
    """Whether it was raised in that language. English sentences may quote Chinese names."""
    raised_in_english = not row["en"]
    return not raised_in_english and bool(HAN(error.message)) == (language == "zh")


@cache
def table() -> dict[str, dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {row["code"]: row for row in csv.DictReader(lines, delimiter="\t")}
