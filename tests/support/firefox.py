"""Somebody with Firefox: driven over WebDriver BiDi, which it speaks by itself on a socket."""

import asyncio
import itertools
import json
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

FIREFOX = "firefox-esr"
LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES = """user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("app.update.enabled", false);
user_pref("intl.accept_languages", "en-GB");
"""


class Firefox:
    """One tab. `commands` go out numbered, and their answers come back with the number."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._tab = ""

    async def tell(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(await self._socket.recv())
            if said.get("id") == number:
                assert said["type"] == "success", said
                result: dict[str, Any] = said["result"]
                return result

    async def begin(self) -> None:
        await self.tell("session.new", capabilities={})
        tree = await self.tell("browsingContext.getTree")
        self._tab = tree["contexts"][0]["context"]

    async def goes_to(self, url: str) -> None:
        await self.tell("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    async def presses(self, label: str) -> None:
        """As a finger does it: where the button is, not by script."""
        [button] = await self._found(f'//button[normalize-space()="{label}"]')
        there = {"type": "element", "element": {"sharedId": button["sharedId"]}}
        touch = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": there},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        hand = {"type": "pointer", "id": "hand", "actions": touch}
        await self.tell("input.performActions", context=self._tab, actions=[hand])

    async def sees(self, words: str) -> None:
        """Wait until the page has these words; the test's time is the bound."""
        while not await self._found(f'//main[contains(., "{words}")]'):
            pass

    async def _found(self, path: str) -> list[dict[str, Any]]:
        where = {"type": "xpath", "value": path}
        found = await self.tell("browsingContext.locateNodes", context=self._tab, locator=where)
        nodes: list[dict[str, Any]] = found["nodes"]
        return nodes


@asynccontextmanager
async def firefox(profile: Path, *, script: bool) -> AsyncIterator[Firefox]:
    assert shutil.which(FIREFOX), "firefox-esr is not installed; `make test` installs it"
    off = "" if script else 'user_pref("javascript.enabled", false);'
    (profile / "user.js").write_text(PREFERENCES + off)
    started = await asyncio.create_subprocess_exec(
        FIREFOX,
        *("--headless", "--no-remote", "--remote-debugging-port", "0"),
        *("--profile", str(profile)),
        env={"HOME": str(profile), "PATH": "/usr/bin:/bin", "TZ": "UTC"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert started.stderr is not None
        while not (found := LISTENS.search(line := await started.stderr.readline())):
            assert line, "Firefox ended before it listened"
        async with connect(f"{found.group(1).decode()}/session", max_size=None) as socket:
            opened = Firefox(socket)
            await opened.begin()
            yield opened
    finally:
        started.terminate()
        await started.wait()
