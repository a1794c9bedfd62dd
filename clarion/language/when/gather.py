"""Pieces that stand together become one mention; what does not fit opens another."""

from collections.abc import Callable

from clarion.language.when.joining import (
    JOINING,
    UNITS_OF_DAYS,
    alike,
    another_day,
    are_listed,
    contradict,
    half_of_end,
    has_own_hour,
    is_weekly_pattern,
    one_clock,
    only_parts,
    other_rhythm,
    with_part,
)
from clarion.language.when.stream import ClockWords, Date, Every, Mention, Piece, Routine
from clarion.language.when.unwanted import AS_DAYS, closes_behind, except_days, is_declined
from clarion.language.when.words import words

LINKS = frozenset(
    words(
        "glue and to dash sep from start until until_end until_rhythm except except_end "
        "total last_for for about at on the of each between in lunar holiday_off then"
    )
)
CLAUSE_MARKS = frozenset("，,()、")
THROUGH = frozenset(("to", "dash", "until"))


def _date(m: Mention, piece: Piece, links: set[str]) -> bool:
    date: Date = piece.value
    if date.last_day or date.edge is not None:
        date = _taken_apart(m, date)
    if "lunar" in links or m.lunar:
        m.lunar = True
    if m.joins:
        links, m.joins = {*links, "and"}, False
    if links & THROUGH and _ends_there(m, date):
        return True
    if m.clocks and has_own_hour(m, date, links):
        return True
    if not m.dates and not m.repeats:
        m.hours_first = len(m.clocks)
    if not m.dates:
        m.dates.append(date)
        m.through = bool(links & THROUGH)
        m.between = m.between or "between" in links
        return True
    if "and" in links and m.between and not (m.clocks or m.to_date or m.repeats):
        m.to_date = date  # between tomorrow and June 28
        return True
    if links & THROUGH:
        m.to_date = date
        return m.every is not None or not m.until
    return another_day(m, date, links)


def _taken_apart(m: Mention, date: Date) -> Date:
    """July 13-15 ends on another day; the end of Friday is its evening."""
    if date.last_day and not m.dates:
        m.to_date = date._replace(days=(date.last_day,), last_day=0)
        date = date._replace(last_day=0)
    if date.edge and date.weekdays:  # the end of Friday
        part = "dusk" if date.edge == "end" else "morning"
        m.clocks = m.clocks or [ClockWords(part=part, grain="part")]
        date = date._replace(edge=None)
    return date


def _ends_there(m: Mention, date: Date) -> bool:
    """从明天起到1月3号; 每天8点到周五; 晚上8点到明天早上10点."""
    if (m.start or m.repeats) and not m.until and (not m.dates or (m.repeats and m.clocks)):
        m.until = Mention(dates=[date])  # 每月1号早八点，到7月20号
        return True
    if m.clocks and not m.dates:
        m.to_date = date
        return True
    return False


def _clock(m: Mention, piece: Piece, links: set[str]) -> bool:
    read: ClockWords = piece.value
    if m.until is not None and m.until.dates and not m.until.clocks and m.clocks and not links:
        m.until.clocks.append(read)
        return True
    if not m.clocks and links & THROUGH and m.every and m.every.unit in ("second", "clock_hour"):
        m.until = Mention(clocks=[read])
        return True
    if not m.clocks:
        m.clocks.append(read)
        m.between = "between" in links
        m.through = m.through or (not m.dates and bool(links & THROUGH))
        return True
    if m.beside and not (links & THROUGH):
        return _clock(m.beside[-1], piece, links - {"sep"})
    if len(m.clocks) > 1 and only_parts(m.clocks) and read.part is None and read.hour:
        m.clocks = [with_part(read, clock.part) for clock in m.clocks]  # 早晚七点
        return True
    last = m.clocks[-1]
    if m.to_date is not None and m.to_clock is None and not links:
        m.to_clock = read
        return True
    if links & THROUGH or ("and" in links and m.between):
        m.clocks[-1], m.to_clock = half_of_end(last, read), read
        return True
    m.contradicts = m.contradicts or contradict(last, read, links)
    together = last if m.contradicts else one_clock(last, read, links)
    if together is not None:  # this afternoon between three and five
        m.clocks[-1], m.between = together, m.between or "between" in links
        return True
    side_by_side = not links and last.part and read.part and last.part != read.part
    both = side_by_side and last.hour is not None and read.hour is not None  # 早上八点晚上八点
    listed = are_listed(last, read, links)
    if listed or both or links & JOINING or (m.repeats and ("sep" in links or side_by_side)):
        m.clocks.append(read)
        return True
    return False


