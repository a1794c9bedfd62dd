"""What nobody wants to be told of: 每天七点，周日不用; 明天我放假，不用叫我."""

from clarion.language.when.stream import Date, Mention, Piece


def closes_behind(pieces: list[Piece], index: int) -> bool:
    """Whether a 不用 closes what stands before it: 明天不用; but 明天不用上班 does not."""
    if pieces[index].value == "en":
        return False
    ends = index + 1 == len(pieces) or pieces[index + 1].kind in ("sep", "verb")
    return ends or pieces[index].value == "ring"


def is_declined(pieces: list[Piece], only: Mention) -> bool:
    """明天我放假，不用叫我: in a clause of its own, and nobody asks for anything else."""
    index = next((n for n, piece in enumerate(pieces) if piece.value == "ring"), 0)
    alone = index > only.behind and pieces[index - 1].kind == "sep"
    return alone and not any(piece.kind in ("verb", "recall") for piece in pieces)


def except_days(mentions: list[Mention]) -> None:
    """What was said not to be meant is an exception of the rhythm, or nothing."""
    unwanted = [m for m in mentions if m.dismissed or m.negated]
    rhythm = next((m for m in mentions if m.repeats and m not in unwanted), None)
    for m in unwanted:
        hour = any(clock.hour is not None for clock in m.clocks)
        if rhythm is not None and hour and not (rhythm.clocks or m.dismissed) and m.dates:
            rhythm.clocks, hour = m.clocks, False  # every Saturday but not tomorrow at 9
        if rhythm is not None and not m.after and not hour:
            named = AS_DAYS.get(m.every.unit) if m.every and not m.dates else None
            rhythm.skip += [named] if named else m.dates
        if rhythm is not None and m.to_clock is not None:
            rhythm.contradicts = True  # 每隔三小时…，十二点到早上六点不用
        m.negated = True


AS_DAYS = {"weekend": Date(weekend=True), "workday": Date(weekdays=(0, 1, 2, 3, 4))}
