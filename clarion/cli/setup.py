"""`clarion setup`: five questions, answered in advance as far as this machine knows."""

import getpass
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from clarion.base.errors import BadInput
from clarion.base.zone import machine_zone
from clarion.cli.client import Server, ServerRefused
from clarion.cli.common import config_option, load_settings
from clarion.cli.testing import say_outcome, wait_for_answer
from clarion.people.model import known_zone
from clarion.people.service import LANGUAGES

WORDS = {
    "en": {
        "name": "1. Your name",
        "language": "2. Your language",
        "zone": "3. Your time zone",
        "rings": "4. Where shall it ring? Open this address in the browser that shall ring, and"
        " choose “Ring me here” (good for 15 minutes):",
        "opened": "   Press Enter when it is on, or type skip",
        "contact": "5. Who is told when you do not answer? A name, or skip",
        "address": "   Their address, such as ntfy://topic or mailto://user:password@example.com",
        "none": "Nothing rings yet: nobody would hear a reminder. Do this later: clarion setup",
        "done": "Done. Try it: clarion remind in two minutes remind me to drink water",
    },
    "zh": {
        "name": "1. 您的名字",
        "language": "2. 您的语言",
        "zone": "3. 您的时区",
        "rings": "4. 在哪里响铃？请在要响铃的浏览器里打开这个地址，选择“在此响铃”"
        "（15 分钟内有效）：",
        "opened": "   打开后按回车，或输入 skip 跳过",
        "contact": "5. 没人回应时通知谁？写名字，或输入 skip 跳过",
        "address": "   联系地址，例如 ntfy://topic 或 mailto://user:password@example.com",
        "none": "还没有能响的设备：没有人会听到提醒。以后再做：clarion setup",
        "done": "好了。试一试：clarion remind 两分钟后提醒我喝水",
    },
}
SKIP = "skip"


@click.command()
@click.option("--user", default="me", show_default=True, help="Whom to set up.")
@config_option
def setup(user: str, config: Path | None) -> None:
    """Set up the first person in five questions: Enter takes what is proposed."""
    with Server(load_settings(config)) as server:
        words = WORDS[spoken_here(os.environ)]
        known = found(server, user)
        name = click.prompt(words["name"], default=known.get("name") or getpass.getuser())
        proposed = known.get("language") or spoken_here(os.environ)
        language = click.prompt(
            words["language"], default=proposed, type=click.Choice(list(LANGUAGES))
        )
        words = WORDS[language]
        zone = click.prompt(
            words["zone"],
            default=known.get("zone") or machine_zone().key,
            value_proc=a_zone,
        )
        keep(server, user, {"name": name, "language": language, "zone": zone})
        rings(server, user, words)
        contact(server, user, words)
        click.echo(words["done"])


def a_zone(text: str) -> str:
    """Asked again when there is no such zone."""
    try:
        return known_zone(text.strip()).key
    except BadInput as error:
        raise click.BadParameter(f"{error.message} {error.hint}") from None


def spoken_here(environ: Any) -> str:
    said = next((environ[one] for one in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(one)), "")
    return "zh" if said.lower().startswith("zh") else "en"


def found(server: Server, user: str) -> dict[str, Any]:
    known = server.get("/users", limit=100)["items"]
    return next((one for one in known if one["id"] == user), {})


def keep(server: Server, user: str, about: dict[str, Any]) -> None:
    if found(server, user):
        server.patch(f"/users/{quote(user, safe='')}", about)
    else:
        server.post("/users", {"id": user, **about})


def rings(server: Server, user: str, words: dict[str, str]) -> None:
    """Test a device that is on; without an answer it does not count as heard."""
    known = devices(server, user)
    if not known:
        made = server.post("/login-codes", {"user_id": user})
        click.echo(f"{words['rings']}\n   {server.url}{made['path']}")
        if click.prompt(words["opened"], default="", show_default=False) == SKIP:
            click.echo(words["none"])
            return
        known = devices(server, user)
    if not known:
        click.echo(words["none"])
        return
    made = server.post(f"/devices/{quote(known[0]['id'], safe='')}/test")
    click.echo(f"   {known[0]['name'] or known[0]['id']}: {made['content']}")
    say_outcome(wait_for_answer(server, made["id"]))


def devices(server: Server, user: str) -> list[dict[str, Any]]:
    """Those that can be tried now: the ones that are there before the others."""
    known = server.get("/devices", user_id=user, limit=100)["items"]
    there = [one for one in known if one["enabled"]]
    return sorted(there, key=lambda one: not one["online"])


def contact(server: Server, user: str, words: dict[str, str]) -> None:
    name = click.prompt(words["contact"], default=SKIP)
    if name == SKIP:
        return
    made = None
    while made is None:
        address = click.prompt(words["address"])
        try:
            made = server.post("/contacts", {"user_id": user, "name": name, "address": address})
        except ServerRefused as error:
            click.echo(f"   {error.message} {error.hint}")
    test = server.post(f"/contacts/{made['id']}/test")
    click.echo(f"   {name}: {test['content']}")
    say_outcome(wait_for_answer(server, test["id"], seconds=20))
