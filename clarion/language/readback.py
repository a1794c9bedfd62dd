"""What was understood, said back in words that can be checked, and read again, by a person.

An instant read back parses to the same instant. Notes on what was assumed use no words of time,
so that they never change the meaning of the sentence they stand in.
"""

import re
from datetime import datetime, timedelta, tzinfo

from clarion.language.when.model import (
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    When,
)
from clarion.language.when.rules.recurrence import Recurrence
from clarion.language.when.rules.rule_words import say_rule
from clarion.language.when.words import words

WEEKDAYS_LONG = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS_LONG = words(
    "January February March April May June July August September October November December"
)
# From this hour on.
PARTS_ZH = ((0, "凌晨"), (5, "早上"), (9, "上午"), (12, "中午"), (13, "下午"), (18, "晚上"))
NOT_AUDIBLE = ("short_months_skipped", "leap_years_only", "workdays_not_decreed")
# Not by \b: 日 is a letter too, and of 日23:43:32 the minutes and seconds would be told.
_CLOCK = re.compile(r"(?<![\d:])(\d\d):(\d\d)(?::\d\d)?")
DAYS_ZH = {0: "今天", 1: "明天", 2: "后天", 3: "大后天"}
DAYS_EN = {0: "today", 1: "tomorrow"}
WEEKDAYS_ZH = "一二三四五六日"
WEEKDAYS_EN = words("Mon Tue Wed Thu Fri Sat Sun")
MONTHS_EN = words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

ASSUMED_ZH = {
    "hour_filled": "没说几点，按平常的钟点",
    "part_hour": "没说几点，按您的习惯",
    "afternoon_meant": "按下午理解",
    "evening_meant": "按晚上理解",
    "morning_meant": "按早上理解",
    "midnight_meant": "按最近的一次理解",
    "end_of_day": "按一天结束时理解",
    "day_rolled": "已过，顺延",
    "week_rolled": "已过，顺延",
    "month_rolled": "已过，顺延",
    "year_rolled": "已过，顺延",
    "calendar_tomorrow": "按日历理解，请留意",
    "short_months_skipped": "没有这一号的月份会跳过",
    "leap_years_only": "只有闰年才有",
    "workdays_not_decreed": "放假安排尚未公布，未公布的年份暂按周一至周五",
    "times_spread": "没说几点，按您的习惯分配",
    "from_now": "没说起点，按说话时算",
    "proposed": "请留意核对",
}
ASSUMED_EN = {
    "hour_filled": "no hour was said",
    "part_hour": "your usual hour",
    "afternoon_meant": "taken as pm",
    "evening_meant": "taken as pm",
    "morning_meant": "taken as am",
    "midnight_meant": "taken as the one that comes first",
    "end_of_day": "taken as its end",
    "day_rolled": "moved on, as it had passed",
    "week_rolled": "moved on, as it had passed",
    "month_rolled": "moved on, as it had passed",
    "year_rolled": "moved on, as it had passed",
    "calendar_tomorrow": "by the calendar, please check",
    "short_months_skipped": "shorter months are skipped",
    "leap_years_only": "leap years only",
    "workdays_not_decreed": "public holidays not decreed yet, plain Monday to Friday until then",
    "times_spread": "spread over your usual hours",
    "from_now": "counted from now",
    "proposed": "please check",
}
ROUTINES_ZH = {
    "waking": "起床", "breakfast": "早饭", "lunch": "午饭", "dinner": "晚饭", "sleeping": "睡觉",
    "meal": "饭", "meals": "三餐",
}  # fmt: skip
ROUTINES_EN = {
    "waking": "getting up", "breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner",
    "sleeping": "bed", "meal": "meals", "meals": "meals",
}  # fmt: skip
SIDES_ZH = {-1: "前", 0: "的时候", 1: "后"}
SIDES_EN = {-1: "before ", 0: "at ", 1: "after "}
AT_EN = {"sleeping": "at bedtime", "waking": "when you get up"}
ASKS_ZH = {
    "time": "请问什么时候提醒您？",
    "hour": "请问几点？",
    "day": "请问是哪一天？",
    "event": "请问那件事是几点？",
    "weekdays": "请问是星期几？",
    "interval": "请问是隔几天一次？",
    "calendar": "请问是公历还是农历？",
    "choice": "您说了不止一个时间，请问是哪一个？",
    "several": "这是几件事，请一件一件告诉我。",
    "weekday": "日期和星期对不上，请问是哪一天？",
}
ASKS_EN = {
    "time": "When should I remind you?",
    "hour": "At what time?",
    "day": "On which day?",
    "event": "When is that?",
    "weekdays": "On which weekdays?",
    "interval": "How many days apart?",
    "calendar": "By the Gregorian or the lunar calendar?",
    "choice": "You named more than one time; which is it?",
    "several": "These are several things; please tell me one at a time.",
    "weekday": "The date is another day of the week; which is it?",
}
WHY_ZH = {
    "past": "这个时间已经过去了",
    "sent_late": "这条消息来得太晚，您说的时间已经过去了",
    "no_such_day": "没有这一天",
    "no_such_lunar_day": "农历没有这一天",
    "no_such_month": "没有这个月份",
    "no_such_year": "没有这个年份",
    "no_such_quarter": "没有这个季度",
    "no_such_hour": "没有这个钟点",
    "no_such_minute": "没有这个分钟数",
    "no_such_interval": "间隔不对",
    "too_often": "这样响得太频繁了",
    "part_contradicts_hour": "时段和钟点对不上",
    "dates_disagree": "说的日期互相对不上",
    "lead_too_long": "提前的时间已经过去了",
    "ends_before_it_starts": "结束早于开始",
    "never_happens": "这样的日子不会出现",
    "beyond_calendar": "超出了日历的范围",
}
WHY_EN = {
    "past": "That time has passed",
    "sent_late": "This came late: the time that was meant has passed",
    "no_such_day": "There is no such day",
    "no_such_lunar_day": "The lunar calendar has no such day",
    "no_such_month": "There is no such month",
    "no_such_year": "There is no such year",
    "no_such_quarter": "There is no such quarter",
    "no_such_hour": "There is no such hour",
    "no_such_minute": "There is no such minute",
    "no_such_interval": "That interval is impossible",
    "too_often": "That is too often to ring",
    "part_contradicts_hour": "The hour does not fit the part of the day",
    "dates_disagree": "The dates that were said do not agree",
    "lead_too_long": "That much ahead has already passed",
    "ends_before_it_starts": "It would end before it starts",
    "never_happens": "Such a day never comes",
    "beyond_calendar": "That is beyond the calendar",
}


