"""Nothing reaches a private address, tried in a network of its own with a name server that lies."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.exits.inside import NAMES, PORT, PRIVATE, PUBLIC

HERE = Path(__file__)
SETUP = f"""
set -e
ip link set lo up
ip addr add {PUBLIC}/32 dev lo
ip addr add {PRIVATE}/32 dev lo
mount --bind "$1" /etc/resolv.conf
shift
exec "$@"
"""
REFUSED = {"outcome": "private_address", "reached": []}
TRIED = {
    f"json://{PUBLIC}:{PORT}/": {"outcome": "sent", "reached": ["public"]},
    f"json://public.example:{PORT}/": {"outcome": "sent", "reached": ["public"]},
    f"json://rebinds.example:{PORT}/": {"outcome": "sent", "reached": ["public"]},
    f"json://private.example:{PORT}/": REFUSED,
    f"json://[::1]:{PORT}": REFUSED,
    f"json://[::ffff:7f00:1]:{PORT}": REFUSED,
    f"xml://[::1]:{PORT}": REFUSED,
    f"ntfy://[::1]:{PORT}/topic": REFUSED,
    f"apprise://[::1]:{PORT}/token": REFUSED,
    f"json://{PUBLIC}:{PORT}/moved": {"outcome": "unavailable", "reached": ["public"]},
    f"json://{PUBLIC}:{PORT}/moved?redirect=yes": {
        "outcome": "unavailable",
        "reached": ["public"],
    },
    f"http://rebinds-again.example:{PORT}/": {"outcome": "200", "reached": ["public"]},
    f"http://private.example:{PORT}/": REFUSED,
    f"http://[::1]:{PORT}/": REFUSED,
    f"http://public.example:{PORT}/moved": {"outcome": "307", "reached": ["public"]},
}


# How somebody with a token would try it: other spellings of this machine, names beside names,
# and every kind of service that calls a host which the address names.
HERE_IS = ("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "localhost", "①②⑦.⓪.⓪.①")
SIX = ("::", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::1%25lo")
SERVICES = (
    "form:// xmls:// gotify:// hassio:// kodi:// pushdeer:// signal:// workflows:// "
    "mmost:// rocket://u:p@ matrix://u:p@ emby://u:p@ lametric://key@ "
    "irc:// synology:// rsyslog:// enigma2:// apprises:// mailto://u:p@"
)
PROBES = (
    *(f"http://{host}:{PORT}/" for host in HERE_IS),
    *(f"json://{host}:{PORT}/" for host in HERE_IS),
    *(f"http://[{host}]:{PORT}/" for host in SIX),
    *(f"json://[{host}]:{PORT}/" for host in SIX),
    *(f"{service}127.0.0.1:{PORT}/a/b" for service in SERVICES.split()),
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    f"http://public.example@127.0.0.1:{PORT}/",
    f"http://127.0.0.1:{PORT}\\@public.example/",
    f"http://public.example:{PORT}%2F@127.0.0.1:{PORT}/",
    f"http://private.example.:{PORT}/",
    f"mailto://u:p@example.com?smtp=127.0.0.1:{PORT}&to=a@b.c",
    f"ntfy://127.0.0.1:{PORT}/t?attach=http://127.0.0.1:{PORT}/x",
    f"json://{PUBLIC}:{PORT}/?attach=file:///etc/passwd",
    f"vapid://a@b.c/sub?keyfile=http://127.0.0.1:{PORT}/x",
    f"fcm://p@k/dev?keyfile=http://127.0.0.1:{PORT}/k",
    "file:///etc/passwd",
    "syslog://",
)
REFUSALS = {"private_address", "bad_address", "unavailable"}


@cache
def outcomes() -> dict[str, dict[str, Any]]:
    """Of all addresses in one go: a namespace is quick, the program's start is not."""
    resolver = HERE.with_name("resolv.conf")
    assert resolver.read_text() == f"nameserver {NAMES}\n"
    unshare = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c", SETUP, "sh"]
    program = [sys.executable, "-m", "tests.exits.inside", json.dumps([*TRIED, *PROBES])]
    made = subprocess.run(
        [*unshare, str(resolver), *program],
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.fail(f"The test range could not be made; nothing was proved. {made.stderr}")
    told: dict[str, dict[str, Any]] = json.loads(made.stdout)
    return told


@pytest.mark.parametrize("address", TRIED)
def test_only_public_addresses_are_reached(address: str) -> None:
    assert outcomes()[address] == TRIED[address]


@pytest.mark.parametrize("address", PROBES)
def test_no_spelling_and_no_service_reaches_this_machine(address: str) -> None:
    told = outcomes()[address]

    assert told["reached"] == []
    assert told["outcome"] in REFUSALS
