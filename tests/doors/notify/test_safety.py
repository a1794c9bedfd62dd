"""We do not call the machines around us on a stranger's behalf."""

import asyncio
import threading
from typing import Any

import pytest

from clarion.base.errors import Unavailable
from clarion.doors.notify.apprise import Apprise, plugin_of
from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import PrivateAddress, Reach
from clarion.exits.thread import THREADS_MAX
from clarion.people.errors import BadAddress
from tests.support.fakes.receiver import Receiver


@pytest.mark.parametrize(
    "url",
    ["{url}/hook", "http://localhost:{port}/hook", "http://[::ffff:127.0.0.1]:{port}/"],
    ids=["by address", "by name", "by a mapped address"],
)
async def test_a_private_receiver_is_not_called(receiver: Receiver, url: str) -> None:
    sender = HttpSender(Reach())
    port = receiver.url.rpartition(":")[2]

    with pytest.raises(PrivateAddress):
        await sender.post(url.format(url=receiver.url, port=port), b"{}", {})
    await sender.close()

    assert receiver.bodies == []


async def test_a_redirect_is_not_followed(sender: HttpSender, receiver: Receiver) -> None:
    receiver.status, receiver.location = 302, f"{receiver.url}/secret"

    status = await sender.post(f"{receiver.url}/hook", b"{}", {})

    assert status == 302
    assert len(receiver.bodies) == 1


async def test_the_name_stays_in_the_request_though_the_address_is_called(
    sender: HttpSender, receiver: Receiver
) -> None:
    port = receiver.url.rpartition(":")[2]

    await sender.post(f"http://localhost:{port}/hook", b"{}", {})

    assert receiver.headers[0]["host"] == f"localhost:{port}"


async def test_nobody_there_is_said_so(sender: HttpSender) -> None:
    with pytest.raises(Unavailable):
        await sender.post("http://127.0.0.1:9/hook", b"{}", {})
    with pytest.raises(Unavailable):
        await sender.post("http://nobody.invalid/hook", b"{}", {})


async def test_an_apprise_address_reaches_its_receiver(receiver: Receiver) -> None:
    apprise = Apprise(Reach(private_allowed=True))
    host = receiver.url.removeprefix("http://")

    await apprise.send(f"json://{host}/ana", "吃药", "Ana has not answered")

    assert "Ana has not answered" in receiver.bodies[0].decode()


async def test_an_apprise_address_may_not_point_at_us(receiver: Receiver) -> None:
    host = receiver.url.removeprefix("http://")

    with pytest.raises(PrivateAddress):
        await Apprise(Reach()).send(f"json://{host}/", "t", "x")

    assert receiver.bodies == []


async def test_a_receiver_that_refuses_is_unavailable(receiver: Receiver) -> None:
    receiver.status = 500
    host = receiver.url.removeprefix("http://")

    with pytest.raises(Unavailable):
        await Apprise(Reach(private_allowed=True)).send(f"json://{host}/", "t", "x")


@pytest.mark.parametrize("address", ["syslog://", "dbus://", "nonsense", "what://x", "gnome://"])
async def test_an_address_that_acts_on_this_machine_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        await Apprise(Reach(private_allowed=True)).send(address, "t", "x")


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "fcm://project/device?keyfile=http://127.0.0.1:1/key.json",
        "fcm://project/device?keyfile=/etc/passwd",
        "vapid://me@example.com/you@example.com?keyfile=/etc/passwd&subfile=/etc/passwd",
    ],
)
async def test_an_address_that_reads_files_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        await Apprise(Reach(private_allowed=True)).check(address)


@pytest.mark.parametrize(
    "address",
    [
        "json://[::1]:9999",
        "xml://[::ffff:7f00:1]",
        "ntfy://[::ffff:127.0.0.1]/topic",
        "apprise://[::1]/token",
        "json://127.0.0.1",
        "json://localhost:8520",
        "json://router.local",
        "mailto://u:p@example.com?smtp=169.254.169.254",
    ],
)
async def test_a_private_host_is_refused_when_the_address_is_set(address: str) -> None:
    with pytest.raises(PrivateAddress):
        await Apprise(Reach()).check(address)


@pytest.mark.parametrize(
    "address", ["ntfy://grandmas-pills", "tgram://123456789:abcdefg_hijklmnop/12315544/"]
)
async def test_an_address_outside_is_taken(address: str) -> None:
    await Apprise(Reach()).check(address)


async def test_a_contact_is_checked_while_every_message_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away = threading.Event()

    def hanging(address: str) -> Any:
        plugin = plugin_of(address)
        plugin.notify = lambda **_: away.wait()  # type: ignore[method-assign]
        return plugin

    monkeypatch.setattr("clarion.doors.notify.apprise.plugin_of", hanging)
    apprise = Apprise(Reach())
    async with asyncio.TaskGroup() as group:
        sends = [
            group.create_task(apprise.send("ntfy://pills", "8:00", "pills"))
            for _ in range(THREADS_MAX)
        ]

        await apprise.check("ntfy://grandmas-pills")

        assert not any(one.done() for one in sends)
        away.set()
    apprise.close()
