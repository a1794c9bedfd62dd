"""The time zone of this machine: the default for people who have not named their own."""

import os
import time
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCALTIME = Path("/etc/localtime")
TIMEZONE = Path("/etc/timezone")


def machine_zone(
    environ: Mapping[str, str] = os.environ, localtime: Path = LOCALTIME, named: Path = TIMEZONE
) -> ZoneInfo:
    """By TZ, by the file that /etc/localtime points to, by /etc/timezone, or by the clock."""
    candidates = (environ.get("TZ", "").lstrip(":"), _linked(localtime), _written(named))
    return (
        next((zone for name in candidates if name and (zone := _known(name))), None) or _by_clock()
    )


def _linked(localtime: Path) -> str:
    try:
        return str(localtime.resolve(strict=True)).partition("zoneinfo/")[2]
    except OSError:
        return ""


def _written(named: Path) -> str:
    try:
        return named.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _known(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _by_clock() -> ZoneInfo:
    """The offset of the machine's clock in winter, to the hour."""
    east = timedelta(seconds=-time.timezone)
    return at_offset(datetime(2000, 1, 1, tzinfo=timezone(east))) or ZoneInfo("UTC")


def at_offset(at: datetime) -> ZoneInfo | None:
    """A zone with the offset of this instant; None when that is no whole hour.

    The names of Etc count westward, hence the turned sign.
    """
    hours, rest = divmod(at.utcoffset() or timedelta(), timedelta(hours=1))
    return None if rest else _known(f"Etc/GMT{-hours:+d}")
