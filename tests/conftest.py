"""Fixtures of every test: a clock that stands still, and private servers to lean on."""

import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from clarion.store.sql.engine.database import Database
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, postgres_database, sqlite_file
from tests.support.server import Server
from tests.support.services import MosquittoServer, PostgresServer, RedisServer, Services

# Who has not said where they live lives where the machine stands: the same place in every run.
os.environ["TZ"] = "Asia/Shanghai"
time.tzset()
SERVICES = pytest.StashKey[Services]()
FIXTURES: dict[str, type[Server]] = {
    "mosquitto": MosquittoServer,
    "postgres": PostgresServer,
    "redis_server": RedisServer,
}

ROOT = Path(__file__).parent
PLAIN = {"agent", "base", "chats", "dispatch", "language", "reminders", "tidy"}
MARKS = {"browser": pytest.mark.browser, "faults": pytest.mark.alone}
BUSY_SECONDS = 120
PLAIN_SECONDS = 30


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SERVICES] = Services()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[SERVICES].remove()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Against hanging, not against slowness: a busy machine reads a program from a cold disk in
    ten seconds, so who starts processes gets two minutes and plain values half of one. Races of
    real processes run alone.
    """
    for item in items:
        folder = item.path.relative_to(ROOT).parts[0]
        if (mark := MARKS.get(folder)) is not None:
            item.add_marker(mark)
        elif any(item.iter_markers("alone")) or any(item.iter_markers("browser")):
            raise pytest.UsageError(f"{item.nodeid}: `make test` looks in {', '.join(MARKS)}")
        if item.get_closest_marker("timeout") is None:
            seconds = PLAIN_SECONDS if folder in PLAIN else BUSY_SECONDS
            item.add_marker(pytest.mark.timeout(seconds))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start what the chosen tests need before the first one's time begins to run."""
    if session.config.option.collectonly:
        return
    wanted: set[object] = set()
    for item in session.items:
        wanted.update(getattr(item, "fixturenames", ()))
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        wanted.update(value for value in parameters.values() if isinstance(value, str))
    for name in [name for name in FIXTURES if name in wanted]:
        session.config.stash[SERVICES].get(FIXTURES[name])


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """The session's PostgreSQL. A test may hurt it: it is mended before the next one."""
    yield from request.config.stash[SERVICES].borrow(PostgresServer)


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A new, empty database on the session's PostgreSQL."""
    name = postgres.create_database()
    yield postgres.url(name)
    postgres.ensure_running()
    postgres.drop_database(name)


@pytest.fixture
def redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """The session's Redis, empty. A test may hurt it: it is mended before the next one."""
    for server in request.config.stash[SERVICES].borrow(RedisServer):
        server.empty()
        yield server


@pytest.fixture
def mosquitto(request: pytest.FixtureRequest) -> Iterator[MosquittoServer]:
    """The session's MQTT broker. A test may hurt it: it is mended before the next one."""
    yield from request.config.stash[SERVICES].borrow(MosquittoServer)


@pytest.fixture(params=["sqlite", "postgres"])
async def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A migrated, empty database; a test that takes it runs once for each kind."""
    if request.param == "sqlite":
        yield await sqlite_file(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = await postgres_database(server)
    yield server.url(name)
    server.ensure_running()
    server.drop_database(name)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    async with opened(database_url) as made:
        yield made


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[Database]:
    """A migrated, empty SQLite database, for what does not depend on the kind."""
    async with opened(await sqlite_file(tmp_path)) as made:
        yield made
