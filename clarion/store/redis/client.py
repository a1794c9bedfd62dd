"""Clients of Redis, one for each bearable waiting time. None of them retries by itself.

The library's defaults retry a command that timed out and wait for seconds in between; our callers
have something better to do: they ask the database.
"""

from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from clarion.base.errors import Unavailable

REDIS_ERRORS = (RedisError, OSError, TimeoutError)
ANSWER_SECONDS_MAX = 0.2  # a thousand times the usual time; after that the database is quicker
BATCH_SECONDS_MAX = 2.0  # five hundred jobs in one call take a tenth of that
BLOCKING_SECONDS_MAX = 15.0  # BullMQ blocks for up to ten
CONNECTIONS_MAX = 16  # more would not make a worker quicker, and Redis limits them


class RedisAway(Unavailable):
    code = "redis_away"


def quick_client(url: str) -> Redis:
    """For everything in the path of a request: answers or fails within a fifth of a second."""
    made: Redis = Redis.from_url(url, **_options(ANSWER_SECONDS_MAX))
    return made


def steady_client(url: str) -> Redis:
    """For background work in batches."""
    return _pooled(url, BATCH_SECONDS_MAX)


def patient_client(url: str, *, name: str | None = None) -> Redis:
    """For blocking commands. `name`: how Redis lists the client."""
    return _pooled(url, BLOCKING_SECONDS_MAX, client_name=name)


def _pooled(url: str, seconds: float, **more: Any) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS_MAX, timeout=seconds, **_options(seconds), **more
    )
    made: Redis = Redis.from_pool(pool)
    return made


def _options(seconds: float) -> dict[str, Any]:
    return {
        "decode_responses": True,
        "socket_timeout": seconds,
        "socket_connect_timeout": min(seconds, BATCH_SECONDS_MAX),
        "retry": Retry(NoBackoff(), 0),
    }
