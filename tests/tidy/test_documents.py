"""Documents for users: what they link to, name and set exists."""

import re
from pathlib import Path

import pytest

from clarion.cli import COMMANDS

ROOT = Path(__file__).parents[2]
TOP = ("README.md", "README.zh-CN.md", "SECURITY.md")
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in TOP)])
SETTINGS = set(re.findall(r"`(CLARION_\w+)`", (ROOT / "docs/settings.md").read_text("utf-8")))
BESIDES = {"CLARION_TOKEN", "CLARION_CONFIG"}  # read by a command, before there are settings

page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)


@page
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))

    assert not [one for one in links if "://" not in one and not (page.parent / one).exists()]


@page
def test_every_file_that_is_named_is_there(page: Path) -> None:
    folders = "tests|clarion|deploy|benchmarks|docs"
    named = re.findall(rf"`((?:{folders})/[\w./-]+)`", page.read_text("utf-8"))

    assert not [one for one in named if not (ROOT / one).exists()]


@page
def test_every_setting_that_is_named_exists(page: Path) -> None:
    named = set(re.findall(r"\bCLARION_[A-Z_]+\b", page.read_text("utf-8")))

    assert named <= SETTINGS | BESIDES


@page
def test_every_command_that_is_shown_exists(page: Path) -> None:
    text = page.read_text("utf-8")

    shown = set(re.findall(r"^\s*(?:[A-Z_]+=\S+ )*clarion ([a-z]+)", text, re.MULTILINE))
    shown |= set(re.findall(r"`clarion ([a-z]+)", text))

    assert shown <= set(COMMANDS)


def test_every_page_is_linked_from_the_list_of_documents() -> None:
    listed = (ROOT / "docs/README.md").read_text("utf-8")

    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert not {name for name in pages if f"({name})" not in listed}
