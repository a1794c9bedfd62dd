"""The servers that other tests hurt: they are private, and they come back."""

import socket

import asyncpg
import pytest
import redis

from tests.support.server import Server
from tests.support.services import MosquittoServer, PostgresServer, RedisServer


@pytest.fixture(params=["postgres", "redis_server", "mosquitto"])
def server(request: pytest.FixtureRequest) -> Server:
    found: Server = request.getfixturevalue(request.param)
    return found


def accepts(server: Server) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", server.port)) == 0


def test_a_killed_server_is_gone_and_starts_again_on_its_port(server: Server) -> None:
    port = server.port

    server.kill()
    assert not accepts(server)
    server.start()

    assert server.port == port
    assert accepts(server)


def test_a_stopped_server_starts_again(server: Server) -> None:
    server.restart()

    assert accepts(server)


async def test_what_postgres_committed_survives_a_kill(
    postgres: PostgresServer, postgres_url: str
) -> None:
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("CREATE TABLE kept (word text)")
    await connection.execute("INSERT INTO kept VALUES ('promise')")

    postgres.kill()
    connection.terminate()
    postgres.start()

    assert postgres.run_sql("SELECT word FROM kept", postgres_url.rsplit("/", 1)[1]) == "promise"


def test_a_paused_redis_answers_nobody_until_it_is_resumed(redis_server: RedisServer) -> None:
    client = redis.Redis.from_url(redis_server.url, socket_timeout=0.1, retry=None)

    redis_server.pause()
    with pytest.raises(redis.TimeoutError):
        client.ping()
    redis_server.resume()

    assert client.ping()
    client.close()


def test_redis_is_empty_for_every_test(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.set("left", "over")
        redis_server.empty()

        assert client.dbsize() == 0


def test_the_broker_listens_on_loopback_only(mosquitto: MosquittoServer) -> None:
    assert f"listener {mosquitto.port} 127.0.0.1" in (
        mosquitto.directory / "mosquitto.conf"
    ).read_text(encoding="utf-8")
