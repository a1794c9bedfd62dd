import re
from datetime import timedelta

from clarion.base.ids import new_id
from tests.support.clock import START


def test_an_id_says_what_it_names_and_can_be_read_aloud() -> None:
    assert re.fullmatch(r"rem_[0-9a-hjkmnp-tv-z]{26}", new_id("rem", START))


def test_ids_made_later_sort_later() -> None:
    made = [new_id("tsk", START + timedelta(milliseconds=i)) for i in range(1_000)]

    assert made == sorted(made)


def test_no_two_ids_of_one_instant_are_alike() -> None:
    assert len({new_id("tsk", START) for _ in range(10_000)}) == 10_000
