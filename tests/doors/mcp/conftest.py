"""Doors open for each test of the assistants' door, on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.assistant import ERAS
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors

HAS_LAB = (Path(__file__).parents[3] / ".lab" / "stamp").exists()
collect_ignore = [] if HAS_LAB else ["test_lab.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not HAS_LAB:
        terminalreporter.write_line("No foreign host was tried: scripts/lab.sh installs them.")


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock, database_url: str) -> AsyncIterator[Doors]:
    """Once on SQLite and once on PostgreSQL."""
    async with open_doors(tmp_path, clock, database_url=database_url) as opened:
        yield opened


@pytest.fixture
def era(database_url: str) -> str:
    """Each era on a database of its own: the door knows neither, and the contracts try both."""
    return ERAS["postgres" in database_url]
