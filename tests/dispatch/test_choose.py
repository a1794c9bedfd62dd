"""What a choice is worth, and the quick good one."""

from clarion.dispatch.model import Need, Quality, TeamId
from clarion.dispatch.plan.choose import (
    Candidate,
    ChoiceWeights,
    Worth,
    differs,
    greedy,
    greedy_chosen,
    problem,
    worth,
)


def candidate(name: str, minutes: int, cost: int = 0, **amounts: int) -> Candidate:
    return Candidate(TeamId(name), minutes * 60, cost, amounts)


def test_less_shortfall_beats_any_price() -> None:
    assert Worth(0, 10**9) < Worth(1, 0)


def test_the_price_adds_time_cost_each_team_and_the_last_arrival() -> None:
    given = problem(
        [Need("medical", 2)],
        [candidate("a", 10, 5, medical=1), candidate("b", 20, 7, medical=1)],
        ChoiceWeights(time=1, latest=3, cost=1, each=2),
    )

    found = worth(given, given.candidates)

    assert found == Worth(0, 60 * (10 + 20) + 60 * (5 + 7) + 60 * 2 * 2 + 3 * 60 * 20)


def test_unmet_needs_count_by_their_weight() -> None:
    given = problem([Need("medical", 3, weight=5), Need("search", 2)], [])

    assert worth(given, []).shortfall == 17


def test_a_team_that_can_do_both_is_enough() -> None:
    given = problem(
        [Need("medical", 1), Need("search", 1)],
        [
            candidate("both", 12, medical=1, search=1),
            candidate("medic", 10, medical=1),
            candidate("dogs", 10, search=1),
        ],
    )

    assert greedy(given) == ("both",)


def test_needless_teams_are_dropped_again() -> None:
    given = problem(
        [Need("medical", 4)], [candidate("one", 1, medical=1), candidate("four", 10, medical=4)]
    )

    assert greedy(given) == ("four",)


def test_the_order_in_which_teams_are_listed_does_not_matter() -> None:
    teams = [candidate(f"t{n}", 5, medical=1) for n in range(6)]
    needs = [Need("medical", 3)]

    assert greedy(problem(needs, teams)) == greedy(problem(needs, reversed(teams)))


def test_no_more_teams_go_than_the_rules_allow() -> None:
    teams = [candidate(f"t{n}", 5, medical=1) for n in range(6)]

    assert len(greedy(problem([Need("medical", 5)], teams, teams_max=2))) == 2


def test_alternatives_leave_out_three_in_ten() -> None:
    assert differs(ids("ab"), ids("ac"))
    assert not differs(ids("abcX"), ids("abc"))
    assert not differs(ids("abcdefghX"), ids("abcdefghij"))
    assert differs(ids("abcdefgX"), ids("abcdefghij"))


def ids(letters: str) -> list[TeamId]:
    return [TeamId(letter) for letter in letters]


def test_the_quick_way_offers_alternatives_too_and_calls_them_what_they_are() -> None:
    teams = [candidate(f"t{n}", 5 + n, medical=1) for n in range(3)]

    chosen = greedy_chosen(problem([Need("medical", 1)], teams))

    assert chosen.choices == (("t0",), ("t1",), ("t2",))
    assert chosen.quality is Quality.HEURISTIC


def test_nobody_to_choose_from_is_an_empty_choice() -> None:
    assert greedy_chosen(problem([Need("medical", 1)], [])).choices == ((),)
