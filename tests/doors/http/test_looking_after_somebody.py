"""docs/looking-after-somebody.md, followed word for word by somebody with a shell."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clarion.base.ids import UserId
from clarion.people.model import CLARION, ContactConsent, EscalationPolicy, FurtherWay
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors

PAGE = Path(__file__).parents[3] / "docs/looking-after-somebody.md"
BLOCKS = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
MOTHER = UserId("mother")


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    """Nothing is sent: the addresses here are nobody's."""
    async with open_doors(tmp_path, clock, by_hand=True) as opened:
        yield opened


async def followed(doors: Doors) -> list[str]:
    """Every line that was answered, in order; the first refusal stops it."""
    script = "set -e -o pipefail\n" + "\n".join(BLOCKS.findall(PAGE.read_text()))
    known = {**os.environ, "CLARION": doors.url, "TOKEN": doors.tokens["admin"]}
    shell = await asyncio.create_subprocess_exec(
        "bash", "-c", script, env=known, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await shell.communicate()
    assert shell.returncode == 0, said.decode()
    return [line for line in said.decode().splitlines() if line]


async def test_a_mother_two_children_and_a_neighbour_are_set_up(doors: Doors) -> None:
    said = [json.loads(line) for line in await followed(doors)]
    told = await doors.people.contacts(CLARION, MOTHER)
    sue, tom, neighbour = sorted(told, key=lambda one: (one.order, one.name))
    mother = await doors.people.user(CLARION, MOTHER)

    assert (sue.order, sue.delay, sue.consent) == (1, 0, ContactConsent.ASKED)
    assert (tom.order, tom.consent) == (1, ContactConsent.AGREED)
    assert tom.ways == (FurtherWay("ntfy://tom-at-work", 300),)
    assert (neighbour.delay, neighbour.consent) == (600, ContactConsent.ASKED)
    assert mother.escalation == EscalationPolicy(rounds=3, pause=600)
    assert [one["content"] for one in said[-1]["items"]] == ["take the pills"]


async def test_the_neighbours_link_opens_a_page_in_their_language(doors: Doors) -> None:
    said = [json.loads(line) for line in await followed(doors)]
    link = next(one["invitation"] for one in said if one.get("invitation"))

    async with doors.client() as neighbour:
        page = await neighbour.get(f"/i/{link.rpartition('/')[2]}")
        named = await neighbour.post(
            f"/i/{link.rpartition('/')[2]}",
            data={"do": "agree", "address": "ntfy://mrs-li"},
            headers={"Origin": "null"},
        )

    assert "Mother想请您帮忙" in page.text
    assert "请到那里看看" in named.text
