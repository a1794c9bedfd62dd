"""Nothing reaches a private address, tried in a network of its own with a name server that lies."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

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


@cache
def outcomes() -> dict[str, object]:
    """Of all addresses in one go: a namespace is quick, the program's start is not."""
    resolver = HERE.with_name("resolv.conf")
    assert resolver.read_text() == f"nameserver {NAMES}\n"
    unshare = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c", SETUP, "sh"]
    program = [sys.executable, "-m", "tests.exits.inside", json.dumps(list(TRIED))]
    made = subprocess.run(
        [*unshare, str(resolver), *program],
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.fail(f"The test range could not be made; nothing was proved. {made.stderr}")
    told: dict[str, object] = json.loads(made.stdout)
    return told


@pytest.mark.parametrize("address", TRIED)
def test_only_public_addresses_are_reached(address: str) -> None:
    assert outcomes()[address] == TRIED[address]