def _clocks(m: Mention, piece: Piece, links: set[str]) -> bool:
    m.clocks += piece.value
    return True


def _every(m: Mention, piece: Piece, links: set[str]) -> bool:
    steps = piece.value.unit in ("second", "clock_hour")
    if m.after is not None and m.every is None and steps:
        m.start = Mention()  # in an hour, then every ten minutes
        m.start.after, m.after = m.after, None
    if not m.repeats and not m.dates:
        m.hours_first = len(m.clocks)
    other = piece.value.unit in UNITS_OF_DAYS or (piece.value == Every("month") and "and" in links)
    if other and other_rhythm(m, piece, links):
        return True
    if m.every is not None and m.every.unit == "week" and piece.value == Every("week"):
        return True  # biweekly on Fridays
    if m.every is not None and piece.value.unit != m.every.unit:
        # 周一到周五每天, 每天每小时: the days of the first, the steps of the second.
        if steps:
            m.within = m.every
        elif m.every.unit in ("second", "clock_hour"):
            m.within = piece.value
            return True
        elif piece.value.unit == "day":
            return True
    m.lunar = m.lunar or "lunar" in links
    daily = m.every is None and piece.value == Every("day")
    m.every = Every("week") if daily and _has_pattern(m) else piece.value  # 周一至周五每天
    if daily and m.dates == [Date(weekend=True)]:  # 周末每天
        m.every, m.dates = Every("weekend"), []
    return True


def _length(m: Mention, piece: Piece, links: set[str]) -> bool:
    if links & {"last_for", "for"}:
        m.last_for = piece.value
    else:
        listed = "and" in links and "sep" not in links  # 10 minutes and 20 minutes
        m.vague = m.vague or (listed and bool(m.length or m.last_for))
        m.length = piece.value
    return True


def _times(m: Mention, piece: Piece, links: set[str]) -> bool:
    if "total" in links or "for" in links:
        m.count = piece.value
    else:
        m.times = piece.value
    return True


def _set(name: str) -> "Adder":
    def add(m: Mention, piece: Piece, links: set[str]) -> bool:
        if getattr(m, name):
            return False
        setattr(m, name, piece.value)
        return True

    return add


def _after(m: Mention, piece: Piece, links: set[str]) -> bool:
    """我睡一会儿，半小时后叫我: the second clause says how long."""
    if m.after or (m.vague and not m.vague_day and "sep" in links):
        return False
    m.after = piece.value
    return True


def _vague(m: Mention, piece: Piece, links: set[str]) -> bool:
    m.vague, m.vague_day = True, piece.value == "day"
    return True


def _shift(m: Mention, piece: Piece, links: set[str]) -> bool:
    """周六9点，前一天晚上: a clause of its own, told from the one before."""
    if m.shift or ("sep" in links and (m.dates or m.clocks)):
        return False
    m.shift = piece.value
    return True


def _event(m: Mention, piece: Piece, links: set[str]) -> bool:
    is_day = piece.value == Routine("day", 0)
    hours_first = piece.value is None and any(clock.hour is not None for clock in m.clocks)
    m.open_event = m.open_event or is_day or hours_first
    m.event, m.routines = True, (*m.routines, None if is_day else piece.value)
    return True


def _now(m: Mention, piece: Piece, links: set[str]) -> bool:
    """Now; between now and Friday leaves the day open."""
    open_day = "between" in links
    m.vague = m.vague_day = m.vague or open_day
    m.now = not open_day
    return True


def _flag(name: str) -> "Adder":
    def add(m: Mention, piece: Piece, links: set[str]) -> bool:
        setattr(m, name, True)
        return True

    return add


Adder = Callable[[Mention, Piece, set[str]], bool]
ADDERS: dict[str, Adder] = {
    "date": _date,
    "clock": _clock,
    "clocks": _clocks,
    "after": _after,
    "lasting": _set("last_for"),
    "before": _set("before"),
    "lead": _set("lead"),
    "shift": _shift,
    "often": _set("often"),
    "bad": _set("bad"),
    "zone": _set("zone"),
    "every": _every,
    "length": _length,
    "times": _times,
    "vague": _vague,
    "same_hour": _flag("same_hour"),
    "event": _event,
    "now": _now,
    "next_hour": _flag("next_hour"),
}


