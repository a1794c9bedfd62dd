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
from clarion.base.zone import machine_zone

PREFIX = "CLARION_"
CONFIG_VARIABLE = "CLARION_CONFIG"
TOKEN_VARIABLE = "CLARION_TOKEN"  # noqa: S105  what `clarion mcp` uses; the server reads none
CONFIG_FILE = Path("clarion.toml")

INTRODUCTION = """\
# Settings

Clarion starts without any of them. Set them in the environment, or in `clarion.toml` by their
name in lower case without `CLARION_` (`port = 8600`); the environment wins. `CLARION_CONFIG` names
another file. Durations are written `250ms`, `30s`, `5m`, `1h30m`, `2d`; lists with commas.
Clarion does not start if a name is not on this page. `clarion check` prints what is in force.

This page is written by `make docs` from `clarion/settings.py`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = setting(
        "127.0.0.1", "Address to listen on; by default only this machine can connect."
    )
    port: int = setting(
        8520, "Port of the console, the API and devices; 0 takes a free one.", least=0, most=65535
    )
    body_bytes_max: int = setting(1_048_576, "Largest request body that is read.", least=1024)
    head_bytes_max: int = setting(
        32_768, "Largest size of a request's address and headers.", least=1024
    )
    head_timeout: timedelta = setting(
        timedelta(seconds=10), "How long the headers of a request may take to arrive.", least=1
    )
    stop_timeout: timedelta = setting(
        timedelta(seconds=3), "How long a stop waits for open requests and streams.", least=0
    )

    public_url: str = setting(
        "", "Where people reach Clarion from outside, such as `https://clarion.example`."
    )
    push_contact: str = setting(
        "",
        "Address that a push service may write to: `mailto:you@example.com`. Empty: the public"
        " address.",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "Host names that Clarion answers to besides `localhost` and IP addresses."
    )
    cors_origins: tuple[str, ...] = setting(
        (),
        "Origins of other people's pages that may call the API and MCP with a token, such as "
        "`https://inspector.example`; never with a cookie.",
    )
    trusted_proxies: tuple[str, ...] = setting(
        (),
        "Addresses or networks of your own proxies, whose `X-Forwarded-For` and "
        "`X-Forwarded-Proto` count, such as `127.0.0.1`.",
    )
    requests_per_second: int = setting(
        100,
        "Most requests a second with one token, in bursts of ten seconds' worth; 0: any.",
        least=0,
    )
    failed_tries: int = setting(
        20, "Wrong tokens a minute from one address before unknown ones get a 429; 0: any.", least=0
    )
    audit_kept_for: timedelta = setting(
        timedelta(days=365), "How long the record of who changed what is kept.", least=86_400
    )
    private_targets: bool = setting(
        False, "Whether webhooks and contacts may call addresses of private networks."
    )
    assistant_token_life: timedelta = setting(
        timedelta(hours=1),
        "How long a connected assistant's token is valid; it is renewed.",
        least=60,
    )
    assistant_idle_max: timedelta = setting(
        timedelta(days=90),
        "An assistant that is not used for this long must be connected again.",
        least=3_600,
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
    database_wait: timedelta = setting(
        timedelta(seconds=5), "Longest wait for a free PostgreSQL connection.", least=0.1
    )
    statement_timeout: timedelta = setting(
        timedelta(seconds=10), "Longest time one PostgreSQL statement may take.", least=0.1
    )
    secret_key: str = setting(
        "",
        "Key that encrypts secrets in the database; empty means the file `key` in the data "
        "directory, and no encryption on PostgreSQL. The same on every server.",
        secret=True,
    )
    redis_url: str = setting(
        "", "`redis://…`: signals, holds, a mirror, BullMQ; the database does the rest."
    )
    sqlite_synchronous: Literal["full", "normal"] = setting(
        "full", "`full` survives a power cut; `normal` is faster and may lose the last moments."
    )

    task_slots: int = setting(50, "How many tasks run at a time in one server.", least=1)
    task_reserved_slots: int = setting(
        4, "Additional slots in which only critical tasks start.", least=1
    )
    task_control_slots: int = setting(
        4, "Additional slots for what people do: commands, buttons, answers.", least=1
    )
    task_urgent_slots: int = setting(
        8,
        "Additional slots for urgent tasks (level 50 and above) while all others are busy.",
        least=0,
    )
    task_outside_slots: int = setting(
        100,
        "Additional slots for what waits for programs outside: webhooks, tasks sent by HTTP.",
        least=0,
    )
    task_share_cost: timedelta = setting(
        timedelta(seconds=1),
        "How much each waiting task of a chat, user or token delays its next one; 0: not at all.",
        least=0,
    )
    task_vip_weight: int = setting(
        4, "How many times the usual share a source has for high and critical tasks.", least=1
    )
    task_buffer_max: int = setting(
        1_000, "Most claimed tasks that wait for a slot in memory.", least=1
    )
    task_lease: timedelta = setting(
        timedelta(seconds=15),
        "How long a dead server keeps its tasks. The clocks of servers should differ by only "
        "a small part of this.",
        least=1,
    )
    task_patience: timedelta = setting(
        timedelta(seconds=5),
        "How long a task may take to end when it is cancelled or Clarion stops.",
        least=0,
    )
    source_backlog_max: int = setting(
        10_000, "Most open tasks of one chat or user; beyond it producers get a 429.", least=1
    )
    worker_metrics: str = setting(
        "", "`host:port` at which `clarion worker` shows `/metrics` and `/health`; empty: nowhere."
    )
    completed_tasks_kept: int = setting(100, "Completed tasks kept in each queue.", least=0)
    completed_tasks_kept_for: timedelta = setting(
        timedelta(days=7), "How long completed tasks are kept at most.", least=0
    )
    failed_tasks_kept: int = setting(1_000, "Dead tasks kept in each queue.", least=0)
    failed_tasks_kept_for: timedelta = setting(
        timedelta(days=30), "How long dead tasks are kept at most.", least=0
    )

    answer_timeout: timedelta = setting(
        timedelta(seconds=30), "How long a plain reminder waits for an answer.", least=1
    )
    wake_timeout: timedelta = setting(
        timedelta(seconds=15), "How long a device may take to wake and accept a ring.", least=1
    )
    offline_look_again: timedelta = setting(
        timedelta(seconds=60),
        "How often Clarion looks for a device that cannot be reached.",
        least=1,
    )
    offline_max: timedelta = setting(
        timedelta(minutes=30), "After this long without a device a reminder has failed.", least=60
    )
    ring_gap: timedelta = setting(
        timedelta(seconds=10), "Least time between two rings on one device.", least=0
    )
    late_after: timedelta = setting(
        timedelta(minutes=2), "A ring that is later than this says when it was due.", least=0
    )
    missed_after: timedelta = setting(
        timedelta(hours=4),
        "Reminders overdue by more than this are told in one digest and do not ring.",
        least=60,
    )
    snooze: timedelta = setting(
        timedelta(minutes=10), "How long the snooze button waits.", least=60
    )
    check_back: timedelta = setting(
        timedelta(minutes=5),
        'Time from "on my way" until Clarion asks whether it is done, where only done counts.',
        least=30,
    )
    talk_remembered: timedelta = setting(
        timedelta(minutes=10),
        "How long a talk is remembered: a question asked, what was just set, what was said.",
        least=30,
    )
    content_letters_max: int = setting(500, "Longest content of a reminder.", least=10)
    horizon: timedelta = setting(
        timedelta(days=3660), "How far ahead a reminder may be set.", least=86_400
    )
    series_interval: timedelta = setting(
        timedelta(minutes=1), "Least time between two rings of one series.", least=1
    )
    contacts_max: int = setting(50, "Most contacts that one person may have.", least=1)
    retries_max: int = setting(20, "Most rings that one reminder may ask for.", least=1)

    llm_url: str = setting(
        "", "Base address of an OpenAI-compatible endpoint; empty means rules alone."
    )
    llm_model: str = setting("", "The model to ask for there.")
    llm_key: str = setting("", "The key for it, if it needs one.", secret=True)
    llm_timeout: timedelta = setting(
        timedelta(seconds=8), "How long one answer may take with its retries.", least=0.5
    )

    dispatch_approval: bool = setting(
        False, "Whether a person has to approve every scheme before teams are sent."
    )
    dispatch_approval_window: timedelta = setting(
        timedelta(minutes=15), "How long a proposed scheme keeps its teams.", least=10
    )
    dispatch_rules: Path | None = setting(
        None, "The rules file, read again when it changes; empty means the one that is included."
    )
    dispatch_officer: str = setting(
        "", "The user who is told about events that name no officer of their own."
    )
    dispatch_choose_timeout: timedelta = setting(
        timedelta(seconds=2),
        "How long the exact choice may take before a quick one is used.",
        least=0.1,
    )
    dispatch_query_timeout: timedelta = setting(
        timedelta(seconds=5), "How long dispatch waits for the database.", least=0.1
    )
    dispatch_redis_fallback: bool = setting(
        True, "Whether holds go through the database while Redis is unreachable; else AI5004."
    )
    dispatch_call_timeout: timedelta = setting(
        timedelta(seconds=60), "How long each call to a team waits for its yes.", least=5
    )
    dispatch_call_tries: int = setting(
        3, "How often a team is called before it counts as silent.", least=1, most=20
    )
    dispatch_silence: timedelta = setting(
        timedelta(minutes=30),
        "How long a silent team stays unavailable; 0 means until somebody changes it.",
    )

    dispatch_reassign: Literal["off", "ask", "on"] = setting(
        "ask",
        "Whether a more severe event may get a team that is on its way elsewhere; `ask`: "
        "with a person's yes.",
    )
    dispatch_reassign_margin: int = setting(
        4,
        "By how much a more severe event must gain: units that it lacks, times 1, 2, 4 or 8 by "
        "severity.",
        least=0,
        most=1000,
    )
    dispatch_osrm_url: str = setting(
        "", "Base address of an OSRM server for times by road; empty means none."
    )
    dispatch_valhalla_url: str = setting(
        "", "Base address of a Valhalla server, asked for what OSRM does not know."
    )
    dispatch_matrix: Path | None = setting(
        None, "A CSV file of travel times, asked after the servers; empty means none."
    )
    dispatch_roads_timeout: timedelta = setting(
        timedelta(seconds=2), "How long a routing server may take.", least=0.1
    )
    dispatch_map: str = setting(
        "",
        "The map of the dispatch page: an address of tiles with {z}, {x} and {y}, or a PMTiles "
        "file or its address; empty means a plain grid.",
    )
    dispatch_map_credit: str = setting(
        "© OpenStreetMap contributors", "Whom the map names as its source."
    )

    telegram_token: str = setting(
        "", "Token of a Telegram bot, from @BotFather; empty means no Telegram.", secret=True
    )
    telegram_updates: Literal["poll", "webhook"] = setting(
        "poll", "`poll` needs no access from outside; `webhook` needs CLARION_PUBLIC_URL."
    )
    telegram_api_url: str = setting(
        "https://api.telegram.org/bot", "Address of the Bot API, if you run your own server."
    )
    telegram_operators: tuple[str, ...] = setting(
        (), "Telegram numbers of people who may manage every rule. Never names."
    )
    telegram_anonymous_admins: bool = setting(
        False, "Whether an anonymous administrator may manage their own group."
    )
    matrix_url: str = setting(
        "", "A Matrix homeserver, such as https://matrix.example.org; empty means no Matrix."
    )
    matrix_token: str = setting("", "Access token of the bot's account there.", secret=True)
    chat_command_prefix: str = setting(
        "", "Put before every command, such as `c_` for `/c_vip`, where bots share a group."
    )
    chat_group_answers: Literal["owner", "anyone"] = setting(
        "owner",
        "Who in a group may confirm or cancel a reminder: who set it and the admins, or `anyone`.",
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

    device_lines_max: int = setting(
        5_000, "Most devices connected to one server at a time.", least=1
    )
    device_idle: timedelta = setting(
        timedelta(minutes=2), "How long a microphone may be on while nobody speaks.", least=5
    )
    device_window: timedelta = setting(
        timedelta(seconds=30),
        "How long a woken device listens after the last word.",
        least=1,
    )
    device_session: timedelta = setting(
        timedelta(hours=1), "Longest session of a device that does not stay connected.", least=10
    )
    mqtt_url: str = setting(
        "", "Broker for devices with our topics, `mqtt://user:password@host:1883`; `mqtts` too."
    )
    mqtt_prefix: str = setting("clarion", "First part of our topics on that broker.")
    gateway_url: str = setting(
        "", "Management address of a xiaozhi-mqtt-gateway, such as `http://127.0.0.1:8007`."
    )
    gateway_key: str = setting("", "The gateway's MQTT_SIGNATURE_KEY.", secret=True)
    gateway_mqtt: str = setting("", "`host:port` at which devices reach the gateway.")
    gateway_token: str = setting(
        "", "What the gateway shows as `authorization=` in its address for us.", secret=True
    )
    device_mqtt_port: int = setting(
        0, "Port of our own MQTT endpoint for stock firmware; 0 means none.", least=0, most=65535
    )
    device_udp_port: int = setting(
        8521, "UDP port for the sound of those devices; 0 takes a free one.", least=0, most=65535
    )
    device_host: str = setting(
        "", "Name or address at which those devices reach us; empty: the one they used."
    )
    speech_url: str = setting(
        "", "OpenAI-compatible service that speaks, up to `/v1`; empty means espeak-ng alone."
    )
    speech_key: str = setting("", "Key of the speech service.", secret=True)
    speech_model: str = setting("tts-1", "Model of the speech service.")
    speech_voice: str = setting("alloy", "Voice of the speech service.")
    transcription_url: str = setting(
        "", "OpenAI-compatible service that transcribes speech; empty: text and buttons only."
    )
    transcription_key: str = setting("", "Key of the transcription service.", secret=True)
    transcription_model: str = setting("whisper-1", "Model of the transcription service.")

    zone: ZoneInfo | None = setting(
        None, "Time zone of users who have not set one; empty means the machine's."
    )
    language: Literal["zh", "en"] = setting("zh", "Language of users who have not set one.")

    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "`info` logs what happens to reminders and tasks, `debug` also how."
    )
    log_format: Literal["text", "json"] = setting(
        "text", "`text` for people, `json` for machines that collect logs."
    )

    @property
    def home_zone(self) -> ZoneInfo:
        """Where a person lives who has said nothing."""
        return self.zone or machine_zone()


GROUPS = {
    "host": "Server",
    "public_url": "Doors",
    "data_dir": "Storage",
    "task_slots": "Queue",
    "answer_timeout": "Reminders",
    "llm_url": "Language model",
    "dispatch_approval": "Dispatch",
    "telegram_token": "Chats",
    "device_lines_max": "Devices",
    "speech_url": "Voice",
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
        reserved=frozenset({CONFIG_VARIABLE, TOKEN_VARIABLE}),
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
