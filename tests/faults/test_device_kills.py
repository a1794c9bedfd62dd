"""A server that dies while it speaks loses nothing and says nothing twice in a session.

Fifty kills are `python -m benchmarks.kill_devices`; here are three.
"""

from pathlib import Path

import pytest

from tests.support.speaking_kills import SpeakingHouse

pytestmark = pytest.mark.timeout(300)  # it speaks in real time


async def test_kills_under_speaking_devices_lose_nothing_and_repeat_nothing(
    tmp_path: Path,
) -> None:
    seen = await SpeakingHouse(tmp_path, devices=3, seed=7).run(kills=3)

    assert seen.kills == 3
    assert (seen.lost, seen.twice, seen.unheard) == ([], [], [])
    assert len(seen.accepted) >= 3
