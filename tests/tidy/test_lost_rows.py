"""The page of results names each row that was lost, and only those."""

import pytest

from benchmarks.lost import UNEXPLAINED, lost, sentences
from benchmarks.results import RUNS, allowed

RATES = """
One process, embedded                 add/s      run/s    add+run/s     ours ×
Clarion, SQLite                      48,382     18,617       13,444        1.0
BullMQ on Node (Redis in memory)     98,010     44,103       20,713        0.6
huey, SQLite, fsync                     366      1,434          292       46.1
"""
URGENT = """
10,000 wait, 20 urgent, ms until it begins            p50        p99     ours ×
overtaking, Clarion, PostgreSQL and Redis, critical  96.2      163.3       1.00
overtaking, celery, Redis, 5.7.0, a priority          5.3        7.9       0.05
overtaking, arq, Redis, 0.28.0, no priorities       505.6      528.3       3.23

ordinary ones that begin before it                    p50        p99     ours ×
before it, Clarion, PostgreSQL and Redis, critical    200        300       1.00
before it, procrastinate, PostgreSQL, a priority        1          2       0.01
"""
PARSERS = """
median microseconds a sentence       Chinese   English
clarion, time alone                      159       158
jionlp                                   345         —
chrono                                    73        80
"""
LIMITS = """
critical, every slot blocked             1.78    20.57   p99 < 10 ms: MISSED
5 000 due at one instant                  542   < 600: kept
hold 10 teams                            0.33     0.45      2.6  at most 2.5
hold 1 team                              0.33     0.45      1.5  at most 2.5
| 10,000 reminders set, a second | 1,824 | 2,000 | 70,446 |
| 1,000 due in one second: all rung, s | 0.96 | 2.00 | |
server ready after 3.11 s (< 2), memory at most 123 MB (< 200)
"""


@pytest.mark.parametrize(
    ("benchmark", "text", "rows"),
    [
        pytest.param("queue_rates", RATES, ["BullMQ on Node (Redis in memory)"], id="a peer"),
        pytest.param(
            "overtaking",
            URGENT,
            [
                "overtaking, celery, Redis, 5.7.0, a priority",
                "before it, procrastinate, PostgreSQL, a priority",
            ],
            id="two tables",
        ),
        pytest.param("when", PARSERS, ["chrono"], id="a parser"),
        pytest.param(
            "dispatch",
            LIMITS,
            [
                "critical, every slot blocked",
                "hold 10 teams",
                "10,000 reminders set, a second",
                "server ready",
            ],
            id="a limit",
        ),
    ],
)
def test_what_was_lost_is_named(benchmark: str, text: str, rows: list[str]) -> None:
    assert lost(benchmark, text) == rows


def test_a_loss_that_nobody_has_explained_says_so() -> None:
    known = [*sentences("queue_rates", RATES), *sentences("overtaking", URGENT)]
    unknown = sentences("dispatch", LIMITS)

    assert len(known) == 3
    assert len(unknown) == 1
    assert not any(each.endswith(UNEXPLAINED) for each in known)
    assert all(each.endswith(UNEXPLAINED) for each in unknown)


def test_the_last_benchmark_still_has_its_time_when_the_first_took_all_of_theirs() -> None:
    left = 17 * 60.0

    for number in range(len(RUNS)):
        left -= allowed(RUNS[number:], left)

    assert left > -120


def test_rows_that_were_lost_for_one_reason_share_its_sentence() -> None:
    text = URGENT.replace("3.23", "0.98")

    told = sentences("overtaking", text)

    assert len(told) == 2
    assert "**overtaking, celery, Redis, 5.7.0, a priority**; **overtaking, arq, " in told[0]


def test_an_accident_that_a_peer_did_not_survive_is_no_loss_of_ours() -> None:
    text = (
        "one of two workers is killed, Clarion, PostgreSQL   989   12 s   0   0   < 10 s: MISSED\n"
        "one of two workers is killed, BullMQ on Node        250  never   0   0   < 10 s: MISSED"
    )

    assert lost("chaos", text) == ["one of two workers is killed, Clarion, PostgreSQL"]
