"""How commands show things: tables for people, JSON for programs, colours only on a screen."""

import json
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import click

COLOURS = {
    "pending": "cyan",
    "triggered": "yellow",
    "confirmed": "green",
    "completed": "green",
    "timeout": "red",
    "failed": "red",
    "cancelled": "bright_black",
}

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
user_option = click.option(
    "--user", help="For whom; may be left out when there is only one person."
)


def echo_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def echo_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they need to be; click drops the colours when nobody looks."""
    widths = [max(width(row[n]) for row in (head, *rows)) for n in range(len(head))]
    for number, row in enumerate((head, *rows)):
        cells = [cell + " " * (widths[n] - width(cell)) for n, cell in enumerate(row)]
        line = "  ".join(cells).rstrip()
        click.secho(line, bold=True) if number == 0 else click.echo(coloured(line, row))


def coloured(line: str, row: Sequence[str]) -> str:
    for cell in row:
        if cell in COLOURS:
            return line.replace(cell, click.style(cell, fg=COLOURS[cell]), 1)
    return line


def width(text: str) -> int:
    """Columns on a screen: a Chinese letter takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def local(instant: str | None, zone: str = "") -> str:
    """An instant to the minute, as the person's clock shows it: the zone is named when that is
    another than this machine's.
    """
    if not instant:
        return "-"
    here = datetime.fromisoformat(instant).astimezone()
    there = here.astimezone(ZoneInfo(zone)) if zone else here
    apart = there.utcoffset() != here.utcoffset()
    return f"{there:%Y-%m-%d %H:%M}" + (f" {zone}" if apart else "")


def zone_note(zone: str, instant: str | None) -> str:
    """Name the zone, as in (Asia/Tokyo), where a clock there shows another time than here."""
    return f" ({zone})" if local(instant, zone).endswith(zone) else ""
