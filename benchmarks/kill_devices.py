"""kill -9 while devices are being spoken to, fifty times in a row, on one SQLite file.

Run it with `python -m benchmarks.kill_devices [kills]`. Every reminder that was accepted must be
told and confirmed, and no session may tell one twice; the seed is printed. With `--one-way` the
devices are webhooks and notifications, which are told at least once: their doubles are counted, and
each double of a webhook must carry the `ring_id` of the first.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.support.speaking_kills import Kills, OneWayHouse, SpeakingHouse

KILLS, DEVICES, ONE_WAY = 50, 6, 40


async def main(kills: int, *, one_way: bool) -> bool:
    seed = random.randrange(1_000_000)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = OneWayHouse(folder, ONE_WAY, seed) if one_way else None
        seen = await (house or SpeakingHouse(folder, DEVICES, seed)).run(kills)
    print(
        f"kills {seen.kills}  accepted {len(seen.accepted)}  tellings {seen.told.total()}  "
        f"lost {len(seen.lost)}  never told {len(seen.unheard)}  "
        f"seed {seed}  {time.perf_counter() - began:.0f} s"
    )
    for one in seen.lost + seen.unheard:
        print("  ", one)
    kept = of_one_way(house) if house else of_sessions(seen)
    return kept and not seen.lost and not seen.unheard


def of_sessions(seen: Kills) -> bool:
    print(
        f"sessions {seen.sessions}  twice in a session {len(seen.twice)}  "
        f"asked again in one {seen.asked_again}  told again in another {seen.again}"
    )
    return not seen.twice


def of_one_way(house: OneWayHouse) -> bool:
    for kind, arrived in house.arrived.items():
        print(f"{kind}: doubles {arrived.total() - len(arrived)} of {arrived.total()}")
    other = [number for number, keys in house.keys.items() if len(keys) > 1]
    print(f"webhook: told again under another ring_id {len(other)}")
    return not other


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill_devices")
    parser.add_argument("kills", type=int, nargs="?", default=KILLS)
    parser.add_argument("--one-way", action="store_true", help="webhooks and notifications")
    given = parser.parse_args()
    sys.exit(0 if asyncio.run(main(given.kills, one_way=given.one_way)) else 1)
