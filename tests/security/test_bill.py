"""The bill of materials: every pin with its hashes and licence, in CycloneDX's own terms."""

import re
from pathlib import Path

import pytest

from scripts.sbom import PINS, SILENT, bill, component, licence_of, licences, main, parts

FOUND = parts(PINS.read_text(encoding="utf-8"))
ROOT = Path(__file__).parents[2]


def test_every_pin_is_in_it_with_its_hashes() -> None:
    told = bill(FOUND, "clarion", "1")
    listed = told["components"]
    pinned = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==", PINS.read_text("utf-8"), re.MULTILINE)

    assert [one["name"] for one in listed] == pinned
    assert len(listed) > 30
    assert all(one["hashes"] for one in listed)


def test_it_is_cyclonedx() -> None:
    """What the specification asks of every bill; its schema is not at hand without a network."""
    told = bill(FOUND, "clarion", "1")
    refs = [one["bom-ref"] for one in told["components"]]
    known = {*refs, told["metadata"]["component"]["bom-ref"]}

    assert (told["bomFormat"], told["specVersion"], told["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", told["serialNumber"])
    assert len(set(refs)) == len(refs)
    assert all(re.fullmatch(r"pkg:pypi/[a-z0-9-]+@\S+", one["purl"]) for one in told["components"])
    assert {one["ref"] for one in told["dependencies"]} == known
    assert all(set(one["dependsOn"]) <= known for one in told["dependencies"])


def test_the_same_pins_give_the_same_bill() -> None:
    assert bill(FOUND, "clarion", "1") == bill(FOUND, "clarion", "1")


@pytest.mark.parametrize(("name", "licence"), [("fastapi", "MIT"), ("httpx", "BSD-3-Clause")])
def test_a_licence_is_named_as_spdx_does(name: str, licence: str) -> None:
    assert licence_of(name) == licence


def test_a_package_that_is_not_here_has_no_licence() -> None:
    assert licence_of("no-such-package-anywhere") == ""
    assert "licenses" not in component(FOUND[0]._replace(name="no-such-package-anywhere"))


def test_the_page_lists_every_pin() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")

    assert [row for one in FOUND if (row := f"| {one.name} | {one.version} |") not in page] == []
    assert page.count(SILENT) <= 5


def test_it_is_written_beside_the_wheel(tmp_path: Path) -> None:
    assert main(str(tmp_path)) == 0

    assert sorted(one.name for one in tmp_path.iterdir()) == ["clarion.cdx.json", "licences.md"]
    assert licences(FOUND) == (tmp_path / "licences.md").read_text(encoding="utf-8")