def say_instant(at: datetime, now: datetime, lang: str) -> str:
    """明天（11月16日 周一）08:00; "tomorrow (Mon 16 Nov) 08:00". In the zone of `at`."""
    today = now.astimezone(at.tzinfo).date()
    away = (at.date() - today).days
    clock = _clock(at)
    if lang == "zh":
        day = f"{at.month}月{at.day}日"
        if at.year != today.year:
            day = f"{at.year}年{day}"
        weekday = f"周{WEEKDAYS_ZH[at.weekday()]}"
        if away in DAYS_ZH:
            return f"{DAYS_ZH[away]}（{day} {weekday}）{clock}"
        return f"{day}（{weekday}）{clock}"
    day = f"{WEEKDAYS_EN[at.weekday()]} {at.day} {MONTHS_EN[at.month - 1]}"
    if at.year != today.year:
        day = f"{day} {at.year}"
    return f"{DAYS_EN[away]} ({day}) {clock}" if away in DAYS_EN else f"{day} {clock}"


def _clock(at: datetime) -> str:
    """Two figures, seconds when there are some; the second of two equal hours shows its offset."""
    text = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
    offset = at.utcoffset() or timedelta()
    if not at.fold or at.replace(fold=0).utcoffset() == offset:
        return text
    minutes = int(offset.total_seconds()) // 60
    return f"{text}{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def spoken_instant(at: datetime, now: datetime, lang: str) -> str:
    """As a person says it: 明天早上8点; "tomorrow at 8 am". To the minute, in the zone of `at`."""
    today = now.astimezone(at.tzinfo).date()
    away = (at.date() - today).days
    if lang == "zh":
        day = DAYS_ZH.get(away) or f"{at.month}月{at.day}日周{WEEKDAYS_ZH[at.weekday()]}"
        year = f"{at.year}年" if at.year != today.year and away not in DAYS_ZH else ""
        return f"{year}{day}{spoken_clock(at.hour, at.minute, lang)}"
    day = (
        DAYS_EN.get(away)
        or f"on {WEEKDAYS_LONG[at.weekday()]} {at.day} {MONTHS_LONG[at.month - 1]}"
    )
    year = f" {at.year}" if at.year != today.year and away not in DAYS_EN else ""
    return f"{day}{year} at {spoken_clock(at.hour, at.minute, lang)}"


