"""A recurrence in words, Chinese or English: every rule that can be set can be said."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import pairwise

from clarion.language.when.calendar import (
    FESTIVALS_EN,
    FESTIVALS_ZH,
    CronDays,
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
from clarion.language.when.rules.recurrence import Recurrence
from clarion.language.when.words import words
from clarion.language.when.zones import place_name

NUMERALS = "零一二三四五六七八九十"
WEEKDAYS_ZH = "一二三四五六日"
WEEKDAYS_EN = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS_EN = words(
    "January February March April May June July August September October November December"
)
ORDINALS_EN = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}
ODD, EVEN = tuple(range(1, 32, 2)), tuple(range(2, 32, 2))  # 单号, 双号
HOUR = timedelta(hours=1)
TIMES_SHOWN = 6  # more that stand in even steps are told by their step
TIMES_LISTED = 12  # more are summed up: nobody listens to a list of 48


def say_rule(
    rule: Recurrence, lang: str, now: datetime | None = None, home: tzinfo | None = None
) -> str:
    """With `now` also its start, where it would else begin earlier: read again, it is the same.

    The zone is named when it is not that of `home`, the person who hears it.
    """
    chinese = lang == "zh"
    say = _what_zh if chinese else _what_en
    what = ("，以及" if chinese else ", and ").join(map(say, (rule, *rule.beside)))
    what += _place(rule, home or (now.tzinfo if now else None), chinese=chinese)
    start = _start(rule, now, chinese=chinese) if now is not None else ""
    return what + start + (_limits_zh(rule) if chinese else _limits_en(rule))


def _place(rule: Recurrence, home: tzinfo | None, *, chinese: bool) -> str:
    """Hours that lie apart are the same everywhere; hours of the day are somebody's."""
    key = getattr(home, "key", None)
    if key is None or key == rule.zone.key or rule.step is not None:
        return ""
    return " " + place_name(rule.zone.key, chinese=chinese)


def _start(rule: Recurrence, now: datetime, *, chinese: bool) -> str:
    first = rule.starts_at.astimezone(rule.zone)
    if (
        rule.rrule is not None
        or isinstance(rule.days, CronDays | FixedDates)
        or _natural_start(rule, now)
    ):
        return ""
    clock = "" if rule.step is None else f"{first:%H:%M:%S}" if first.second else f"{first:%H:%M}"
    if chinese:
        return f"，从{first.year}年{first.month}月{first.day}日{clock}开始"
    day = f"{first.day} {MONTHS_EN[first.month - 1]} {first.year}"
    return f", starting {day}" + (f" at {clock}" if clock else "")


def _natural_start(rule: Recurrence, now: datetime) -> bool:
    """Whether the same words, said now, would begin with the same firing."""
    if rule.step is not None:
        return rule.starts_at - now == rule.step
    if getattr(rule.days, "every", 1) > 1:
        return False
    days = rule.days
    if isinstance(days, Daily | Weekly | Monthly | Yearly):
        days = replace(days, anchor=now.date())
    unbound = replace(rule, starts_at=now, count=None, days=days)
    return unbound.next_after(now) == rule.next_after(now)


def _what_zh(rule: Recurrence) -> str:
    if rule.step is not None:
        return f"每隔{_span_zh(rule.step)}"
    if rule.rrule is not None:
        return f"按规则 {rule.rrule}"
    assert rule.days is not None, "a recurrence repeats by something"
    step = _even_step(rule.times)
    if step is not None:
        span = f"{rule.times[0]:%H:%M}到{rule.times[-1]:%H:%M}"
        return f"{_days_zh(rule.days)} {span}每{_span_zh(step)}"
    return f"{_days_zh(rule.days)} {_times(rule.times, '、')}"


