"""One wish about time, gathered from pieces that stand together; what does not fit opens another."""

from collections.abc import Callable
from dataclasses import dataclass, field

from clarion.language.when.spec import Clock, Date, Every, Lapse, Piece

LINKS = frozenset(
    "glue and to dash sep from start until until_end except except_end total last_for for about "
    "at on the of each between in lunar holiday_off then".split()
)
JOINING = frozenset(("and", "each"))
THROUGH = frozenset(("to", "dash", "until", "between_and"))
CLAUSE_MARKS = frozenset("，,()、")


@dataclass(slots=True)
class Mention:
    dates: list[Date] = field(default_factory=list)
    also: list[Date] = field(default_factory=list)
    """The same day said again: 明天（11月16日 周一）. All have to agree."""
    clocks: list[Clock] = field(default_factory=list)
    to_date: Date | None = None
    to_clock: Clock | None = None
    after: Lapse | None = None
    before: Lapse | None = None
    lead: Lapse | None = None
    shift: int = 0
    every: Every | None = None
    within: Every | None = None
    """每天8点到22点每两小时: the days whose hours are stepped through."""
    often: tuple[int, str] | None = None
    length: Lapse | None = None
    last_for: Lapse | None = None
    times: int | None = None
    count: int | None = None
    start: "Mention | None" = None
    until: "Mention | None" = None
    skip: list[Date] = field(default_factory=list)
    skip_holidays: bool = False
    lunar: bool = False
    vague: bool = False
    event: bool = False
    now: bool = False
    bad: str | None = None
    negated: bool = False
    corrects: bool = False
    alternative: bool = False
    said_before: tuple[int, int] = (0, 0)
    """Where the 不 or 改成 stood that opened it."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    first: int = 0
    """Index of its first piece, and of the piece behind its last."""
    behind: int = 0

    @property
    def timed(self) -> bool:
        return bool(self.clocks or self.after or self.now)

    @property
    def dated(self) -> bool:
        return bool(self.dates or self.after or self.shift)

    @property
    def repeats(self) -> bool:
        return self.every is not None or self.often is not None

    @property
    def instructs(self) -> bool:
        """Says nothing of when by itself: a lead, a count, an end."""
        said = self.dates or self.clocks or self.after or self.repeats or self.now or self.bad
        return not said and not self.vague and not self.event and self.tells

    @property
    def tells(self) -> bool:
        return bool(
            self.lead or self.before or self.count or self.last_for or self.start
            or self.until or self.skip or self.skip_holidays or self.shift or self.times
        )  # fmt: skip


class Gatherer:
    """Pieces in, mentions out. `_mode` says where the next day or hour belongs."""

    def __init__(self) -> None:
        self.mentions: list[Mention] = []
        self._now: Mention | None = None
        self._mode = ""
        self._held: Mention | None = None
        self._links: list[Piece] = []
        self._marks: dict[str, bool] = {}
        self._mark = (0, 0)

    def read(self, pieces: list[Piece]) -> list[Mention]:
        for index, piece in enumerate(pieces):
            if piece.kind in LINKS and not (piece.kind == "sep" and piece.value not in CLAUSE_MARKS):
                self._link(piece, index)
            elif piece.kind in _ADDERS:
                self._time(piece, index)
            else:
                self._other(piece)
        self._close()
        return self.mentions

    def _other(self, piece: Piece) -> None:
        self._close()
        self._marks = {}
        if piece.kind in ("not", "correct", "or", "no"):
            self._marks = {piece.kind: True}
            self._mark = (piece.start, piece.end)

    def _open(self, index: int) -> Mention:
        if self._now is None:
            self._now = Mention(first=index)
            corrects = self._marks.get("correct") or self._marks.get("no")
            self._now.corrects = bool(corrects and self.mentions)
            self._now.negated = bool(self._marks.get("not") or (corrects and not self.mentions))
            self._now.alternative = bool(self._marks.get("or") and self.mentions)
            if self._now.corrects or self._now.negated:
                self._now.said_before = self._mark
            self._marks = {}
        return self._now

    def _close(self) -> None:
        if self._now is not None:
            self._release()
            if self._now.spans:
                self.mentions.append(self._now)
        self._now, self._mode, self._links = None, "", []

    def _time(self, piece: Piece, index: int) -> None:
        mention = self._open(index)
        if self._mode in ("from", "begin", "until", "except") and piece.kind not in _HELD:
            self._release()
        if not self._add(mention, piece):
            self._close()
            mention = self._open(index)
            self._add(mention, piece)
        self._take(mention, piece, index)

    def _take(self, mention: Mention, piece: Piece, index: int) -> None:
        """Count the piece, and the links that led to it, as read."""
        kept = [link for link in self._links if mention.spans or link.kind in _LEADING]
        mention.spans += [(link.start, link.end) for link in kept]
        mention.spans.append((piece.start, piece.end))
        mention.behind = index + 1
        self._links = []

    def _add(self, mention: Mention, piece: Piece) -> bool:
        target = mention
        if self._mode and piece.kind in _HELD:
            self._held = self._held or Mention()
            target = self._held
        return _ADDERS[piece.kind](target, piece, {link.kind for link in self._links})

    def _link(self, piece: Piece, index: int) -> None:
        kind = piece.kind
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
        if mention.dates or mention.clocks:
            mention.start = Mention(dates=mention.dates, clocks=mention.clocks)
            mention.dates, mention.clocks = [], []
            return True
        return False

    def ends(self, mention: Mention) -> bool:
        if self._mode == "until" and self._held:
            self._release()
            return True
        if mention.to_date is not None or mention.to_clock is not None:
            mention.until = Mention(
                dates=[mention.to_date] if mention.to_date else [],
                clocks=[mention.to_clock] if mention.to_clock else [],
            )
            mention.to_date = mention.to_clock = None
            return True
        return mention.until is not None

    def excepts(self, mention: Mention) -> bool:
        if self._mode == "except" and self._held:
            self._release()
            return True
        if any(link.kind == "holiday_off" for link in self._links):
            mention.skip_holidays = True
            return True
        if mention.dates and mention.repeats:
            mention.skip.append(mention.dates.pop())
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
        elif mode == "except":
            mention.skip += held.dates
        elif mode == "begin" or (mode == "from" and mention.repeats and held.dates):
            mention.start = held
            mention.to_clock, mention.to_date = held.to_clock, held.to_date
        else:
            mention.dates = held.dates + mention.dates
            mention.clocks = held.clocks + mention.clocks
            mention.to_clock = held.to_clock or mention.to_clock
            mention.to_date = held.to_date or mention.to_date


_LEADING = frozenset("from until except total last_for for start to about at on the between lunar".split())
_HELD = frozenset(("date", "clock", "clocks", "length", "bad"))
_ENDINGS = {"start": Gatherer.begins, "until_end": Gatherer.ends, "except_end": Gatherer.excepts}


def _date(m: Mention, piece: Piece, links: set[str]) -> bool:
    date: Date = piece.value
    if "lunar" in links or m.lunar:
        m.lunar = True
    if not m.dates:
        m.dates.append(date)
        return True
    if links & THROUGH:
        m.to_date = date
        return m.every is not None or not m.until
    if links & JOINING or (m.repeats and "sep" in links and _alike(m.dates[-1], date)):
        m.dates.append(date)
        return True
    if _style(date) not in {_style(known) for known in (*m.dates, *m.also)}:
        m.also.append(date)
        if _VAGUER.index(_style(date)) < _VAGUER.index(_style(m.dates[0])) and len(m.dates) == 1:
            m.dates[0], m.also[-1] = m.also[-1], m.dates[0]
        return True
    return False


# Of two names for one day the earlier in this row decides, the other has to agree.
_VAGUER = ("offset", "days", "festival", "nth", "weekdays", "week", "span")


def _style(date: Date) -> str:
    for name in ("offset", "festival", "month", "days", "weekdays", "weekend", "week", "nth"):
        if (value := getattr(date, name)) is not None and value is not False and value != ():
            return "days" if name == "month" else "weekdays" if name == "weekend" else name
    return "span"


def _alike(one: Date, other: Date) -> bool:
    return _style(one) == _style(other)


def _clock(m: Mention, piece: Piece, links: set[str]) -> bool:
    read: Clock = piece.value
    if not m.clocks:
        m.clocks.append(read)
        return True
    last = m.clocks[-1]
    if links & THROUGH or ("and" in links and "between" in links):
        m.to_clock = read
        return True
    if last.hour is None and read.hour is not None and (read.part is None or read.part == last.part):
        m.clocks[-1] = _with_part(read, last.part)
        return True
    if last.hour is not None and read.hour is None and last.part is None and not links & JOINING:
        m.clocks[-1] = _with_part(last, read.part)
        return True
    if links & JOINING or (m.repeats and "sep" in links):
        m.clocks.append(read)
        return True
    return False


def _with_part(read: Clock, part: str | None) -> Clock:
    return Clock(read.hour, read.minute, read.second, part, read.exact, read.grain, read.offset)


def _clocks(m: Mention, piece: Piece, links: set[str]) -> bool:
    m.clocks += piece.value
    return True


def _every(m: Mention, piece: Piece, links: set[str]) -> bool:
    if m.every is not None and piece.value.unit != m.every.unit:
        # 周一到周五每天, 每天每小时: the days of the first, the steps of the second.
        if piece.value.unit in ("second", "clock_hour"):
            m.within = m.every
        elif m.every.unit in ("second", "clock_hour"):
            m.within = piece.value
            return True
        elif piece.value.unit == "day":
            return True
    if "lunar" in links:
        m.lunar = True
    m.every = piece.value
    return True


def _length(m: Mention, piece: Piece, links: set[str]) -> bool:
    if links & {"last_for", "for"}:
        m.last_for = piece.value
    else:
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


def _flag(name: str) -> "Adder":
    def add(m: Mention, piece: Piece, links: set[str]) -> bool:
        setattr(m, name, True)
        return True

    return add



Adder = Callable[[Mention, Piece, set[str]], bool]
_ADDERS: dict[str, Adder] = {
    "date": _date,
    "clock": _clock,
    "clocks": _clocks,
    "after": _set("after"),
    "before": _set("before"),
    "lead": _set("lead"),
    "shift": _set("shift"),
    "often": _set("often"),
    "bad": _set("bad"),
    "every": _every,
    "length": _length,
    "times": _times,
    "vague": _flag("vague"),
    "event": _flag("event"),
    "now": _flag("now"),
}
