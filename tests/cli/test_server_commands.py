"""Commands that speak to a running server, and the five lines of docs/rest.md."""

import asyncio
import json
import os
import re
import stat
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(120)  # a whole Clarion starts, in a process of its own


@dataclass
class Home:
    """A folder with a running `clarion serve` in it, and its commands."""

    folder: Path
    welcome: str = ""

    @property
    def environ(self) -> dict[str, str]:
        kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TZ": "America/New_York"}
        return {**kept, "CLARION_PORT": "0"}

    async def start(self, *command: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=self.folder,
            env=self.environ,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def run(self, *arguments: str, typed: str = "") -> tuple[int, str, str]:
        process = await self.start(sys.executable, "-m", "clarion", *arguments)
        out, err = await process.communicate(typed.encode())
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()

    async def said(self, *arguments: str, typed: str = "") -> str:
        code, out, err = await self.run(*arguments, typed=typed)
        assert code == 0, err
        return out


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    made = Home(tmp_path)
    server = await made.start(sys.executable, "-m", "clarion", "serve")
    assert server.stdout is not None
    made.welcome = (await server.stdout.readline()).decode()
    await server.stdout.readline()  # where the first login is: then everything is in its place
    yield made
    server.terminate()
    await server.communicate()


async def test_the_first_start_shows_the_way_in_and_keeps_its_token_private(home: Home) -> None:
    data = home.folder / "data"
    login = (data / "login").read_text(encoding="utf-8")

    assert re.search(r"http://127\.0\.0\.1:\d+/login#[a-z0-9]{20}", login)
    assert {stat.S_IMODE(one.stat().st_mode) for one in data.iterdir()} == {0o600}


async def test_what_is_logged_lets_nobody_in(home: Home) -> None:
    assert re.search(r"http://127\.0\.0\.1:\d+/ ", home.welcome)
    assert "login#" not in home.welcome


async def test_a_machine_whose_token_was_revoked_says_how_to_mend_it(home: Home) -> None:
    own = (home.folder / "data" / "token").read_text(encoding="utf-8").partition(".")[0]
    await home.said("token", "revoke", own)

    code, _, err = await home.run("token", "list")

    assert (code, "Restart `clarion serve`" in err) == (2, True)


async def test_a_reminder_is_set_listed_put_off_and_confirmed(home: Home) -> None:
    said = await home.said("remind", "明天早上8点提醒我吃药，要确认")
    listed = await home.said("list")
    name = listed.split()[-1]
    later = await home.said("snooze", name[-6:], "30m", "--json")
    done = await home.said("confirm", name)
    empty = await home.said("list")

    assert "明天早上8点" in said
    assert "吃药" in listed
    assert " 08:00 " in listed  # the machine's own eight o'clock: nobody said another zone
    assert "\x1b[" not in listed
    assert json.loads(later)["status"] == "pending"
    assert done == "Confirmed: 吃药.\n"
    assert empty == "Nothing is planned.\n"


async def test_what_is_unclear_is_said_in_one_sentence(home: Home) -> None:
    code, out, err = await home.run("remind", "提醒我吃药")

    assert (code, out) == (2, "")
    assert err.startswith("clarion: 还不清楚什么时候提醒。")  # in the words of who asked


async def test_english_words_are_answered_in_english(home: Home) -> None:
    said = await home.said("remind", "call mum tomorrow at 9am")
    _, _, err = await home.run("remind", "call mum")

    assert said.startswith("tomorrow")
    assert err.startswith("clarion: It is not clear when")


async def test_tokens_are_made_listed_and_revoked(home: Home) -> None:
    await home.said("remind", "明天早上8点提醒我吃药")  # the first person of the house is "me"
    made = await home.said("token", "create", "--user", "me", "--name", "tv", "--expires", "90d")
    listed = await home.said("token", "list", "--json")
    [one] = [token for token in json.loads(listed)["items"] if token["name"] == "tv"]
    gone = await home.said("token", "revoke", one["id"])
    login = await home.said("token", "login")

    assert made.startswith(one["id"])
    assert (one["user_id"], one["kind"]) == ("me", "user")
    assert gone == "Revoked.\n"
    assert "/login#" in login


async def test_the_five_lines_of_the_page_run(home: Home) -> None:
    page = (ROOT / "docs" / "rest.md").read_text(encoding="utf-8")
    lines = page.split("```sh\n")[1].split("```")[0]

    process = await home.start("sh", "-euc", lines)
    out, err = await process.communicate()

    assert process.returncode == 0, err.decode()
    answers = re.split(r"(?<=})(?={)", out.decode())
    assert lines.count("curl ") == 5
    assert json.loads(answers[1])["id"] == "ana"
    assert "8点" in json.loads(answers[2])["readback"]
    assert json.loads(answers[3])["items"][0]["content"] == "吃药"
    assert json.loads(answers[4])["items"]


async def test_five_questions_set_up_the_first_person(home: Home) -> None:
    """Enter takes what is proposed; what cannot be is asked again; what was tested is said."""
    typed = (
        "Ana\nen\nNowhere/Land\n\nskip\nSue\nfoo\njson://localhost:1/\njson://contact.invalid/\n"
    )

    out = await home.said("setup", typed=typed)

    [ana] = json.loads(await users(home))
    assert (ana["id"], ana["name"], ana["language"]) == ("me", "Ana", "en")
    assert ana["zone"] == "America/New_York", "the machine's"
    assert "There is no time zone 'Nowhere/Land'" in out
    assert "/login#" in out
    assert "Nothing rings yet: nobody would hear a reminder." in out
    assert "Nobody can be reached at 'foo'." in out
    assert "Sue: Test: can you be reached when it matters?" in out
    again = await home.said("setup", typed="\n\n\nskip\nskip\n")
    assert "[Ana]" in again, "asked again, it proposes what is there"


async def users(home: Home) -> str:
    token = (home.folder / "data" / "token").read_text(encoding="utf-8").strip()
    url = (home.folder / "data" / "address").read_text(encoding="utf-8").strip()
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        return json.dumps((await http.get(f"{url}/api/v1/users")).json()["items"])


async def test_a_test_ring_has_to_be_answered(home: Home) -> None:
    """A device in another terminal, found without an address: it answers, and is proved."""
    await home.said("remind", "明天早上8点提醒我吃药")
    waits = await home.start(
        sys.executable, "-m", "clarion", "device", "--mute", "--answer", "收到了"
    )
    assert waits.stdout is not None
    code = (await waits.stdout.readline()).decode().rstrip(".\n").rpartition(" ")[2]
    token = (home.folder / "data" / "token").read_text(encoding="utf-8").strip()
    url = (home.folder / "data" / "address").read_text(encoding="utf-8").strip()
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        taken = f"{url}/api/v1/devices/activations/{code}"
        (await http.post(taken, json={"user_id": "me", "name": "Desk"})).raise_for_status()
        while "connected" not in (await waits.stdout.readline()).decode():
            pass
        out = await home.said("test", "Desk")
        device = (await http.get(f"{url}/api/v1/devices")).json()["items"][0]
    waits.terminate()
    await waits.communicate()
    missed, said, _ = await home.run("test", "Desk")
    unknown = await home.run("test", "Attic")

    assert "It works: somebody answered." in out
    assert device["proved_at"] is not None
    assert (missed, "It did not work" in said) == (1, True)
    assert (unknown[0], "There is no device and no contact 'Attic'" in unknown[2]) == (2, True)


async def test_without_a_server_the_way_to_one_is_said(tmp_path: Path) -> None:
    code, out, err = await Home(tmp_path).run("list")

    assert (code, out) == (2, "")
    assert "clarion serve" in err


async def test_a_shell_can_complete_the_commands(tmp_path: Path) -> None:
    assert "_CLARION_COMPLETE" in await Home(tmp_path).said("completion", "bash")


async def test_a_second_server_in_the_same_directory_refuses_to_start(home: Home) -> None:
    address = (home.folder / "data" / "address").read_text()

    code, _, err = await home.run("serve")

    assert code == 2
    assert f"already at {address.strip()}" in err
    assert (home.folder / "data" / "address").read_text() == address
    assert "Nothing is planned" in await home.said("list")


async def test_a_device_in_the_terminal_finds_the_server_on_whatever_port(home: Home) -> None:
    device = await home.start(sys.executable, "-m", "clarion", "device", "--mute")
    assert device.stdout is not None
    said = (await device.stdout.readline()).decode()
    device.terminate()
    await device.communicate()

    assert "Confirm it in the console with the code" in said


async def test_nobody_is_made_up(home: Home) -> None:
    for said, command in (
        ("没有这个人", ("remind", "--user", "nope", "明天早上8点提醒我吃药")),
        ("There is no user", ("remind", "--user", "nope", "remind me at 8 to take my pills")),
        ("There is no user", ("token", "create", "--user", "nobody")),
    ):
        code, _, err = await home.run(*command)
        assert code == 2
        assert said in err


async def test_a_reminder_that_nobody_can_hear_says_so(home: Home) -> None:
    said = await home.said("remind", "明天早上8点提醒我吃药")
    listed = await home.said("list")

    assert "没有人会听到" in said
    assert "nobody can hear it" in listed
