"""Asks the OSV database whether a pinned package is known to be weak: `make audit`.

Names and versions of the pins are sent there, and nothing else. `make audit ARGS=--save` keeps the
answer in requirements/weak.json; without a network that answer is read, with its day, and pins that
it says nothing about are named. It is no part of `make test`.
"""

import json
import re
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import httpx

from clarion.base.clock import SystemClock

OSV = "https://api.osv.dev"
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.MULTILINE)
AT_ONCE_MAX = 500  # OSV takes a thousand questions at a time
REQUIREMENTS = Path(__file__).parent.parent / "requirements"
SNAPSHOT = REQUIREMENTS / "weak.json"

Pin = tuple[str, str]


def pins(folder: Path = REQUIREMENTS) -> list[Pin]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]
    return sorted({(name, version) for text in texts for name, version in PIN.findall(text)})


def weak(asked: Sequence[Pin], url: str = OSV) -> dict[Pin, list[str]]:
    """The known weaknesses of each package that has any, by their names in the database."""
    found: dict[Pin, list[str]] = {}
    with httpx.Client(base_url=url, timeout=30) as client:
        for start in range(0, len(asked), AT_ONCE_MAX):
            some = asked[start : start + AT_ONCE_MAX]
            questions = [
                {"package": {"ecosystem": "PyPI", "name": name}, "version": version}
                for name, version in some
            ]
            answer = client.post("/v1/querybatch", json={"queries": questions})
            results = answer.raise_for_status().json()["results"]
            for pin, result in zip(some, results, strict=True):
                if known := [one["id"] for one in result.get("vulns", [])]:
                    found[pin] = known
    return found


def keep(asked: Sequence[Pin], found: dict[Pin, list[str]], today: date, path: Path) -> None:
    """What was answered about each pin, so that it can be read without a network."""
    known = {f"{name}=={version}": found.get((name, version), []) for name, version in asked}
    text = json.dumps({"asked_on": today.isoformat(), "known": known}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def kept(asked: Sequence[Pin], path: Path) -> tuple[dict[Pin, list[str]], list[Pin], str]:
    """What is known of the pins, those that nothing is known of, and the day of the answer."""
    told = json.loads(path.read_text(encoding="utf-8"))
    known = {pin: told["known"].get("{}=={}".format(*pin)) for pin in asked}
    weak_ones = {pin: list(ids) for pin, ids in known.items() if ids}
    return weak_ones, [pin for pin, ids in known.items() if ids is None], told["asked_on"]


def main(save: str = "", url: str = OSV, path: Path = SNAPSHOT) -> int:
    asked = pins()
    unknown: list[Pin] = []
    try:
        found = weak(asked, url)
    except httpx.HTTPError as error:
        print(f"The database cannot be asked: {error}", file=sys.stderr)
        if not path.exists():
            print(
                "And no answer was kept: `make audit ARGS=--save`, where it can.", file=sys.stderr
            )
            return 2
        found, unknown, day = kept(asked, path)
        print(f"This was answered on {day}.")
    else:
        if save:
            keep(asked, found, SystemClock().now().date(), path)
    for name, version in unknown:
        print(f"{name} {version}: not asked about")
    for (name, version), known in found.items():
        print(f"{name} {version}: {', '.join(known)}")
    print(f"{len(asked)} packages, {len(found)} of them with known weaknesses.")
    return 1 if found or unknown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
