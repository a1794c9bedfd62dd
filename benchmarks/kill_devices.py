"""kill -9 while devices are being spoken to, fifty times in a row, on one SQLite file.

Run it with `python -m benchmarks.kill_devices [kills]`. Every reminder that was accepted must be
told and confirmed, and no session may tell one twice; the seed is printed.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.support.speaking_kills import SpeakingHouse

KILLS, DEVICES = 50, 6


async def main(kills: int) -> bool:
    seed = random.randrange(1_000_000)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        seen = await SpeakingHouse(Path(folder), DEVICES, seed).run(kills)
    tellings = seen.told.total()
    print(
        f"kills {seen.kills}  sessions {seen.sessions}  accepted {len(seen.accepted)}  "
        f"tellings {tellings}  lost {len(seen.lost)}  never told {len(seen.unheard)}  "
        f"twice in a session {len(seen.twice)}  asked again in one {seen.asked_again}  "
        f"told again in another {seen.again}  "
        f"seed {seed}  {time.perf_counter() - began:.0f} s"
    )
    for one in seen.lost + seen.unheard:
        print("  ", one)
    return not seen.lost and not seen.twice and not seen.unheard


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    sys.exit(0 if asyncio.run(main(wanted)) else 1)