def spoken_now(at: datetime, lang: str) -> str:
    """What is told when somebody asks: 1月7日星期一，早上8点; "Monday 7 January, 8 am"."""
    clock = spoken_clock(at.hour, at.minute, lang)
    if lang == "zh":
        return f"{at.month}月{at.day}日星期{WEEKDAYS_ZH[at.weekday()]}，{clock}"
    return f"{WEEKDAYS_LONG[at.weekday()]} {at.day} {MONTHS_LONG[at.month - 1]}, {clock}"


def spoken_clock(hour: int, minute: int, lang: str) -> str:
    """早上8点, 下午3点半; "8 am", "3:30 pm", "noon"."""
    if lang != "zh":
        if (hour, minute) == (12, 0):
            return "noon"
        past = f":{minute:02}" if minute else ""
        return f"{hour % 12 or 12}{past} {'am' if hour < 12 else 'pm'}"
    past = (
        ""
        if minute == 0
        else "半"
        if minute == 30
        else f"{minute}分"
        if minute > 9
        else f"零{minute}分"
    )
    if hour == 0:
        return f"凌晨0点{past}" if past else "零点"
    part = next(name for start, name in reversed(PARTS_ZH) if hour >= start)
    return f"{part}{hour if hour <= 12 else hour - 12}点{past}"


def spoken_recurrence(
    rule: Recurrence, lang: str, now: datetime | None = None, home: tzinfo | None = None
) -> str:
    """每天早上8点; "every day at 8 am". The zone is named when `home` is another one."""
    if rule.rrule is not None:
        return "按您给的规则" if lang == "zh" else "on the schedule you gave"
    said = re.sub(
        r" … .*$", "起多次" if lang == "zh" else " and on", say_rule(rule, lang, now, home)
    )
    said = re.sub("^the ", "on the ", said)
    said = _CLOCK.sub(lambda m: spoken_clock(int(m[1]), int(m[2]), lang), said)
    if now is not None:
        said = _near_days(said, now, lang)
    return re.sub(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])", "", said)


def _near_days(said: str, now: datetime, lang: str) -> str:
    """A day that is near is called 今天, "tomorrow"; one of this year has no year."""
    for away, name in (DAYS_ZH if lang == "zh" else DAYS_EN).items():
        day = now + timedelta(days=away)
        month = MONTHS_LONG[day.month - 1]
        full = f"{day.year}年{day.month}月{day.day}日"
        said = said.replace(full if lang == "zh" else f"{day.day} {month} {day.year}", name)
    this_year = rf"{now.year}年(?=\d)" if lang == "zh" else rf"(?<=[a-z]) {now.year}\b"
    return re.sub(this_year, "", re.sub(r"\bevery 2 days\b", "every other day", said))


def spoken_when(when: Once | Recurring, now: datetime, lang: str) -> str:
    """When it will ring, fit to stand in a sentence. What nobody can hear from it comes along."""
    zh = lang == "zh"
    comma, notes = "，" if zh else ", ", []
    if isinstance(when, Once):
        said = spoken_instant(when.at, now, lang)
    else:
        words = ASSUMED_ZH if zh else ASSUMED_EN
        notes = [words[code] for code in when.assumptions if code in NOT_AUDIBLE]
        said = _few(when.rule, lang, now) or spoken_recurrence(when.rule, lang, now)
    told = _routines(when.assumptions, chinese=zh)
    said = comma.join([said, ("、" if zh else " and ").join(told)]) if told else said
    return comma.join([*notes, said] if zh else [said, *notes])


FEW = 3  # times that are named one by one