class Gatherer:
    """Pieces in, mentions out. `_mode` says where the next day or hour belongs."""

    _now: Mention | None = None
    _mode = ""
    _held: Mention | None = None
    _mark = (0, 0)
    _unwanted = False
    _declines = False

    def __init__(self) -> None:
        self.mentions: list[Mention] = []
        self._links: list[Piece] = []
        self._marks: dict[str, bool] = {}

    def read(self, pieces: list[Piece]) -> list[Mention]:
        for index, piece in enumerate(pieces):
            kind = piece.kind
            if kind in ADDERS:
                self._time(piece, index)
            elif kind in LINKS and (kind != "sep" or piece.value in CLAUSE_MARKS):
                self._link(piece, index)
            elif kind == "not" and self._now is not None and closes_behind(pieces, index):
                self._dismiss(piece)
            else:
                self._other(piece)
        self._close()
        if self._declines and len(self.mentions) == 1 and is_declined(pieces, self.mentions[0]):
            self.mentions[0].dismissed = self._unwanted = True
        if self._unwanted:
            except_days(self.mentions)
        return self.mentions

    def _dismiss(self, piece: Piece) -> None:
        """明天不用叫我; 每天7点，周日不用; 1小时后和2小时后都不用."""
        now = self._now
        assert now is not None, "asked only of what was said"
        now.spans.append((piece.start, piece.end))
        holidays = any(link.kind == "holiday_off" for link in self._links)
        if now.repeats and (now.dates or now.beside or holidays):
            self.excepts(now)
            return
        now.dismissed = self._unwanted = True
        self._close()
        for before in reversed(self.mentions):
            before.dismissed = True
            if not before.joined:
                break

    def _other(self, piece: Piece) -> None:
        if self._now is not None or self._links:
            self._close()
        if piece.kind == "or" and (self._marks.get("correct") or self._marks.get("no")):
            return  # 八点，不，还是八点半
        self._marks = {}
        if piece.kind in ("not", "correct", "or", "no"):
            self._marks = {piece.kind: True, str(piece.value): True}
            self._declines = self._declines or piece.value == "ring"
            self._mark = (piece.start, piece.end)

    def _open(self, index: int) -> Mention:
        if self._now is None:
            self._now = Mention(first=index)
            if self._marks:
                self._as_marked(self._now)
            if self._links:
                self._now.joined = "and" in [link.kind for link in self._links[-2:]]
        return self._now

    def _as_marked(self, mention: Mention) -> None:
        """不要明天; …，改成九点; …还是九点: by the word that stood before it."""
        marks, self._marks = self._marks, {}
        corrects = marks.get("correct") or marks.get("no")
        mention.corrects = bool(corrects and self.mentions)
        taken_back = corrects and not self.mentions and not marks.get("instead")
        mention.negated = bool(marks.get("not") or taken_back)
        mention.alternative = bool(marks.get("or") and self.mentions)
        if mention.corrects or mention.negated:
            mention.said_before = self._mark
            self._unwanted = self._unwanted or mention.negated

    def _close(self) -> None:
        if self._now is not None:
            if self._held is not None:
                self._release()
            if self._now.spans and not self._now.only_qualifies:
                for link in self._links:  # 那天, 左右: said with the time, though behind it
                    if link.kind not in ("glue", "about"):
                        break
                    self._now.spans.append((link.start, link.end))
                self.mentions.append(self._now)
        self._now, self._mode, self._links = None, "", []

    def _time(self, piece: Piece, index: int) -> None:
        mention = self._now or self._open(index)
        if self._mode == "except":
            if piece.value == _WEEKLY:  # except Sundays: the days follow
                return
            if piece.kind == "every" and piece.value.unit in AS_DAYS:
                piece = piece._replace(kind="date", value=AS_DAYS[piece.value.unit])
            if piece.kind == "clock" and self._excepts_hour(mention, piece):
                self._take(mention, piece, index)
                return
        if self._mode:
            self._lead(mention, piece)
        if not self._add(mention, piece):
            links = [link for link in self._links if link.kind == "and"]
            self._close()
            self._links = links
            mention = self._open(index)
            self._add(mention, piece)
        self._take(mention, piece, index)

    def _lead(self, mention: Mention, piece: Piece) -> None:
        """Let go of what the last word of beginning or ending held, where this is no part of it."""
        if self._mode == "from" and piece.kind == "every" and self._held and self._held.dates:
            self._mode = "begin"  # from December 1st, every Tuesday
        if self._mode in _SPANS and piece.kind == "date" and self._bounds(piece.value):
            self._mode = "begin" if self._mode == "from" else self._mode
            self._release()
        if self._mode and (not self._holds(piece) or self._belongs_to_main(mention, piece)):
            self._release()

    def _bounds(self, said: Date) -> bool:
        """From July 2, Monday to Friday; until July 20 the last Friday of every month."""
        held = self._held.dates if self._held else []
        if not held or any(link.kind in THROUGH for link in self._links):
            return False
        in_month = said.month is None and said.month_offset is None
        of_each = in_month and (said.nth is not None or (bool(said.days) and bool(held[-1].month)))
        return of_each or is_weekly_pattern(said)

    def _excepts_hour(self, mention: Mention, piece: Piece) -> bool:
        """At 6 every day, except weekends at 8: those days have an hour of their own."""
        held = self._held
        if held is None or not held.dates or not (mention.repeats and mention.clocks):
            return False
        mention.beside.append(Mention(held.dates, [piece.value]))
        self._held, self._mode = None, ""
        return True

    def _belongs_to_main(self, mention: Mention, piece: Piece) -> bool:
        """Every day until Friday at 9; every day except Sunday at 9: the hour is the rhythm's."""
        if piece.kind == "date" or self._held is None or not self._held.dates:
            return False
        if mention.every is not None and mention.every.unit in ("second", "clock_hour"):
            return False  # every 20 minutes until Friday at 5: the hour is the end's
        if self._mode == "begin":
            rhythm = mention.repeats or mention.last_for or _has_pattern(mention)
            return bool(rhythm) and not mention.clocks
        return self._mode == "except" or (
            self._mode == "until" and bool(mention.repeats or mention.dates) and not mention.clocks
        )

    def _take(self, mention: Mention, piece: Piece, index: int) -> None:
        """Count the piece, and the links that led to it, as read."""
        for link in self._links:
            if mention.spans or link.kind in _LEADING:
                mention.spans.append((link.start, link.end))
        mention.spans.append((piece.start, piece.end))
        mention.behind = index + 1
        self._links = []

    def _add(self, mention: Mention, piece: Piece) -> bool:
        target = mention
        if self._mode and self._holds(piece):
            self._held = self._held or Mention()
            target = self._held
        links = {link.kind for link in self._links} if self._links else set()
        return ADDERS[piece.kind](target, piece, links)

    def _holds(self, piece: Piece) -> bool:
        """Whether it belongs to the word that opened: starting in three days."""
        return piece.kind in _HELD or (piece.kind == "after" and self._mode == "begin")

    def _link(self, piece: Piece, index: int) -> None:
        kind = piece.kind
        if kind == "sep" and self._now is not None and self._now.negated:
            self._close()  # 不要今天，周五: the comma ends what is not wanted
        if kind == "sep" and self._links and self._links[-1].kind == "to":
            self._other(piece)  # 外卖12点到，…: it arrives then
            return
        if kind == "sep" and self._now is None and not self.mentions:
            self._marks = {}  # no, every Monday: the word only answered
        if piece.value == "event" and not (self._now and self._now.repeats):
            self._other(piece)  # the party starts at nine
            return
        english = piece.end - piece.start > 3 and kind == "start"
        if kind == "holiday_off":
            self._holidays(piece, index)
            return
        if kind in ("from", "until", "except") or english:
            self._release()
            self._mode = "begin" if english else kind
            self._links.append(piece)
            return
        if kind in _ENDINGS:
            self._end(piece, index)
            return
        self._links.append(piece)

    def _holidays(self, piece: Piece, index: int) -> None:
        if self._mode == "except" or self._now is not None:
            mention = self._open(index)
            if self._mode == "except":
                mention.skip_holidays = True
                self._take(mention, piece, index)
                return
            self._links.append(piece)

    def _end(self, piece: Piece, index: int) -> None:
        """开始, 为止, 除外, 不用: what was just said was a start, an end, an exception."""
        mention = self._now
        if mention is None:
            self._links.append(piece)
            return
        done = _ENDINGS[piece.kind](self, mention)
        if done:
            self._take(mention, piece, index)
        else:
            self._links.append(piece)

    def begins(self, mention: Mention) -> bool:
        if self._mode == "from" and self._held:
            mention.start, self._held, self._mode = self._held, None, ""
            return True
        if mention.dates or mention.clocks or mention.after:  # 三天后开始
            mention.start = Mention(dates=mention.dates, clocks=mention.clocks)
            mention.start.after = mention.after
            mention.dates, mention.clocks, mention.after = [], [], None
            return True
        return False

    def ends_before_rhythm(self, mention: Mention) -> bool:
        if not mention.dates or mention.repeats:
            return False
        mention.until = Mention(dates=[mention.dates.pop()])
        return True

    def ends(self, mention: Mention) -> bool:
        if self._mode == "until" and self._held:
            self._release()
            return True
        if mention.until is not None:
            return True
        if mention.to_date is not None or mention.to_clock is not None:
            mention.until = Mention(
                dates=[mention.to_date] if mention.to_date else [],
                clocks=[mention.to_clock] if mention.to_clock else [],
            )
            mention.to_date = mention.to_clock = None
            return True
        if mention.dates and (mention.repeats or mention.through or mention.start):
            mention.until = Mention(dates=[mention.dates.pop()])
        elif mention.through and len(mention.clocks) == 1 and not mention.repeats:
            mention.until, mention.clocks = Mention(clocks=mention.clocks), []  # 到三点为止每…
        return mention.until is not None

    def excepts(self, mention: Mention) -> bool:
        if self._mode == "except" and self._held:
            self._release()
            return True
        if any(link.kind == "holiday_off" for link in self._links):
            mention.skip_holidays = True
            return True
        if mention.beside and not mention.beside[-1].clocks:  # 每天7点，周日不用
            mention.skip += mention.beside.pop().dates
            _also_except(mention, mention.skip[-1])
            return True
        if mention.dates and mention.repeats:
            mention.skip.append(mention.dates.pop())
            _also_except(mention, mention.skip[-1])
            return True
        if mention.dates and not mention.clocks:  # …，周三休息
            mention.skip, mention.dates = [*mention.skip, *mention.dates], []
            return True
        return bool(mention.skip or mention.skip_holidays)

    def _release(self) -> None:
        """What was held goes where its opening word said."""
        held, mention, mode = self._held, self._now, self._mode
        self._held, self._mode = None, ""
        if held is None or mention is None:
            return
        if mode == "until":
            mention.until = held
            if held.clocks and mention.clocks and not mention.dates and not mention.repeats:
                mention.dates, held.dates = held.dates, []  # from 10 until 11:30 tomorrow
        elif mode == "except":
            mention.skip += held.dates
        elif mode == "begin" or (
            mode == "from" and (mention.repeats or _has_pattern(mention)) and _opens_rhythm(held)
        ):
            mention.start = held
            mention.to_clock, mention.to_date = held.to_clock, held.to_date
        else:
            mention.dates = held.dates + mention.dates
            mention.clocks = held.clocks + mention.clocks
            mention.to_clock = held.to_clock or mention.to_clock
            mention.to_date = held.to_date or mention.to_date


