"""The pages about security name tests, and those tests are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")

HEADINGS = ("| ---", "| against", "| they", "| it tries")


def test_each_test_that_the_pages_name_is_there() -> None:
    named = [
        found
        for page in ("SECURITY.md", "docs/threats.md")
        for found in NAMED.findall((ROOT / page).read_text(encoding="utf-8"))
    ]

    assert len(named) > 30
    for file, test in named:
        assert (ROOT / file).exists(), file
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), test


def test_each_defence_names_its_test() -> None:
    rows = [
        line
        for page in ("SECURITY.md", "docs/threats.md")
        for line in (ROOT / page).read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
        and not line.startswith(("| ---", "| against", "| they", "| it tr", "| the supply"))
    ]

    assert [row for row in rows if not NAMED.search(row)] == []
