"""Every setting: its name, default and meaning.

To add one, write a line below and run `make docs`. Only `app` and `cli` read this module; every
other part is handed the values it needs. `GROUPS` says where a new heading begins.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from clarion.base import config
from clarion.base.config import BadSettings, setting

PREFIX = "CLARION_"
CONFIG_VARIABLE = "CLARION_CONFIG"
CONFIG_FILE = Path("clarion.toml")

INTRODUCTION = """\
# Settings

None is needed to start. Set them in the environment, or in `clarion.toml` by their name in small
letters without `CLARION_` (`port = 8600`); the environment wins. `CLARION_CONFIG` names another
file. Durations are written `250ms`, `30s`, `5m`, `1h30m`, `2d`; lists with commas.
A name that is not on this page stops the start. `clarion check` prints what is in force.

This page is written by `make docs` from `clarion/settings.py`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = setting("127.0.0.1", "Address to listen on. Beyond loopback only if you say so.")
    port: int = setting(
        8520, "Port of the console, the API and devices; 0 takes a free one.", least=0, most=65535
    )
    body_bytes_max: int = setting(1_048_576, "Largest request body that is read.", least=1024)
    stop_timeout: timedelta = setting(
        timedelta(seconds=3), "How long a stop waits for open requests and streams.", least=0
    )

    public_url: str = setting(
        "", "Where people reach Clarion from outside, such as `https://clarion.example`."
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "Names under which Clarion answers besides `localhost` and bare addresses."
    )
    requests_per_second: int = setting(
        100, "Most requests a second with one token, ten seconds' worth at once; 0: any.", least=0
    )
    private_targets: bool = setting(
        False, "Whether webhooks and contacts may call addresses of private networks."
    )
    tool_names: Literal["underscore", "dotted"] = setting(
        "underscore", "How MCP lists its tools: `reminder_create` or `reminder.create`."
    )

    data_dir: Path = setting(Path("data"), "Where the SQLite file and other files are kept.")
    database_url: str = setting(
        "", "`postgresql://user:password@host/name`; empty means SQLite in the data directory."
    )
    database_connections_max: int = setting(
        10, "Most PostgreSQL connections of one server.", least=1, most=1000
    )
    statement_timeout: timedelta = setting(
        timedelta(seconds=10), "Longest time one PostgreSQL statement may take.", least=0.1
    )
    sqlite_synchronous: Literal["full", "normal"] = setting(
        "full", "`full` survives a power cut; `normal` is faster and may lose the last moments."
    )

    task_slots: int = setting(50, "How many tasks run at a time in one server.", least=1)
    task_reserved_slots: int = setting(
        4, "Slots besides those in which only critical tasks begin.", least=1
    )
    task_buffer_max: int = setting(
        1_000, "Most claimed tasks that wait for a slot in memory.", least=1
    )
    task_lease: timedelta = setting(
        timedelta(seconds=15),
        "How long a task of a server that died stays with it. Clocks of servers should agree "
        "to a small part of this.",
        least=1,
    )
    task_patience: timedelta = setting(
        timedelta(seconds=5), "How long a task may take to end when it is cut or we stop.", least=0
    )
    source_backlog_max: int = setting(
        10_000, "Most open tasks of one chat or user; beyond it producers get a 429.", least=1
    )
    completed_tasks_kept: int = setting(100, "Completed tasks kept in each queue.", least=0)
    completed_tasks_kept_for: timedelta = setting(
        timedelta(days=7), "How long completed tasks are kept at most.", least=0
    )
    failed_tasks_kept: int = setting(1_000, "Dead tasks kept in each queue.", least=0)
    failed_tasks_kept_for: timedelta = setting(
        timedelta(days=30), "How long dead tasks are kept at most.", least=0
    )

    telegram_token: str = setting(
        "", "Token of a Telegram bot, from @BotFather; empty means no Telegram.", secret=True
    )
    telegram_updates: Literal["poll", "webhook"] = setting(
        "poll", "`poll` needs no way in from outside; `webhook` needs CLARION_PUBLIC_URL."
    )
    telegram_api_url: str = setting(
        "https://api.telegram.org/bot", "Where the Bot API is, for a server of your own."
    )
    telegram_operators: tuple[str, ...] = setting(
        (), "Telegram numbers of people who may manage every rule. Never names."
    )
    telegram_anonymous_admins: bool = setting(
        False, "Whether an admin who hides their name may manage their own group."
    )
    chat_command_prefix: str = setting(
        "", "Put before every command, such as `c_` for `/c_vip`, where bots share a group."
    )
    chat_rest: timedelta = setting(
        timedelta(seconds=1), "Least time between two messages to one person.", least=0
    )
    chat_rest_in_groups: timedelta = setting(
        timedelta(seconds=3), "Least time between two messages to one group.", least=0
    )
    chat_kept_for: timedelta = setting(
        timedelta(days=7), "How long handled messages are kept.", least=0
    )

    zone: ZoneInfo = setting(
        ZoneInfo("Asia/Shanghai"), "Time zone of users who have not said theirs."
    )
    language: Literal["zh", "en"] = setting("zh", "Language of users who have not said theirs.")

    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "`info` tells the story of promises, `debug` that of mechanisms too."
    )
    log_format: Literal["text", "json"] = setting(
        "text", "`text` for people, `json` for machines that collect logs."
    )


GROUPS = {
    "host": "Server",
    "public_url": "Doors",
    "data_dir": "Storage",
    "task_slots": "Queue",
    "telegram_token": "Chats",
    "zone": "People",
    "log_level": "Logs",
}


def load(environ: Mapping[str, str], toml_path: Path | None = None) -> Settings:
    """Read `CLARION_*` over the file over the defaults; raises BadSettings.

    The file is `toml_path`, or the one that `CLARION_CONFIG` names, or `./clarion.toml` when
    there is one. A file that was named has to exist.
    """
    named = toml_path or (Path(environ[CONFIG_VARIABLE]) if environ.get(CONFIG_VARIABLE) else None)
    return config.read(
        Settings,
        environ,
        _read_file(named or CONFIG_FILE, must_exist=named is not None),
        prefix=PREFIX,
        reserved=frozenset({CONFIG_VARIABLE}),
    )


def _read_file(path: Path, *, must_exist: bool) -> dict[str, Any]:
    if not must_exist and not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} is not valid TOML: {error}.") from None


def in_force(settings: Settings) -> list[tuple[str, str, bool]]:
    """Each variable, its value with secrets masked, and whether somebody has set it."""
    rows = []
    for one in fields(settings):
        value = getattr(settings, one.name)
        shown = config.shown_value(value, secret=config.meaning_of(one).secret)
        rows.append((PREFIX + one.name.upper(), shown, value != one.default))
    return rows


def settings_page(cls: type[Settings]) -> str:
    """The text of docs/settings.md, which a test compares with the file."""
    lines = [INTRODUCTION]
    for one in fields(cls):
        if one.name in GROUPS:
            heading = ["", f"## {GROUPS[one.name]}", "", "| name | default | meaning |"]
            lines += [*heading, "| --- | --- | --- |"]
        meaning = config.meaning_of(one)
        default = config.shown_value(one.default, secret=False)
        shown = f"`{default}`" if default else "(none)"
        secret = " Secret." if meaning.secret else ""
        lines.append(f"| `{PREFIX}{one.name.upper()}` | {shown} | {meaning.text}{secret} |")
    return "\n".join(lines) + "\n"
