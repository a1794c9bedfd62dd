"""Writes what registries and hosts take: server.json, and clarion.mcpb with its manifest.

python -m scripts.bundle            both, into deploy/assistants and dist
python -m scripts.bundle --check    whether deploy/assistants is up to date
"""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

from clarion.doors.http.connect.manifest import (
    BUNDLE_SERVER,
    bundle_manifest,
    bundle_project,
    registry_entry,
)

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "deploy" / "assistants"
BUNDLE = ROOT / "dist" / "clarion.mcpb"
ICON = ROOT / "clarion" / "console" / "icon-512.png"
LONG_AGO = (2026, 1, 1, 0, 0, 0)  # the same bundle from the same tree


def written(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def pages() -> dict[str, str]:
    return {"server.json": written(registry_entry()), "manifest.json": written(bundle_manifest())}


def pack(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    files = {
        "manifest.json": written(bundle_manifest()).encode(),
        "pyproject.toml": bundle_project().encode(),
        "server.py": BUNDLE_SERVER.encode(),
        "icon.png": ICON.read_bytes(),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(zipfile.ZipInfo(name, LONG_AGO), content)


def main() -> int:
    if "--check" in sys.argv:
        old = [name for name, text in pages().items() if (FOLDER / name).read_text() != text]
        return len(old)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    pack(BUNDLE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
