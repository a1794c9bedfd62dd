"""Asks the OSV database whether a pinned package is known to be weak: `make audit`.

Names and versions of the pins are sent there, and nothing else. It needs the network, so it is no
part of `make test`.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

OSV = "https://api.osv.dev"
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.MULTILINE)
AT_ONCE_MAX = 500  # OSV takes a thousand questions at a time
REQUIREMENTS = Path(__file__).parent.parent / "requirements"

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


def main() -> int:
    asked = pins()
    try:
        found = weak(asked)
    except httpx.HTTPError as error:
        print(f"The database cannot be asked: {error}", file=sys.stderr)
        return 2
    for (name, version), known in found.items():
        print(f"{name} {version}: {', '.join(known)}")
    print(f"{len(asked)} packages, {len(found)} of them with known weaknesses.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
