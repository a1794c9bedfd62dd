"""Regular expressions that people wrote: a bad one stops nobody."""

import signal
from time import process_time

import pytest

from clarion.chats.model import Filters, PersonId

ANA = PersonId("telegram:7")


def test_a_pattern_is_found_in_small_letters_and_large() -> None:
    filters = Filters(patterns=(r"building \d+",))

    assert filters.let_through("fire in Building 3", ANA)
    assert not filters.let_through("fire in the woods", ANA)


@pytest.mark.parametrize("pattern", ["(x|x)*y", "((x+))+y", "(x+x?)+y", ".*.*.*.*z"])
def test_a_pattern_that_would_run_for_ever_is_given_up_and_the_message_goes_on(
    pattern: str,
) -> None:
    filters = Filters(patterns=(pattern,))
    before, handler = process_time(), signal.getsignal(signal.SIGVTALRM)

    assert [filters.let_through("x" * 4096, ANA) for _ in range(100)] == [True] * 100

    assert process_time() - before < 5
    assert signal.getsignal(signal.SIGVTALRM) is handler
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