def _few(rule: Recurrence, lang: str, now: datetime) -> str:
    """今天下午3点和4点 …: times that were named one by one; empty for what goes on."""
    times = rule.preview(now, FEW + 1) if rule.beside and rule.rrule is None else []
    if not 1 < len(times) <= FEW:
        return ""
    said = [spoken_instant(at, now, lang) for at in times]
    days = [one[:2] if lang == "zh" else one.partition(" ")[0] for one in said]
    later = [
        one[len(day) :].strip() if day == before and day in NEAR else one
        for one, day, before in zip(said[1:], days[1:], days, strict=False)
    ]
    if lang == "zh":
        return "、".join([said[0], *later[:-1]]) + "和" + later[-1]
    return ", ".join([said[0], *later[:-1]]) + " and " + later[-1]


NEAR = frozenset({"今天", "明天", "后天", "today", "tomorrow"})


def _routines(codes: tuple[str, ...], *, chinese: bool) -> list[str]:
    """晚饭后半小时, "half an hour after dinner": the words by which the hour was told."""
    said: list[str] = []
    for code in codes:
        if not code.startswith("routine "):
            continue
        name, side, minutes = code.split()[1:]
        length = _length(int(minutes), chinese=chinese)
        if chinese:
            said.append(f"{ROUTINES_ZH[name]}{SIDES_ZH[int(side)]}{length}")
        elif side == "0" and name in AT_EN:
            said.append(AT_EN[name])
        else:
            said.append(f"{length} {SIDES_EN[int(side)]}{ROUTINES_EN[name]}".strip())
    return said


def _length(minutes: int, *, chinese: bool) -> str:
    hours, rest = divmod(minutes, 60)
    if minutes == 30:
        return "半小时" if chinese else "half an hour"
    if chinese:
        if hours and rest == 30:
            return f"{hours}个半小时"
        return (f"{hours}小时" if hours else "") + (f"{rest}分钟" if rest else "")
    whole = f"{hours} hour{'s' if hours > 1 else ''}" if hours else ""
    part = f"{rest} minute{'s' if rest > 1 else ''}" if rest else ""
    return " ".join(filter(None, (whole, part)))


def say_when(when: When, now: datetime, lang: str) -> str:
    """The whole answer in a sentence, with everything that was assumed."""
    chinese = lang == "zh"
    match when:
        case Once(at=at, assumptions=notes):
            return say_instant(at, now, lang) + _notes(notes, chinese)
        case Recurring(rule=rule, assumptions=notes):
            first = rule.next_after(now)
            start = _first(first.astimezone(now.tzinfo), now, chinese) if first else ""
            return say_rule(rule, lang, now) + _notes(notes, chinese) + start
        case NeedsClarification(what=what, candidates=candidates):
            asks = ASKS_ZH if chinese else ASKS_EN
            return asks.get(what, asks["time"]) + _choices(candidates, now, chinese)
        case Invalid(why=why, proposal=proposal):
            return _refusal(why, proposal, now, chinese)
        case Nothing():
            return "没有听到时间。" if chinese else "No time was found."


def _notes(codes: tuple[str, ...], chinese: bool) -> str:
    words = ASSUMED_ZH if chinese else ASSUMED_EN
    said = list(dict.fromkeys(words[code] for code in codes if code in words))
    said += _routines(codes, chinese=chinese)
    if not said:
        return ""
    return f"（{'；'.join(said)}）" if chinese else f" ({'; '.join(said)})"


def _first(first: datetime, now: datetime, chinese: bool) -> str:
    said = say_instant(first, now, "zh" if chinese else "en")
    return f"，下一次：{said}" if chinese else f", next: {said}"


def _choices(candidates: tuple[datetime, ...], now: datetime, chinese: bool) -> str:
    if not candidates:
        return ""
    said = [spoken_instant(at, now, "zh" if chinese else "en") for at in candidates[:3]]
    return "，还是".join(said) + "？" if chinese else f" {', or '.join(said).capitalize()}?"


def _refusal(why: str, proposal: datetime | None, now: datetime, chinese: bool) -> str:
    words = WHY_ZH if chinese else WHY_EN
    said = words.get(why, why)
    if proposal is None:
        return said + ("。" if chinese else ".")
    offer = spoken_instant(proposal, now, "zh" if chinese else "en")
    return f"{said}。要改成{offer}吗？" if chinese else f"{said}. Should it be {offer}?"