def _has_pattern(mention: Mention) -> bool:
    return len(mention.dates) == 1 and is_weekly_pattern(mention.dates[0])


def _opens_rhythm(held: Mention) -> bool:
    """From December 1st, every …; but every hour from 9 to 5 on weekdays has no first day."""
    hours_of_days = held.to_clock is not None and any(len(d.weekdays) > 1 for d in held.dates)
    return bool(held.dates) and not hours_of_days


def _also_except(m: Mention, last: Date) -> None:
    """每天8点，明天和后天不用: both; but 每周一三五…，周五不用 keeps the other weekdays."""
    if not last.weekdays and not last.weekend:
        m.skip += [said for said in m.dates if alike(said, last)]
        m.dates = [said for said in m.dates if not alike(said, last)]


def ahead(mentions: list[Mention], pieces: list[Piece]) -> list[Mention]:
    """昨天忘了吃药，八点提醒我: a clause of what is past is no part of what is asked for."""
    first = mentions[0] if len(mentions) > 1 else None
    if first is None or not first.dates or not all(said.is_behind for said in first.dates):
        return mentions
    parted = any(piece.kind == "sep" for piece in pieces[first.behind : mentions[1].first])
    return mentions[1:] if parted and not mentions[1].corrects else mentions


_WEEKLY = Every("week")
_SPANS = frozenset(("from", "begin", "until"))
_LEADING = frozenset(
    words("from until except total last_for for start to about at on the between lunar")
)
_HELD = frozenset(("date", "clock", "clocks", "length", "bad"))
_ENDINGS = {
    "start": Gatherer.begins,
    "until_end": Gatherer.ends,
    "until_rhythm": Gatherer.ends_before_rhythm,
    "except_end": Gatherer.excepts,
}
