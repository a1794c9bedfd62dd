"""`clarion token`: make, list and revoke tokens; log in to the console."""

from pathlib import Path
from urllib.parse import quote

import click

from clarion.base.config import duration as read_duration
from clarion.base.errors import BadInput
from clarion.cli.client import Server
from clarion.cli.common import config_option, load_settings
from clarion.cli.show import echo_json, echo_table, json_option, local


@click.group()
@config_option
@click.pass_context
def token(context: click.Context, config: Path | None) -> None:
    """Make, list and revoke tokens; log in to the console."""
    context.obj = load_settings(config)


@token.command()
@click.option(
    "--kind", type=click.Choice(["admin", "user", "device", "dispatcher", "viewer"]), default="user"
)
@click.option("--user", help="The user it speaks for.")
@click.option("--device", help="The device it speaks for.")
@click.option("--name", default="", help="What you call it: Claude on the laptop.")
@click.option("--expires", help="How long it is valid: 90d, 12h.")
@json_option
@click.pass_context
def create(
    context: click.Context,
    kind: str,
    user: str | None,
    device: str | None,
    name: str,
    expires: str | None,
    as_json: bool,
) -> None:
    """Make a token and print it. It is shown this once."""
    seconds = None
    if expires is not None:
        try:
            seconds = int(read_duration(expires).total_seconds())
        except ValueError:
            raise BadInput(f"{expires!r} is no duration.", hint="Such as 90d or 12h.") from None
    with Server(context.obj) as server:
        body = {
            "kind": kind,
            "user_id": server.user(user) if kind == "user" else user,
            "device_id": device,
            "name": name,
            "expires_in": seconds,
        }
        made = server.post("/tokens", body)
    if as_json:
        echo_json(made)
    else:
        click.echo(made["token"])


@token.command("list")
@json_option
@click.pass_context
def list_(context: click.Context, as_json: bool) -> None:
    """List tokens. The secrets themselves are known to nobody."""
    with Server(context.obj) as server:
        found = server.get("/tokens", limit=100)
    if as_json:
        echo_json(found)
        return
    rows = [
        (
            one["id"],
            one["kind"],
            one["user_id"] or one["device_id"] or "-",
            one["name"] or "-",
            local(one["used_at"]),
            "revoked" if one["revoked_at"] else local(one["expires_at"]),
        )
        for one in found["items"]
    ]
    echo_table(("id", "kind", "speaks for", "name", "used", "good until"), rows)


@token.command()
@click.argument("token_id")
@click.pass_context
def revoke(context: click.Context, token_id: str) -> None:
    """Revoke a token, at once and for good."""
    with Server(context.obj) as server:
        server.delete(f"/tokens/{quote(token_id, safe='')}")
    click.echo("Revoked.")


@token.command()
@click.option("--user", help="Log in as this user; otherwise as an admin.")
@click.pass_context
def login(context: click.Context, user: str | None) -> None:
    """Print an address that opens the console once, for a quarter of an hour."""
    with Server(context.obj) as server:
        made = server.post("/login-codes", {"user_id": user})
        click.echo(f"{server.url}{made['path']}")