def _what_en(rule: Recurrence) -> str:
    if rule.step is not None:
        if rule.step == HOUR and (rule.starts_at.minute or rule.starts_at.second):
            return "every 60 minutes"  # "every hour" alone would be the full hours
        return f"every {_span_en(rule.step)}"
    if rule.rrule is not None:
        return f"by the rule {rule.rrule}"
    assert rule.days is not None, "a recurrence repeats by something"
    step = _even_step(rule.times)
    if step is not None:
        span = f"from {rule.times[0]:%H:%M} to {rule.times[-1]:%H:%M}"
        return f"{_days_en(rule.days)} {span} every {_span_en(step)}"
    return f"{_days_en(rule.days)} at {_times(rule.times, ' and ')}"


def _times(times: Sequence[time], joint: str) -> str:
    shown = [f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}" for at in times]
    if len(shown) > TIMES_LISTED:
        return f"{shown[0]} … {shown[-1]} (×{len(shown)})"
    return joint.join(shown)


def _even_step(times: Sequence[time]) -> timedelta | None:
    """The distance of many times that stand in even steps; few are better named one by one."""
    minutes = [at.hour * 60 + at.minute for at in times]
    steps = {later - earlier for earlier, later in pairwise(minutes)}
    if len(times) <= TIMES_SHOWN or len(steps) != 1 or any(at.second for at in times):
        return None
    return timedelta(minutes=steps.pop())


_UNITS = (("天", "day", 86400), ("小时", "hour", 3600), ("分钟", "minute", 60), ("秒", "second", 1))


def _span_zh(step: timedelta) -> str:
    return "".join(f"{n}{zh}" for n, zh, _ in _span(step))


def _span_en(step: timedelta) -> str:
    parts = _span(step)
    return " ".join(
        en if n == 1 and len(parts) == 1 else f"{n} {en}{'s' * (n > 1)}" for n, _, en in parts
    )


