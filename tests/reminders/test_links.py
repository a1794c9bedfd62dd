from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.base.ids import ContactId, ReminderId
from clarion.base.paging import BadCursor, read_cursor, write_cursor
from clarion.base.signing import BadLink
from clarion.reminders.links import Grant, Links
from tests.support.clock import START

GRANT = Grant(ReminderId("rem_1"), ContactId("con_1"))
HOUR = timedelta(hours=1)


def test_a_link_says_who_may_confirm_what() -> None:
    links = Links(b"key", "https://clarion.test/")
    url = links.url(GRANT, START + HOUR)

    assert url.startswith("https://clarion.test/c/")
    assert links.read(url.rpartition("/")[2], START) == GRANT


def test_without_an_address_there_are_no_links() -> None:
    assert Links(b"key").url(GRANT, START + HOUR) == ""


def test_a_link_of_another_key_is_refused() -> None:
    token = Links(b"other").token(GRANT, START + HOUR)

    with pytest.raises(BadLink):
        Links(b"key").read(token, START)


def test_a_link_that_has_run_out_is_refused() -> None:
    links = Links(b"key")

    with pytest.raises(BadLink):
        links.read(links.token(GRANT, START + HOUR), START + HOUR)


@given(st.text(max_size=200))
def test_whatever_is_sent_as_a_link_is_refused_politely(token: str) -> None:
    with pytest.raises(BadLink):
        Links(b"key").read(token, START)


@given(st.datetimes(timezones=st.just(START.tzinfo)), st.text(max_size=40))
def test_a_cursor_is_read_as_it_was_written(at: object, last_id: str) -> None:
    cursor = write_cursor(at, last_id)  # type: ignore[arg-type]  # the strategy makes datetimes

    assert read_cursor(cursor) == (at, last_id)


@given(st.text(max_size=60))
def test_whatever_is_sent_as_a_cursor_is_read_or_refused(cursor: str) -> None:
    with suppress(BadCursor):
        read_cursor(cursor)
