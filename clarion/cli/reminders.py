"""`clarion remind`, `list`, `confirm`, `snooze`, `cancel`: reminders from the command line."""

from pathlib import Path
from typing import Any

import click

from clarion.base.config import duration as read_duration
from clarion.base.errors import BadInput, NotFound
from clarion.cli.client import Server
from clarion.cli.common import config_option, load_settings
from clarion.cli.show import echo_json, echo_table, json_option, local, user_option, zone_note
from clarion.language.script import language_of

OPEN = ["pending", "triggered"]
ID_LETTERS = 30


@click.command()
@click.argument("words", nargs=-1, required=True)
@user_option
@click.option("--device", help="Where to ring; otherwise wherever the person is found.")
@json_option
@config_option
def remind(
    words: tuple[str, ...], user: str | None, device: str | None, as_json: bool, config: Path | None
) -> None:
    """Set a reminder in plain words: clarion remind 明天早上8点吃药，要确认."""
    text = " ".join(words)
    with Server(load_settings(config), language=language_of(text)) as server:
        whose = server.user(user)
        made = server.post(
            "/reminders/natural",
            {"text": text, "user_id": whose, "device_id": device},
        )
        zone = server.get(f"/users/{whose}")["zone"]
    if as_json:
        echo_json(made)
        return
    thing = made["series"] or made["reminder"]
    at = thing.get("next_at") or thing.get("trigger_at")
    said = made["readback"] + zone_note(zone, at)
    click.echo(f"{said}  {thing['content']}  ({thing['id']})")
    if made["guarantee"]:
        click.echo(made["guarantee"]["sentence"])


@click.command("list")
@user_option
@click.option("--all", "everything", is_flag=True, help="Also those that are over.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100))
@json_option
@config_option
def list_(
    user: str | None, everything: bool, limit: int, as_json: bool, config: Path | None
) -> None:
    """List reminders, the earliest first."""
    with Server(load_settings(config)) as server:
        status = None if everything else OPEN
        found = server.get("/reminders", user_id=user, status=status, limit=limit)
        zones = {one["id"]: one["zone"] for one in server.get("/users", limit=100)["items"]}
    if as_json:
        echo_json(found)
        return
    if not found["items"]:
        click.echo("Nothing is planned.")
        return
    rows = [
        (
            local(one["trigger_at"], zones.get(one["user_id"], "")),
            status_of(one),
            one["user_id"],
            one["content"],
            one["id"],
        )
        for one in found["items"]
    ]
    echo_table(("when", "status", "user", "what", "id"), rows)


@click.command()
@click.argument("reminder")
@click.option("--by", default="", help="Who did it, when it was not the user.")
@json_option
@config_option
def confirm(reminder: str, by: str, as_json: bool, config: Path | None) -> None:
    """Mark a reminder as done. Name it by its id, or by the last letters of it."""
    with Server(load_settings(config)) as server:
        done = server.post(f"/reminders/{named(server, reminder)}/confirm", {"by": by})
    tell(done, f"Confirmed: {done['content']}.", as_json)


@click.command()
@click.argument("reminder")
@click.argument("how_long", default="10m")
@json_option
@config_option
def snooze(reminder: str, how_long: str, as_json: bool, config: Path | None) -> None:
    """Put a reminder off: clarion snooze …k7m2q9 30m. Ten minutes when nothing is said."""
    try:
        seconds = int(read_duration(how_long).total_seconds())
    except ValueError:
        raise BadInput(f"{how_long!r} is no duration.", hint="Such as 90s, 10m or 1h30m.") from None
    with Server(load_settings(config)) as server:
        body = {"duration": seconds}
        moved = server.post(f"/reminders/{named(server, reminder)}/snooze", body)
    tell(moved, f"{local(moved['trigger_at'])}: {moved['content']}.", as_json)


@click.command()
@click.argument("reminder")
@json_option
@config_option
def cancel(reminder: str, as_json: bool, config: Path | None) -> None:
    """Cancel a reminder. Name it by its id, or by the last letters of it."""
    with Server(load_settings(config)) as server:
        gone = server.post(f"/reminders/{named(server, reminder)}/cancel")
    tell(gone, f"Cancelled: {gone['content']}.", as_json)


def status_of(reminder: dict[str, Any]) -> str:
    """The status in words; a plain `pending` would hide that it is overdue."""
    if reminder["unreached_since"]:
        return f"nobody reachable since {local(reminder['unreached_since'])}"
    heard = reminder["guarantee"]
    alone = heard is not None and heard["level"] == "nobody"
    return f"{reminder['status']}, nobody can hear it" if alone else str(reminder["status"])


def tell(reminder: dict[str, Any], sentence: str, as_json: bool) -> None:
    if as_json:
        echo_json(reminder)
    else:
        click.echo(sentence)


def named(server: Server, text: str) -> str:
    """The whole id of an open reminder whose id ends like this; people copy ends of ids."""
    if len(text) >= ID_LETTERS:
        return text
    items = server.get("/reminders", status=OPEN, limit=100)["items"]
    found = [one["id"] for one in items if one["id"].endswith(text.removeprefix("…"))]
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise NotFound(f"No open reminder ends in {text!r}.", hint="`clarion list` shows them.")
    raise BadInput(f"{len(found)} reminders end in {text!r}.", hint="Give more letters of the id.")
