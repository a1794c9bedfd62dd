"""The same loss of the socket, with reminders that are kept in a real database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from clarion.doors.devices.simulator import Firmware, SimulatedDevice, SimulatedIdentity
from clarion.people.model import DeviceKind
from clarion.reminders.model import Reminder
from tests.support.databases import sqlite_file
from tests.support.devices import TOKEN, Door, ShortVoice, devices_door
from tests.support.real_reminders import RealReminders, open_real_reminders

SHOWN = SimulatedIdentity(token=TOKEN, persistent=False)
PACKETS = 6
TOLD = 3 + PACKETS  # a face, the start, the subtitle, the sound; then comes the stop
EVERY_FRAME = range(1, 2 * (TOLD + 1) + 2)  # the ring, the words understood, the reply
PATIENCE = 30.0  # seconds; against hanging

pytestmark = pytest.mark.timeout(90)


@asynccontextmanager
async def door_of(clarion: RealReminders) -> AsyncIterator[Door]:
    """One life of the server: what it keeps in memory goes with it."""
    async with devices_door(voice=ShortVoice(PACKETS), heart=clarion.services.facts) as door:
        clarion.ways[DeviceKind.XIAOZHI] = door.channel
        yield door


class Cut:
    """A device whose plug is pulled when so many frames have come after the hello."""

    def __init__(self, url: str, at: int) -> None:
        self._left = at
        self.device = SimulatedDevice(
            url, SHOWN, on_message=lambda _one: self._count(), on_packet=lambda _one: self._count()
        )

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self.device.cut()

    async def live(self, clarion: RealReminders, *, confirm: bool) -> Reminder:
        """Hear the ring out and answer, as far as the line lives."""
        await self.device.open()
        reminder = await clarion.remind(confirm=confirm)
        await self.device.until(lambda it: is_over(it, 1), within=PATIENCE)
        with suppress(ConnectionClosed):
            await self.device.type("吃过了")
        await self.device.until(lambda it: is_over(it, 2), within=PATIENCE)
        self.device.cut()
        return reminder


def is_over(firmware: Firmware, sentences: int) -> bool:
    said_all = len(firmware.said) >= sentences and firmware.state == "idle"
    return firmware.state == "closed" or said_all


async def words_of(clarion: RealReminders, reminder: Reminder) -> str:
    (ring,) = await clarion.services.store.rings(reminder.id)
    return ring.text


@pytest.fixture
async def clarion(tmp_path: Path) -> AsyncIterator[RealReminders]:
    async with open_real_reminders(await sqlite_file(tmp_path)) as made:
        yield made


@pytest.mark.parametrize("restarted", [False, True], ids=["same server", "restarted"])
@pytest.mark.parametrize("at", EVERY_FRAME)
async def test_a_line_lost_at_any_frame_loses_no_yes_and_tells_once_a_session(
    clarion: RealReminders, at: int, restarted: bool
) -> None:
    async with door_of(clarion) as first_life:
        first = Cut(first_life.url, at)
        reminder = await first.live(clarion, confirm=True)
        if not restarted:
            second = await answer(first_life)
    if restarted:
        async with door_of(clarion) as second_life:
            second = await answer(second_life)

    text = await words_of(clarion, reminder)
    after = await clarion.look(reminder)
    assert (after.status.value, after.attempt) == ("confirmed", 1)
    assert await clarion.happened(reminder, "reminder.confirmed") == 1
    assert first.device.firmware.said.count(text) <= 1
    assert second.said.count(text) <= 1


async def answer(door: Door) -> Firmware:
    """The person says it in the next session, and hears something back."""
    async with SimulatedDevice(door.url, SHOWN) as device:
        await device.type("吃过了")
        return await device.until(lambda it: it.said != [] and it.state == "idle", within=PATIENCE)


@pytest.mark.parametrize("confirm", [True, False], ids=["confirm", "plain"])
@pytest.mark.parametrize("restarted", [False, True], ids=["same server", "restarted"])
@pytest.mark.parametrize("at", [1, 2, 3, 4, TOLD - 1])
async def test_what_was_cut_off_is_told_in_full_in_the_next_session(
    clarion: RealReminders, at: int, restarted: bool, confirm: bool
) -> None:
    async with door_of(clarion) as first_life:
        reminder = await Cut(first_life.url, at).live(clarion, confirm=confirm)
        if not restarted:
            second = await listen(first_life)
    if restarted:
        async with door_of(clarion) as second_life:
            second = await listen(second_life)

    assert second.said == [await words_of(clarion, reminder)]
    assert len(second.packets) == PACKETS
    assert (await clarion.look(reminder)).attempt == 1


async def listen(door: Door) -> Firmware:
    async with SimulatedDevice(door.url, SHOWN) as device:
        return await device.until(lambda it: it.said != [] and it.state == "idle", within=PATIENCE)


async def test_after_a_restart_a_yes_still_belongs_to_what_was_heard_before(
    clarion: RealReminders,
) -> None:
    async with door_of(clarion) as first_life, SimulatedDevice(first_life.url, SHOWN) as device:
        reminder = await clarion.remind()
        await device.until(lambda it: it.said != [] and it.state == "idle", within=PATIENCE)
        async with asyncio.timeout(PATIENCE):
            while not await clarion.happened(reminder, "ring.heard"):
                await asyncio.to_thread(int)

    async with door_of(clarion) as second_life:
        second = await answer(second_life)

    assert (await clarion.look(reminder)).status.value == "confirmed"
    assert second.said.count(await words_of(clarion, reminder)) == 0
