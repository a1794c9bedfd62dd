"""`clarion test`: try a device or a contact now; it has to answer."""

import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from clarion.base.errors import BadInput, NotFound
from clarion.cli.client import Server
from clarion.cli.common import config_option, load_settings
from clarion.cli.show import echo_json, json_option

LOOK_EVERY = 0.5  # seconds
PATIENCE = 90  # seconds; a device is given a minute to answer
OPEN = ("pending", "triggered")
WORKS = "confirmed"


@click.command("test")
@click.argument("name")
@click.option("--no-wait", is_flag=True, help="Do not wait for the answer.")
@json_option
@config_option
def test_way(name: str, no_wait: bool, as_json: bool, config: Path | None) -> None:
    """Try a device or a contact now, by its id or name, and wait until somebody answers."""
    with Server(load_settings(config)) as server:
        kind, one = way_named(server, name)
        made = server.post(f"/{kind}/{quote(one['id'], safe='')}/test")
        if not no_wait:
            if not as_json:
                click.echo(f"{one['name'] or one['id']}: {made['content']}  ({made['id']})")
            made = wait_for_answer(server, made["id"])
    if as_json:
        echo_json(made)
    elif no_wait:
        click.echo(f"It is tried now: answer it there.  ({made['id']})")
    else:
        say_outcome(made)
    if not no_wait and made["status"] != WORKS:
        raise SystemExit(1)


def way_named(server: Server, name: str) -> tuple[str, dict[str, Any]]:
    """Devices come first; two of one name have to be named by their ids."""
    devices = server.get("/devices", limit=100)["items"]
    users = server.get("/users", limit=100)["items"]
    contacts = [
        one for user in users for one in server.get("/contacts", user_id=user["id"])["items"]
    ]
    known = [("devices", one) for one in devices] + [("contacts", one) for one in contacts]
    exact = [(kind, one) for kind, one in known if one["id"] == name]
    named = exact or [(kind, one) for kind, one in known if one["name"] == name]
    if not named:
        raise NotFound(f"There is no device and no contact {name!r}.", hint="Give an id or a name.")
    if len(named) > 1:
        ids = ", ".join(one["id"] for _, one in named)
        raise BadInput(f"{len(named)} are called {name!r}.", hint=f"Give one of the ids: {ids}.")
    return named[0]


def wait_for_answer(server: Server, test_id: str, seconds: float = PATIENCE) -> Any:
    """The test after somebody has answered, or after the waiting time."""
    pause = threading.Event()
    test = server.get(f"/reminders/{test_id}")
    for _ in range(round(seconds / LOOK_EVERY)):
        if test["status"] not in OPEN:
            break
        pause.wait(LOOK_EVERY)
        test = server.get(f"/reminders/{test_id}")
    return test


def say_outcome(test: dict[str, Any]) -> None:
    if test["status"] == WORKS:
        click.echo("   It works: somebody answered.")
    elif test["status"] in OPEN:
        click.echo(f"   No answer yet: it is remembered when it comes ({test['id']}).")
    else:
        why = {"not_told": "it could not be told there", "unconfirmed": "nobody answered"}
        click.echo(f"   It did not work: {why.get(test['reason'], 'it could not be reached')}.")
