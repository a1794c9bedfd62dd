"""What registries and hosts take is made from one manifest, and is as their documents ask."""

import base64
import json
import re
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import clarion
from clarion.doors.http.connect.manifest import (
    assistant_hosts,
    bundle_manifest,
    manifest,
    registry_entry,
)
from scripts.bundle import FOLDER, ROOT, pack, pages

URL = "https://clarion.example"


def test_what_lies_in_deploy_is_what_the_manifest_makes() -> None:
    """`make bundle` writes it."""
    for name, text in pages().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


def test_the_registry_entry_keeps_the_registrys_rules() -> None:
    """Those of schema 2025-12-11, as its documents state them."""
    entry = registry_entry()
    [package] = entry["packages"]

    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert len(entry["name"]) <= 200
    assert 1 <= len(entry["description"]) <= 100
    assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])
    assert package["registryType"] == "pypi"
    assert package["version"] == entry["version"] == clarion.__version__
    assert package["transport"] == {"type": "stdio"}
    assert set(re.findall(r"{(\w+)}", entry["remotes"][0]["url"])) == set(
        entry["remotes"][0]["variables"]
    )


def test_whoever_publishes_proves_that_the_package_is_theirs() -> None:
    """The registry looks for the name in the package's README and the image's label."""
    name = manifest()["registry_name"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert f"mcp-name: {name}" in (ROOT / "README.md").read_text(encoding="utf-8")
    label = f'LABEL io.modelcontextprotocol.server.name="{name}"'
    assert label in (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert project["name"] == manifest()["package"]
    assert "clarion" in project["scripts"], "`uvx clarion mcp` starts it"


def test_the_bundle_holds_what_its_manifest_names(tmp_path: Path) -> None:
    target = tmp_path / "clarion.mcpb"
    pack(target)
    with zipfile.ZipFile(target) as bundle:
        told = json.loads(bundle.read("manifest.json"))
        names = set(bundle.namelist())
        project = tomllib.loads(bundle.read("pyproject.toml").decode())
        compile(bundle.read("server.py"), "server.py", "exec")

    assert told == bundle_manifest()
    assert {told["icon"], told["server"]["entry_point"]} <= names
    assert project["project"]["dependencies"] == [f"clarion=={clarion.__version__}"]
    used = set(re.findall(r"\${user_config\.(\w+)}", json.dumps(told)))
    assert used == set(told["user_config"])
    assert told["user_config"]["token"]["sensitive"]


@pytest.mark.parametrize("host", assistant_hosts(), ids=lambda host: host.id)
def test_each_snippet_is_whole_and_in_both_languages(host: object) -> None:
    [found] = [one for one in assistant_hosts() if one is host]
    text = found.filled(URL, "ana")

    assert set(found.where) == {"en", "zh"}
    assert "{url}" not in text
    assert "{user}" not in text
    assert ("{token}" in text) is (found.kind == "token")
    if text.startswith("{"):
        [servers] = json.loads(text).values()
        assert list(servers) == ["clarion"]


def test_links_carry_the_address_as_their_hosts_read_it() -> None:
    links = {one.id: one.install_link(URL) for one in assistant_hosts()}
    cursor, code = urlsplit(links["cursor"]), links["vscode"]
    config = parse_qs(cursor.query)["config"][0]

    assert json.loads(base64.b64decode(config)) == {"url": f"{URL}/mcp"}
    assert json.loads(unquote(code.removeprefix("vscode:mcp/install?"))) == {
        "name": "clarion",
        "type": "http",
        "url": f"{URL}/mcp",
    }
