"""What is read back, parsed again, gives the same rule: nobody agrees to one and gets another."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from clarion.language.readback import say_instant, say_when, spoken_instant
from clarion.language.when import parse
from clarion.language.when.calendar import (
    Daily,
    DayRule,
    Festival,
    FixedDates,
    LunarDays,
    Monthly,
    Weekly,
    Workdays,
    Yearly,
)
from clarion.language.when.model import Once, Recurring
from clarion.language.when.rules.recurrence import Recurrence
from clarion.language.when.rules.rule_words import say_rule
from tests.language.when.corpora import MONDAY, RHYTHMS
from tests.language.when.moments import SHANGHAI

FIRINGS = 6
LANGUAGES = ("zh", "en")

anchors = st.dates(date(2026, 11, 17), date(2027, 12, 31))
weekdays = st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days)))
month_days = st.sets(st.integers(1, 28), min_size=1, max_size=3).map(lambda d: tuple(sorted(d)))
nth = st.tuples(st.sampled_from((1, 2, 3, 4, -1)), st.integers(0, 6)).map(lambda pair: (pair,))
rules: st.SearchStrategy[DayRule] = st.one_of(
    st.builds(Daily, st.integers(1, 40), anchors),
    st.builds(Weekly, weekdays, st.integers(1, 6), anchors),
    st.builds(Monthly, anchors, st.integers(1, 11), days=month_days),
    st.builds(Monthly, anchors, st.integers(1, 11), days=st.just((-1,))),
    st.builds(Monthly, anchors, st.integers(1, 11), nth=nth),
    st.builds(Yearly, month_days.map(lambda d: ((3, d[0]),)), anchors, st.integers(1, 5)),
    st.builds(LunarDays, month_days, st.none()),
    st.builds(LunarDays, month_days.map(lambda d: d[:1]), st.integers(1, 12)),
    st.builds(Festival, st.sampled_from(("christmas", "spring", "national", "mothers"))),
    st.builds(Workdays, st.booleans()),
    st.just(Workdays(official=True, off=True)),
)
times = st.sets(st.times(time(0), time(23, 59)), min_size=1, max_size=9).map(
    lambda said: tuple(sorted({at.replace(second=0, microsecond=0) for at in said}))
)


def built(days: DayRule, at: tuple[time, ...], lasts: int | None, count: int | None) -> Recurrence:
    """As the parser makes one: it starts with its first firing, and its interval counts from it."""
    rule = Recurrence(SHANGHAI, MONDAY, days=days, times=at)
    first = rule.next_after(MONDAY)
    assert first is not None
    if isinstance(days, Daily | Weekly | Monthly | Yearly):
        days = replace(days, anchor=first.date())
    until = None
    if lasts is not None:
        last = first.date() + timedelta(days=lasts)
        until = datetime.combine(last, time(23, 59, 59), SHANGHAI)
    return replace(rule, days=days, starts_at=first, until=until, count=count)


def again(text: str, base: datetime) -> list[datetime]:
    when = parse(text, base, SHANGHAI)
    assert isinstance(when, Recurring), text
    return when.rule.preview(base, FIRINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_recurrence_read_back_parses_to_the_same_rule(lang: str) -> None:
    changed = []
    for case in RHYTHMS:
        when = parse(case.text, case.base, SHANGHAI)
        assert isinstance(when, Recurring), case.text
        meant = when.rule.preview(case.base, FIRINGS)
        said = (say_rule(when.rule, lang, case.base), say_when(when, case.base, lang))
        changed += [f"{case.text}: {one}" for one in said if again(one, case.base) != meant]

    assert changed == []


@pytest.mark.parametrize("lang", LANGUAGES)
@given(
    days=rules, at=times, lasts=st.none() | st.integers(1, 90), count=st.none() | st.integers(2, 40)
)
@example(days=LunarDays((20,), 2), at=(time(0),), lasts=None, count=None)
@settings(max_examples=150, deadline=None)
def test_any_rule_by_days_survives_being_said(
    lang: str, days: DayRule, at: tuple[time, ...], lasts: int | None, count: int | None
) -> None:
    rule = built(days, at, lasts, count)

    said = say_rule(rule, lang, MONDAY)

    assert again(said, MONDAY) == rule.preview(MONDAY, FIRINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
@given(
    seconds=st.integers(2, 5000).map(lambda n: n * 30),
    away=st.integers(1, 90_000),
    count=st.none() | st.integers(2, 50),
)
@settings(max_examples=100, deadline=None)
def test_any_interval_survives_being_said(
    lang: str, seconds: int, away: int, count: int | None
) -> None:
    step = timedelta(seconds=seconds)
    assume(step < timedelta(days=1))
    rule = Recurrence(SHANGHAI, MONDAY + timedelta(seconds=away), count=count, step=step)

    said = say_rule(rule, lang, MONDAY)

    assert again(said, MONDAY) == rule.preview(MONDAY, FIRINGS)


dates = st.sets(anchors, min_size=2, max_size=4).map(lambda days: tuple(sorted(days)))


@pytest.mark.parametrize("lang", LANGUAGES)
@given(days=dates, at=times)
@settings(max_examples=60, deadline=None)
def test_any_days_named_one_by_one_survive_being_said(
    lang: str, days: tuple[date, ...], at: tuple[time, ...]
) -> None:
    rule = built(FixedDates(days), at, None, None)

    assert again(say_rule(rule, lang, MONDAY), MONDAY) == rule.preview(MONDAY, FIRINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
@given(
    silent=st.sets(st.integers(0, 6), max_size=3).map(lambda days: tuple(sorted(days))),
    away=st.sets(st.dates(date(2026, 11, 17), date(2026, 12, 10)), min_size=1, max_size=3),
    at=times,
)
@settings(max_examples=60, deadline=None)
def test_any_exception_survives_being_said(
    lang: str, silent: tuple[int, ...], away: set[date], at: tuple[time, ...]
) -> None:
    rule = built(Daily(1, MONDAY.date()), at, None, None)
    rule = replace(rule, skip_weekdays=silent, skip_days=(FixedDates(tuple(sorted(away))),))

    assert again(say_rule(rule, lang, MONDAY), MONDAY) == rule.preview(MONDAY, FIRINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
@given(first=weekdays, one=times, other=times)
@settings(max_examples=60, deadline=None)
def test_any_hours_of_their_own_survive_being_said(
    lang: str, first: tuple[int, ...], one: tuple[time, ...], other: tuple[time, ...]
) -> None:
    rest = tuple(sorted({*range(7)} - {*first}))
    assume(rest)
    rule = built(Weekly(first, 1, MONDAY.date()), one, None, None)
    beside = built(Weekly(rest, 1, MONDAY.date()), other, None, None)
    rule = replace(rule, beside=(beside,))

    assert again(say_rule(rule, lang, MONDAY), MONDAY) == rule.preview(MONDAY, FIRINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
@given(away=st.integers(1, 60 * 24 * 700))
@settings(max_examples=150, deadline=None)
def test_any_instant_survives_being_said_in_several_wordings(lang: str, away: int) -> None:
    at = MONDAY + timedelta(minutes=away)

    for said in (spoken_instant(at, MONDAY, lang), say_instant(at, MONDAY, lang)):
        when = parse(said, MONDAY, SHANGHAI)
        assert isinstance(when, Once), said
        assert when.at == at, said


WEEK_ZH, WEEK_EN = "一二三四五六日", ("Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun")
NTH = {1: ("第一个", "first"), 2: ("第二个", "second"), 3: ("第三个", "third")}
NTH |= {4: ("第四个", "fourth"), -1: ("最后一个", "last")}
PARTS = ((6, "凌晨"), (12, "早上"), (13, "中午"), (18, "下午"), (24, "晚上"))


def clocks(at: time, lang: str) -> tuple[str, ...]:
    if lang == "en":
        half = f"{(at.hour + 11) % 12 + 1}:{at:%M} {'am' if at.hour < 12 else 'pm'}"
        return f"{at:%H:%M}", half, half.replace(":", ".").replace(" ", "")
    part = next(word for until, word in PARTS if at.hour < until)
    hour = at.hour if at.hour <= 12 else at.hour - 12
    return f"{at:%H:%M}", f"{part}{hour}点{at.minute:02}分", f"{part}{hour}:{at.minute:02}"


def day_wordings(days: DayRule, lang: str) -> tuple[str, ...]:
    match days, lang:
        case Daily(), "zh":
            return "每天", "天天", "每日"
        case Daily(), _:
            return "every day", "daily", "each day"
        case Weekly(weekdays=named), "zh":
            short, long = ("、".join(p + WEEK_ZH[d] for d in named) for p in ("周", "星期"))
            return f"每{short}", f"每个{long}", f"逢{short}"
        case Weekly(weekdays=named), _:
            one, several = (" and ".join(f"{WEEK_EN[d]}{end}" for d in named)
                            for end in ("day", "days"))  # fmt: skip
            return f"every {one}", f"on {several}", f"each {one}"
        case Monthly(nth=((n, day),)), "zh":
            return f"每月{NTH[n][0]}周{WEEK_ZH[day]}", f"每个月的{NTH[n][0]}星期{WEEK_ZH[day]}"
        case Monthly(nth=((n, day),)), _:
            which = f"{NTH[n][1]} {WEEK_EN[day]}day"
            return f"on the {which} of every month", f"the {which} of each month"
        case Monthly(days=(day,)), "zh":
            return f"每月{day}号", f"每个月{day}日", f"每月的{day}号"
        case Monthly(days=(day,)), _:
            ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
            return f"on the {day}{ending} of every month", f"monthly on the {day}{ending}"
        case _:
            raise AssertionError(days)


SENTENCES = {
    "zh": ("{days}{clock}", "{days}{clock}提醒我吃药", "提醒我{days}{clock}吃药"),
    "en": (
        "{days} at {clock}",
        "remind me at {clock} {days} to take the pills",
        "{days} at {clock} remind me to ring Ana",
    ),
}
today = st.just(MONDAY.date())
few_weekdays = st.sets(st.integers(0, 6), min_size=1, max_size=2).map(lambda d: tuple(sorted(d)))
sayable: st.SearchStrategy[DayRule] = st.one_of(
    st.builds(Daily, st.just(1), today),
    st.builds(Weekly, few_weekdays, st.just(1), today),
    st.builds(Monthly, today, st.just(1), days=st.integers(1, 28).map(lambda day: (day,))),
    st.builds(Monthly, today, st.just(1), nth=nth),
)


@pytest.mark.parametrize("lang", LANGUAGES)
@given(days=sayable, at=st.times(time(0), time(23, 59)))
@settings(max_examples=60, deadline=None)
def test_any_rule_is_the_same_in_all_wordings(lang: str, days: DayRule, at: time) -> None:
    at = at.replace(second=0, microsecond=0)
    meant = built(days, (at,), None, None).preview(MONDAY, FIRINGS)

    said = [
        sentence.format(days=day, clock=clock)
        for sentence in SENTENCES[lang]
        for day in day_wordings(days, lang)
        for clock in clocks(at, lang)
    ]

    assert [one for one in said if again(one, MONDAY) != meant] == []
