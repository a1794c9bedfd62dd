"""Properties of the code and the documents themselves, checked like any other behaviour."""

import re
from pathlib import Path

import pytest

from clarion.settings import Settings, settings_page
from clarion.store.sql.migrate import HEAD
from tests.support import tidy
from tests.support.vocabulary import error_codes, event_fields

ROOT = Path(__file__).parent.parent
MODULES = {str(path.relative_to(ROOT)): path for path in tidy.python_files(ROOT)}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


OURS = {name: read(name) for name in MODULES if name.startswith("clarion/")}


def test_modules_are_one_noun_and_keep_the_habits_of_the_house() -> None:
    found = [
        line
        for name in MODULES
        for line in tidy.shape(name, read(name)) + tidy.habits(name, read(name))
    ]
    assert not found


def test_nobody_has_to_open_more_than_sixteen_files_in_a_row() -> None:
    assert not tidy.long_chains(ROOT)


def test_a_class_name_is_used_once() -> None:
    assert not tidy.names_used_twice(OURS)


def test_migrations_are_one_line_that_ends_where_the_code_expects_it() -> None:
    """Two behind the same one stop every start."""
    texts = [text for name, text in OURS.items() if "/migrations/versions/0" in name]
    names: dict[str, None] = {}
    before: dict[str, None] = {}
    for text in texts:
        names |= dict.fromkeys(re.findall(r'^revision = "(\w+)"', text, re.MULTILINE))
        before |= dict.fromkeys(re.findall(r'^down_revision = "(\w+)"', text, re.MULTILINE))
    assert len(before) == len(names) - 1
    assert names.keys() - before.keys() == {HEAD}


def test_no_folder_is_crowded() -> None:
    assert not tidy.crowded_folders(OURS)


def test_every_promise_has_a_test_that_keeps_it() -> None:
    assert not tidy.unproved_promises(read("README.md"), ROOT)


def test_both_readmes_promise_the_same() -> None:
    chinese = tidy.promises(read("README.zh-CN.md"), "| 承诺 |")
    assert len(chinese) == len(tidy.promises(read("README.md"))) > 0


def test_the_chinese_readme_says_nin() -> None:
    assert "你" not in read("README.zh-CN.md")


def test_every_document_that_opens_with_a_promise_names_its_test() -> None:
    names = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))]
    assert not tidy.unproved_openings({name: read(name) for name in names}, ROOT)


def test_console_files_are_short() -> None:
    files = [*(ROOT / "clarion/console").rglob("*.*s"), *(ROOT / "clarion/console").rglob("*.html")]
    long = [
        path.name
        for path in files
        if path.read_text(encoding="utf-8").count("\n") > tidy.LINES_IN_A_CONSOLE_FILE
    ]
    assert not long, "give its second view a file"


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_a_map_names_only_what_exists(name: str) -> None:
    assert not tidy.strayed_names(read(name), ROOT)


def test_the_architecture_fits_on_two_screens() -> None:
    assert read("ARCHITECTURE.md").count("\n") < 120


def test_the_page_of_settings_is_what_the_code_says() -> None:
    assert read("docs/settings.md") == settings_page(Settings), "run `make docs`"


def test_every_error_code_is_documented_and_no_other() -> None:
    first_cells = re.findall(r"^\| (`[^|]+`) \|", read("docs/errors.md"), re.MULTILINE)
    listed = {code for cell in first_cells for code in re.findall(r"`(\w+)`", cell)}
    assert listed == error_codes(ROOT)


def test_every_event_is_documented_with_its_fields_and_no_other() -> None:
    rows = dict(re.findall(r"^\| `([\w.]+)` \|(.*)$", read("docs/events.md"), re.MULTILINE))
    assert rows.keys() == event_fields(ROOT).keys()
    missing = [
        f"{kind}.{field}"
        for kind, fields in event_fields(ROOT).items()
        for field in fields
        if f"`{field}`" not in rows[kind]
    ]
    assert not missing


def test_nothing_names_a_private_machine_or_a_registry() -> None:
    texts = {
        path.relative_to(ROOT): path.read_text(encoding="utf-8", errors="replace")
        for path in tidy.tracked_files(ROOT)
    }
    assert not {
        str(name): found for name, text in texts.items() if (found := tidy.private_words(text))
    }


def test_pinned_packages_carry_hashes_and_no_address() -> None:
    for name in ("run", "build", "dev"):
        text = read(f"requirements/{name}.txt")
        pins = re.findall(r"^[\w.\[\]-]+==", text, re.MULTILINE)
        assert pins
        assert len(re.findall(r"^[\w.\[\]-]+==[^\n]*\\\n    --hash=", text, re.MULTILINE)) == len(
            pins
        )
        assert "://" not in text
