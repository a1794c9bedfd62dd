"""The webhook, set up as docs/telegram.md says, and called as Telegram calls it."""

import re
from pathlib import Path

import httpx
import pytest

from clarion.app.build import build
from clarion.settings import load
from tests.support.clock import ManualClock
from tests.support.drive import Driver
from tests.support.http import serving
from tests.support.telegram_double import TOKEN, telegram_double

PAGE = Path(__file__).parents[3] / "docs" / "telegram.md"


def settings_on_the_page() -> dict[str, str]:
    """The settings that the page gives for the webhook, and no other."""
    said = re.search(
        r"With\s+(`CLARION_TELEGRAM_UPDATES.*?`), Telegram calls",
        PAGE.read_text("utf-8"),
        re.DOTALL,
    )
    assert said is not None
    found = re.findall(r"`(CLARION_\w+)=([^`]+)`", said.group(1))
    return dict(found)


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    ours = {"CLARION_TELEGRAM_TOKEN": TOKEN, "CLARION_DATA_DIR": str(tmp_path)}
    return settings_on_the_page() | ours


async def test_telegram_calls_under_the_public_address(
    settings: dict[str, str], clock: ManualClock
) -> None:
    async with telegram_double() as double:
        with_double = settings | {"CLARION_TELEGRAM_API_URL": double.base_url, "CLARION_PORT": "0"}
        async with await build(load(with_double), clock) as clarion:
            assert clarion.server is not None
            passes = {work.name: work for work in clarion.parts.passes}
            await passes["telegram-set-up"].run_once()
            hook = dict(double.calls)["setWebhook"]
            double.say("/help", chat={"id": 7, "type": "private"}, user={"id": 7})
            async with serving(clarion.server.app) as address, httpx.AsyncClient() as telegram:
                refused, taken = [
                    await telegram.post(
                        hook["url"].replace("https://clarion.example", address),
                        json=double.waiting[0],
                        headers={
                            "Host": "clarion.example",
                            "X-Telegram-Bot-Api-Secret-Token": secret,
                        },
                    )
                    for secret in ("guessed", hook["secret_token"])
                ]
            await Driver(clock, passes["tasks"]).settle()

    assert (refused.status_code, taken.status_code) == (403, 200)
    assert "/remind" in double.sent[0]["text"]
