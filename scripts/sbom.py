"""What Clarion is made of: a CycloneDX bill of materials and the list of licences.

From the pins in requirements/run.txt, with their hashes, and from what the installed packages say
of themselves. `make release` puts both beside the wheel; the same pins give the same bytes.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parent.parent
PINS = ROOT / "requirements" / "run.txt"
_PIN = re.compile(
    r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL
)
SILENT = "not stated"  # by the package, or it is pinned for another Python than this one
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_NEEDED = re.compile(r"[\w.-]+")
# Packages that name their licence in a trove classifier or in free words only.
_IDS = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "MIT license": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "BSD 3-Clause License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
}
_ID = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+()-]+)*")


class Part(NamedTuple):
    name: str
    version: str
    hashes: tuple[str, ...]

    @property
    def ref(self) -> str:
        return f"pkg:pypi/{plain(self.name)}@{self.version}"


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def parts(text: str) -> list[Part]:
    return [
        Part(name, version, tuple(_HASH.findall(rest)))
        for name, version, rest in _PIN.findall(text)
    ]


def licence_of(name: str) -> str:
    """An SPDX expression as far as the package tells; "" when it says nothing, or is not here."""
    found = _installed(name)
    if found is None:
        return ""
    told = found.metadata.get("License-Expression") or ""
    if not told:
        classed = [
            line.rpartition(" :: ")[2]
            for line in found.metadata.get_all("Classifier") or ()
            if line.startswith("License ::") and not line.endswith("OSI Approved")
        ]
        free = (found.metadata.get("License") or "").splitlines()[:1]
        told = " AND ".join(_IDS.get(one, one) for one in classed) or "".join(free)
    return _IDS.get(told.strip(), told.strip())


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needs(name: str, known: set[str]) -> Iterator[str]:
    found = _installed(name)
    for line in (found.requires if found else None) or ():
        match = _NEEDED.match(line)
        if match and plain(match[0]) in known and "extra ==" not in line:
            yield plain(match[0])


def component(part: Part) -> dict[str, Any]:
    licence = licence_of(part.name)
    is_id = _ID.fullmatch(licence) is not None
    told = [{"expression": licence}] if is_id else [{"license": {"name": licence[:80]}}]
    return {
        "type": "library",
        "bom-ref": part.ref,
        "name": part.name,
        "version": part.version,
        "purl": part.ref,
        "scope": "required",
        "hashes": [{"alg": "SHA-256", "content": one} for one in part.hashes],
        **({"licenses": told} if licence else {}),
    }


def bill(found: list[Part], name: str, version: str) -> dict[str, Any]:
    """CycloneDX 1.6. Its serial number comes from what is in it: no clock, no dice."""
    itself = f"pkg:pypi/{name}@{version}"
    refs = {plain(part.name): part.ref for part in found}
    known = set(refs)
    needs = {part.ref: sorted({refs[one] for one in _needs(part.name, known)}) for part in found}
    inner = {one for each in needs.values() for one in each}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, itself + repr(found))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": name,
                "version": version,
                "purl": itself,
            }
        },
        "components": [component(part) for part in found],
        "dependencies": [
            {"ref": itself, "dependsOn": sorted(set(needs) - inner)},
            *({"ref": ref, "dependsOn": one} for ref, one in sorted(needs.items())),
        ],
    }


def licences(found: list[Part]) -> str:
    rows = [f"| {one.name} | {one.version} | {licence_of(one.name) or SILENT} |" for one in found]
    return "\n".join(
        [
            "# Licences of what Clarion is made of",
            "",
            "Written by `make docs` from the pins and what each package says of itself.",
            "",
            "| package | version | licence |",
            "| --- | --- | --- |",
            *rows,
            "",
        ]
    )


def main(folder: str = "") -> int:
    """With a folder the bill goes there; without, the list of licences is printed."""
    found = parts(PINS.read_text(encoding="utf-8"))
    if not folder:
        sys.stdout.write(licences(found))
        return 0
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = bill(found, project["name"], _version(project))
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    text = json.dumps(told, indent=1, ensure_ascii=False)
    (place / "clarion.cdx.json").write_text(text + "\n", encoding="utf-8")
    (place / "licences.md").write_text(licences(found), encoding="utf-8")
    return 0


def _version(project: dict[str, Any]) -> str:
    if "version" in project:
        return str(project["version"])
    return distribution(project["name"]).version


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