def _span(step: timedelta) -> list[tuple[int, str, str]]:
    left = int(step.total_seconds())
    parts = []
    for zh, en, size in _UNITS[1:]:
        if left >= size:
            parts.append((left // size, zh, en))
            left %= size
    return parts


def _limits_zh(rule: Recurrence) -> str:
    said = ""
    if rule.lead:
        said += f"，提前{_lead_zh(rule.lead)}"
    if rule.skip_weekdays:
        said += "，除了" + "、".join(f"周{WEEKDAYS_ZH[d]}" for d in rule.skip_weekdays)
    said += "".join(f"，除了{_silent_zh(days)}" for days in rule.skip_days)
    if rule.skip_holidays:
        said += "，除了节假日"
    if rule.until is not None:
        said += f"，直到{_day_zh(rule.until)}"
    return said + (f"，一共{rule.count}次" if rule.count is not None else "")


def _lead_zh(lead: timedelta) -> str:
    days = f"{lead.days}天" if lead.days else ""
    rest = _span_zh(timedelta(seconds=lead.seconds)) if lead.seconds else ""
    return days + rest


def _day_zh(at: datetime) -> str:
    day = f"{at.year}年{at.month}月{at.day}日"
    return day if at.hour == 23 and at.minute == 59 else f"{day}{at:%H:%M}"


def _limits_en(rule: Recurrence) -> str:
    said = ""
    if rule.lead:
        said += f", {_lead_en(rule.lead)} before"
    if rule.skip_weekdays:
        said += ", except " + " and ".join(WEEKDAYS_EN[d] for d in rule.skip_weekdays)
    said += "".join(f", except {_silent_en(days)}" for days in rule.skip_days)
    if rule.skip_holidays:
        said += ", except public holidays"
    if rule.until is not None:
        at = rule.until
        day = f"{at.day} {MONTHS_EN[at.month - 1]} {at.year}"
        said += (
            f", until {day}" if at.hour == 23 and at.minute == 59 else f", until {day} {at:%H:%M}"
        )
    return said + (f", {rule.count} times in total" if rule.count is not None else "")


def _lead_en(lead: timedelta) -> str:
    days = f"{lead.days} day{'s' * (lead.days > 1)}" if lead.days else ""
    rest = _span_en(timedelta(seconds=lead.seconds)) if lead.seconds else ""
    return " ".join(part for part in (days, "1 " * (rest.isalpha()) + rest) if part.strip())


def _number_zh(n: int) -> str:
    return "两" if n == 2 else NUMERALS[n] if n <= 10 else str(n)


def _days_zh(rule: DayRule) -> str:
    match rule:
        case Daily(every=n):
            return "每天" if n == 1 else f"每{_number_zh(n)}天"
        case Weekly(weekdays=days, every=n):
            weeks = "每" if n == 1 else f"每{_number_zh(n)}周"
            return weeks + "、".join(f"周{WEEKDAYS_ZH[d]}" for d in days)
        case Workdays():
            return _workdays_zh(rule)
        case Monthly():
            return _monthly_zh(rule)
        case Yearly(dates=dates, every=n):
            years = "每年" if n == 1 else f"每{_number_zh(n)}年"
            return years + "、".join(f"{m}月{d}日" for m, d in dates)
        case LunarDays(days=days, month=month, leap=leap):
            named = "、".join(_lunar_day(d) for d in days)
            return (
                f"农历每月{named}"
                if month is None
                else f"每年农历{'闰' * leap}{_lunar_month(month)}{named}"
            )
        case Festival(name=name, shift=shift):
            beside = f"{'前' if shift < 0 else '后'}{_number_zh(abs(shift))}天" if shift else ""
            return f"每年{festival_name(name)}{beside}"
        case FixedDates(dates=dates):
            return "和".join(_date_zh(day) for day in dates)
        case CronDays():
            return _cron_zh(rule)


def _workdays_zh(rule: Workdays) -> str:
    if rule.off:
        return "法定休息日"
    return "法定工作日" if rule.official else "每个工作日"


def _date_zh(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _date_en(day: date) -> str:
    return f"{day.day} {MONTHS_EN[day.month - 1]} {day.year}"


def _silent_zh(days: DayRule) -> str:
    if isinstance(days, Festival):
        return _days_zh(days).removeprefix("每年")
    return _days_zh(days)


def _silent_en(days: DayRule) -> str:
    if isinstance(days, FixedDates):
        return " and ".join(_date_en(day) for day in days.dates)
    return _days_en(days).removesuffix(" every year")


def _monthly_zh(rule: Monthly) -> str:
    head = {1: "每月", 3: "每三个月", 12: f"每年{rule.anchor.month}月"}.get(
        rule.every, f"每{_number_zh(rule.every)}个月"
    )
    if rule.days in (ODD, EVEN):
        return "每逢单号" if rule.days == ODD else "每逢双号"
    said = [_month_day_zh(d) for d in rule.days]
    said += [f"{_nth_zh(n)}个周{WEEKDAYS_ZH[w]}" for n, w in rule.nth]
    said += [f"{_nth_zh(n)}个工作日" for n in rule.workdays]
    return head + "、".join(said)


def _month_day_zh(day: int) -> str:
    if day == -1:
        return "最后一天"
    return f"{day}号" if day > 0 else f"倒数第{_number_zh(-day)}天"


def _nth_zh(n: int) -> str:
    return "最后一" if n == -1 else f"第{NUMERALS[n]}" if n > 0 else f"倒数第{NUMERALS[-n]}"


def _lunar_month(month: int) -> str:
    return {1: "正月", 11: "十一月", 12: "腊月"}.get(month) or f"{NUMERALS[month]}月"


def _lunar_day(day: int) -> str:
    if day <= 10:
        return f"初{NUMERALS[day]}"
    tens = {1: "十", 2: "二十", 3: "三十"}[day // 10]
    return tens + (NUMERALS[day % 10] if day % 10 else "")


def festival_name(name: str) -> str:
    """As Chinese says it; the English name where Chinese has none of its own."""
    if name not in FESTIVALS_ZH:
        return festival_name_en(name)
    words = FESTIVALS_ZH[name].split()
    if name.startswith("term_"):
        return words[0]
    return next((word for word in words if word.endswith("节")), words[0])


def _cron_zh(rule: CronDays) -> str:
    months = "" if len(rule.months) == 12 else "、".join(f"{m}月" for m in rule.months) + "的"
    days = "、".join(f"{d}号" for d in rule.days) if len(rule.days) < 31 else ""
    week = "、".join(f"周{WEEKDAYS_ZH[d]}" for d in rule.weekdays) if len(rule.weekdays) < 7 else ""
    if days and not months and not week:
        return f"每月{days}"
    if week and not months and not days:
        return f"每{week}"
    joint = "或" if rule.either else "且"
    return months + (joint.join(part for part in (days, week) if part) or "每天")


def _days_en(rule: DayRule) -> str:
    match rule:
        case Daily(every=n):
            return "every day" if n == 1 else f"every {n} days"
        case Weekly(weekdays=days, every=n):
            named = " and ".join(WEEKDAYS_EN[d] for d in days)
            return f"every {named}" if n == 1 else f"every {n} weeks on {named}"
        case Workdays():
            return _workdays_en(rule)
        case Monthly():
            return _monthly_en(rule)
        case Yearly(dates=dates, every=n):
            named = " and ".join(f"{MONTHS_EN[m - 1]} {d}" for m, d in dates)
            return f"every year on {named}" if n == 1 else f"every {n} years on {named}"
        case LunarDays():
            return _lunar_en(rule)
        case Festival(name=name, shift=shift):
            beside = f"{abs(shift)} days {'before' if shift < 0 else 'after'} " if shift else ""
            return f"{beside}{festival_name_en(name)} every year"
        case FixedDates(dates=dates):
            return "on " + " and ".join(_date_en(day) for day in dates)
        case CronDays():
            return _cron_en(rule)


def _lunar_en(rule: LunarDays) -> str:
    named = " and ".join(_ordinal(day) for day in rule.days)
    if rule.month is None:
        return f"the {named} of every lunar month"
    return f"the {named} of the {_ordinal(rule.month)} {'leap ' * rule.leap}lunar month every year"


def _workdays_en(rule: Workdays) -> str:
    if rule.off:
        return "every official Chinese day off"
    return "every official Chinese workday" if rule.official else "every weekday"


def _monthly_en(rule: Monthly) -> str:
    of = {
        1: "every month",
        3: "every 3 months",
        12: f"{MONTHS_EN[rule.anchor.month - 1]} every year",
    }.get(rule.every, f"every {rule.every} months")
    if rule.days in (ODD, EVEN):
        return "every odd day" if rule.days == ODD else "every even day"
    said = ["last day" if d == -1 else _ordinal(d) for d in rule.days]
    said += [f"{ORDINALS_EN.get(n, _ordinal(n))} {WEEKDAYS_EN[w]}" for n, w in rule.nth]
    said += [f"{ORDINALS_EN.get(n, _ordinal(n))} workday" for n in rule.workdays]
    return f"the {' and the '.join(said)} of {of}"


def _ordinal(n: int) -> str:
    if n < 0:
        return f"{_ordinal(-n)} last day"
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def festival_name_en(name: str) -> str:
    """As English speakers write it; the Chinese name where English has none of its own."""
    for phrase, festival in FESTIVALS_EN.items():
        if festival == name:
            return " ".join(word[0].upper() + word[1:] for word in phrase.split())
    return FESTIVALS_ZH[name].split()[0]


def _cron_en(rule: CronDays) -> str:
    months = (
        "" if len(rule.months) == 12 else " in " + ", ".join(MONTHS_EN[m - 1] for m in rule.months)
    )
    days = "the " + ", ".join(_ordinal(d) for d in rule.days) if len(rule.days) < 31 else ""
    week = ", ".join(WEEKDAYS_EN[d] for d in rule.weekdays) if len(rule.weekdays) < 7 else ""
    joint = " or " if rule.either else " that are "
    if days and not months and not week:
        return f"the {' and '.join(_ordinal(d) for d in rule.days)} of every month"
    if week and not days:
        week = f"every {week}"
    return (joint.join(part for part in (days, week) if part) or "every day") + months
