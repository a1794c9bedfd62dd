"""Reads a dataclass of settings: environment over file over default, and nothing unknown.

Knows how to read values, not which settings there are: see `clarion/settings.py` for those.
"""

import difflib
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput

S = TypeVar("S")

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|[smhd]))+")
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhd])")
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
MASK = "••••••"


class BadSettings(BadInput):
    """A setting that stops the start: one sentence that names it, and a hint."""

    code = "bad_settings"


@dataclass(frozen=True, slots=True)
class SettingMeaning:
    text: str
    secret: bool
    least: float | None
    most: float | None


def setting(
    default: Any,
    meaning: str,
    *,
    secret: bool = False,
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """Declare one: its default, its meaning, and the least and most that make sense.

    `least` and `most` are seconds when the setting is a duration.
    """
    return field(
        default=default,
        metadata={"meaning": SettingMeaning(meaning, secret, least=least, most=most)},
    )


def meaning_of(one: Any) -> SettingMeaning:
    found = one.metadata["meaning"]
    assert isinstance(found, SettingMeaning)
    return found


def read(
    cls: type[S],
    environ: Mapping[str, str],
    file: Mapping[str, Any],
    *,
    prefix: str,
    reserved: frozenset[str] = frozenset(),
) -> S:
    """Build `cls` from both sources. `reserved` are names with the prefix that are not settings."""
    kinds = get_type_hints(cls)
    known = {one.name: one for one in fields(cls)}  # type: ignore[arg-type]  # S is a dataclass
    given: dict[str, tuple[str, Any]] = {name: (name, value) for name, value in file.items()}
    for variable, value in environ.items():
        if variable.startswith(prefix) and variable not in reserved:
            given[variable.removeprefix(prefix).lower()] = (variable, value)
    values: dict[str, Any] = {}
    for name, (shown, value) in given.items():
        if name not in known:
            raise unknown(shown, name, list(known), prefix if shown != name else "")
        values[name] = parse(kinds[name], value, shown)
        check_range(values[name], meaning_of(known[name]), shown)
    return cls(**values)


def unknown(shown: str, name: str, known: list[str], prefix: str) -> BadSettings:
    near = difflib.get_close_matches(name, known, n=1)
    hint = "docs/settings.md lists every setting."
    if near:
        hint = f"Did you mean {prefix}{near[0].upper() if prefix else near[0]}? {hint}"
    return BadSettings(f"There is no setting {shown}.", hint=hint)


def check_range(value: Any, meaning: SettingMeaning, shown: str) -> None:
    if isinstance(value, timedelta):
        value = value.total_seconds()
    if meaning.least is not None and value < meaning.least:
        raise BadSettings(f"{shown} must be at least {meaning.least:g}, not {value}.")
    if meaning.most is not None and value > meaning.most:
        raise BadSettings(f"{shown} must be at most {meaning.most:g}, not {value}.")


def parse(kind: Any, value: Any, shown: str) -> Any:
    """Turn what was written into the declared type, or say what was expected."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value in ("", None):
            return None
        return parse(next(one for one in get_args(kind) if one is not type(None)), value, shown)
    if origin is Literal:
        return _choice(get_args(kind), value, shown)
    if origin is tuple:
        parts = value if isinstance(value, list) else str(value).split(",")
        inner = get_args(kind)[0]
        return tuple(parse(inner, _trimmed(part), shown) for part in parts if _trimmed(part) != "")
    reader, expected = READERS[kind]
    try:
        return reader(value)
    except (ValueError, TypeError, KeyError, OSError):
        raise BadSettings(f"{shown} must be {expected}, not {value!r}.") from None


def _trimmed(part: Any) -> Any:
    return part.strip() if isinstance(part, str) else part


def _choice(choices: tuple[Any, ...], value: Any, shown: str) -> Any:
    for choice in choices:
        if str(value).lower() == str(choice).lower():
            return choice
    raise BadSettings(f"{shown} must be one of {', '.join(map(str, choices))}, not {value!r}.")


def _boolean(value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in TRUE | FALSE:
        raise ValueError(word)
    return word in TRUE


def _whole(value: Any) -> int:
    if isinstance(value, bool | float):
        raise ValueError(value)  # noqa: TRY004  parse() answers for both kinds
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError(value)  # noqa: TRY004  parse() answers for both kinds
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004  parse() answers for both kinds
    return value


def duration(value: Any) -> timedelta:
    """`250ms`, `30s`, `5m`, `1h30m`, `2d`; a bare number is seconds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return timedelta(seconds=value)
    text = str(value).strip().lower()
    if DURATION.fullmatch(text):
        seconds = sum(float(count) * UNITS[unit] for count, unit in PART.findall(text))
        return timedelta(seconds=seconds)
    return timedelta(seconds=float(text))


READERS: dict[Any, tuple[Callable[[Any], Any], str]] = {
    bool: (_boolean, "yes or no"),
    int: (_whole, "a whole number"),
    float: (_number, "a number"),
    str: (_text, "text"),
    timedelta: (duration, "a duration such as 30s, 5m or 1h30m"),
    Path: (lambda value: Path(_text(value)).expanduser(), "a path"),
    ZoneInfo: (lambda value: ZoneInfo(_text(value)), "a time zone such as Asia/Shanghai"),
}


def shown_value(value: Any, *, secret: bool) -> str:
    """The value as a person would write it, with passwords and secrets masked."""
    if secret and value:
        return MASK
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, timedelta):
        return spoken_duration(value)
    if isinstance(value, tuple):
        return ",".join(shown_value(part, secret=False) for part in value)
    return masked_url("" if value is None else str(value))


def spoken_duration(value: timedelta) -> str:
    rest = round(value.total_seconds() * 1000)
    said = ""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)):
        count, rest = divmod(rest, size)
        said += f"{count}{unit}" if count else ""
    return said or "0s"


def masked_url(text: str) -> str:
    if "://" not in text or "@" not in text:
        return text
    parts = urlsplit(text)
    if parts.password is None:
        return text
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username or ''}:{MASK}@{host}").geturl()
