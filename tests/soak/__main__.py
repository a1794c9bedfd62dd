"""`python -m tests.soak [--seed N] [--days D] [--database sqlite|postgresql|both]`."""

import argparse
import asyncio
import logging
import secrets
import sys

from clarion.base.clock import SystemClock
from tests.soak.judge import Verdict
from tests.soak.run import soak
from tests.soak.world import World
from tests.support.services import PostgresServer, RedisServer, Services

SHOWN_MAX = 20


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="live the same life again")
    parser.add_argument("--days", type=float, default=7.0, help="simulated days (default 7)")
    choices = ("sqlite", "postgresql", "both")
    parser.add_argument("--database", choices=choices, default="both")
    return parser.parse_args()


def report(name: str, seed: int, world: World, verdict: Verdict, seconds: float) -> bool:
    """Say how it went; whether every promise was kept."""
    say = sys.stdout.write
    say(f"\n{name}, seed {seed}: {verdict.reminders} reminders, {verdict.rings} rings")
    say(f" in {seconds:.0f} s\n")
    say("  happened   " + ", ".join(f"{n} {what}" for what, n in sorted(world.counts.items())))
    say("\n  explained  " + (", ".join(f"{n} {w}" for w, n in verdict.explained.items()) or "-"))
    say("\n")
    for wrong in verdict.wrong[:SHOWN_MAX]:
        say(f"  WRONG      {wrong}\n")
    if verdict.wrong:
        for each in verdict.log.get(verdict.wrong[0].partition(":")[0], []):
            say(f"    {each.at:%d %H:%M:%S} {each.kind} {dict(each.data)}\n")
        say(f"  {len(verdict.wrong)} broken promises.\n")
    return not verdict.wrong


def main() -> int:
    given = arguments()
    logging.disable(logging.CRITICAL)  # thousands of crashes are news to nobody here
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    names = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    services, clock, kept = Services(), SystemClock(), True
    try:
        for name in names:
            server = services.get(PostgresServer) if name == "postgresql" else None
            sys.stdout.write(f"{name}: {given.days:g} days from seed {seed} ...\n")
            sys.stdout.flush()
            begun = clock.monotonic()
            # With PostgreSQL, Redis would carry the queue too, in a time of its own.
            redis = services.get(RedisServer) if server is None else None
            world, verdict = asyncio.run(soak(seed, given.days, server, redis))
            kept &= report(name, seed, world, verdict, clock.monotonic() - begun)
            if verdict.wrong:
                again = f"--seed {seed} --days {given.days:g} --database {name}"
                sys.stdout.write(f"  The same life again: python -m tests.soak {again}\n")
    finally:
        services.remove()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
