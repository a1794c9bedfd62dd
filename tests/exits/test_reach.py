"""Which addresses may be called, told by their digits alone."""

import asyncio
import threading

import pytest

from clarion.exits.reach import PrivateAddress, Reach, is_public


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104  asked about, not bound
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("::", False),
        ("::127.0.0.1", False),
        ("fec0::1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False),
    ],
)
def test_only_public_addresses_are_public(address: str, expected: bool) -> None:
    assert is_public(address) is expected


@pytest.mark.parametrize(
    "host",
    [
        *("127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "localhost.", "x.internal"),
        *("[::1]", "fe80::1%eth0", "::ffff:10.0.0.1"),
        *("①②⑦.⓪.⓪.①", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ"),
    ],
)
def test_a_private_host_is_known_by_its_spelling(host: str) -> None:
    with pytest.raises(PrivateAddress):
        Reach().refuse_now(host)
    Reach(private_allowed=True).refuse_now(host)


def test_a_name_is_judged_when_it_is_called() -> None:
    Reach().refuse_now("example.com")
    Reach().refuse_now("internal.example.com")


def test_what_is_not_an_address_is_not_called() -> None:
    assert not Reach(private_allowed=True).allows("example.com")
    assert not Reach(private_allowed=True).allows("")


async def test_name_servers_that_hang_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    away = threading.Event()
    monkeypatch.setattr("clarion.exits.reach.look_up", lambda *_: away.wait() and [])
    async with asyncio.TaskGroup() as group:
        asking = [group.create_task(Reach().resolve(f"n{n}.example", 443)) for n in range(40)]
        await asyncio.to_thread(lambda: None)

        assert not any(one.done() for one in asking)
        for one in asking:
            one.cancel()
        away.set()
