"""The promises of a store of tasks once more, unchanged, with BullMQ between store and worker."""

from collections.abc import AsyncIterator

import pytest

from clarion.store.sql.database import Database
from tests.contracts import test_task_store, test_task_verbs
from tests.support.cluster import ClusterTasks, cluster_tasks
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer, RedisServer

globals().update(
    (name, promise)
    for suite in (test_task_store, test_task_verbs)
    for name, promise in vars(suite).items()
    if name.startswith("test_")
)


@pytest.fixture
async def database(postgres: PostgresServer) -> AsyncIterator[Database]:
    name = await postgres_database(postgres)
    async with opened(postgres.url(name)) as made:
        yield made
    postgres.drop_database(name)


@pytest.fixture
async def store(database: Database, redis_server: RedisServer) -> AsyncIterator[ClusterTasks]:
    async with cluster_tasks(database, redis_server.url) as made:
        yield made
