"""The English words of time, with the kinds that Chinese uses where both say the same."""

from typing import Any

from clarion.language.when.stream import Routine
from clarion.language.when.words import ENGLISH, ENGLISH_TENS, ORDINALS
from clarion.language.when.words import words as listed

# A time told by a person's day: before bed, after every meal.
_ROUTINES = {
    "breakfast": ("breakfast", "my breakfast", "eating breakfast"),
    "lunch": ("lunch", "my lunch", "eating lunch"),
    "dinner": ("dinner", "supper", "my dinner", "my supper", "eating dinner"),
    "meal": ("eating", "a meal", "the meal", "i eat", "my meal"),
    "meals": ("meals", "every meal", "each meal", "all meals", "my meals"),
    "waking": ("waking", "waking up", "getting up", "i wake up", "i get up"),
    "sleeping": (
        "bed", "bedtime", "sleep", "sleeping", "i sleep", "i go to bed", "i go to sleep",
        "going to bed", "going to sleep",
    ),
}  # fmt: skip
ROUTINE_WORDS: dict[str, Routine] = {
    f"{led} {word}": Routine(name, side)
    for name, said in _ROUTINES.items()
    for word in said
    for led, side in (("before", -1), ("after", 1))
    if (name, side) != ("sleeping", 1)
} | {
    "when i wake up": Routine("waking", 0),
    "when i get up": Routine("waking", 0),
    "when i go to bed": Routine("sleeping", 0),
    "with every meal": Routine("meals", 0),
    "with each meal": Routine("meals", 0),
    "with meals": Routine("meals", 0),
}
# Behind "at": at dinner, at bedtime.
AT_ENGLISH = {
    "breakfast": Routine("breakfast", 0),
    "lunch": Routine("lunch", 0),
    "dinner": Routine("dinner", 0),
    "dinnertime": Routine("dinner", 0),
    "supper": Routine("dinner", 0),
    "suppertime": Routine("dinner", 0),
    "bedtime": Routine("sleeping", 0),
    "mealtimes": Routine("meals", 0),
}

WORDS: dict[str, tuple[str, Any]] = {}


def _add(kind: str, value: Any, words: str) -> None:
    for word in words.split():
        WORDS[word] = (kind, value)


def _numbers() -> None:
    for word, value in ENGLISH.items():
        WORDS[word] = ("num", value)
        if 0 < value <= 12:
            WORDS[f"{word.rstrip('e')}ish"] = WORDS[f"{word}ish"] = ("ish_hour", value)
    for word, value in ENGLISH_TENS.items():
        WORDS[word] = ("tens", value)
    for word, value in ORDINALS.items():
        WORDS[word] = ("ord", value)
    _add("a", 1, "a an")
    _add("dozen", 12, "dozen")
    _add("dozen", 100, "hundred")
    _add("couple", 2, "couple")
    _add("several", None, "few several some")
    _add("half", None, "half")
    _add("quarter", None, "quarter quarters")


def _names() -> None:
    weekdays = (
        "monday mon",
        "tuesday tue tues",
        "wednesday wed weds",
        "thursday thu thur thurs",
        "friday fri",
        "saturday sat",
        "sunday sun",
    )
    for n, words in enumerate(weekdays):
        _add("weekday", n, words)
        _add("weekday", n, words.split()[0] + "'s")
        _add("weekdays", n, words.split()[0] + "s")
    months = (
        "january jan",
        "february feb",
        "march mar",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sep sept",
        "october oct",
        "november nov",
        "december dec",
    )
    for n, words in enumerate(months, start=1):
        _add("month_name", n, words)
    for month, words in (
        (3, "spring springtime"),
        (6, "summer"),
        (9, "autumn fall"),
        (12, "winter"),
    ):
        _add("season", month, words)
    _add("eve", None, "eve")
    _add("lunar_word", None, "lunar")
    _add("leap_word", None, "leap")
    _add("letters_of_days", (0, 2, 4), "mwf")
    _add("letters_of_days", (1, 3), "tth tuth")
    _add("weekend", None, "weekend")
    _add("weekends", None, "weekends")
    _add("workday", False, "weekday workday weeknight")
    _add("workdays", False, "weekdays workdays weeknights")


def _units() -> None:
    _add("unit", "second", "second seconds sec secs second's")
    _add("unit", "minute", "minute minutes min mins minute's")
    _add("unit", "hour", "hour hours hr hrs hour's")
    _add("unit", "day", "day days day's")
    _add("unit", "week", "week weeks wk wks week's")
    _add("unit", "fortnight", "fortnight fortnights fortnight's")
    _add("unit", "month", "month months month's")
    _add("unit", "quarter", "qtr")
    _add("unit", "year", "year years yr yrs year's")
    _add("letter_unit", "hour", "h")
    _add("letter_unit", "minute", "m")
    _add("letter_unit", "second", "s")
    _add("letter_unit", "day", "d")
    _add("letter_unit", "week", "w")
    WORDS["second"] = ("ord", 2)
    WORDS["seconds"] = ("unit", "second")


def _days() -> None:
    _add("day", (0, None), "today")
    _add(
        "day",
        (1, None),
        "tomorrow tmrw tomorow tommorow tommorrow tmr tmw tomorrrow tomo tomoz tomorro",
    )
    _add("day", (-1, None), "yesterday")
    _add("day", (0, "tonight"), "tonight tonite")
    _add("now", None, "now immediately asap")
    _add("part", "morning", "morning mornings morn")
    _add("part", "noon_time", "lunchtime")
    _add("part", "afternoon", "afternoon afternoons arvo")
    _add("part", "tonight", "evening evenings night nights nighttime")
    _add("part", "dawn", "dawn sunrise")
    _add("part", "dusk", "dusk sunset")
    _add("clock_word", (12, 0), "noon midday noontime noonish")
    _add("clock_word", (0, 0), "midnight")
    _add("meridiem", "am", "am")
    _add("meridiem", "pm", "pm")
    _add("oclock", None, "o'clock oclock sharp")
    _add("edge", ("month", "end"), "eom")
    _add("edge", ("year", "end"), "eoy")
    _add("part", "dusk", "eod cob eob")
    _add("ish", None, "ish")
    _add("lunch", None, "lunch")
    _add("meal", None, "bedtime breakfast dinner dinnertime supper suppertime teatime")
    WORDS["lunchtime"] = ("part", "lunch")


def _links() -> None:
    _add("in", None, "in within")
    _add("at", None, "at @ by around about approximately approx roughly circa")
    _add("on", None, "on")
    _add("the", None, "the")
    _add("of", None, "of")
    _add("rel_word", 1, "next following coming upcoming")
    _add("rel_word", 0, "this current")
    _add("rel_word", -1, "last past previous")
    _add("after", None, "after from past")
    _add("past", None, "past after")
    _add("to_word", None, "to till until til thru through")
    _add("to_hour", None, "to before of til till")
    _add("before", None, "before beforehand prior earlier ahead")
    _add("later", None, "later hence")
    _add("ago", None, "ago")
    _add("every", None, "every each per")
    _add("other", None, "other alternate")
    _add("everyday", 1, "everyday daily nightly")
    _add("every_unit", ("hour", 1), "hourly")
    _add("every_unit", ("week", 1), "weekly")
    _add("every_unit", ("week", 2), "biweekly fortnightly")
    _add("every_unit", ("month", 1), "monthly")
    _add("every_unit", ("quarter", 1), "quarterly")
    _add("every_unit", ("year", 1), "yearly annually annual")
    _add("once", 1, "once")
    _add("once", 2, "twice")
    _add("once", 3, "thrice")
    _add("times", None, "times time occurrences reminders")


def _bounds() -> None:
    _add("start", None, "starting beginning commencing")
    _add("start", "event", "starts begins")
    _add("from", None, "from")
    _add("since", None, "since")
    _add("until", None, "until till til thru through ending")
    _add("to", None, "to")
    _add("between", None, "between")
    _add("for", None, "for")
    _add("except", None, "except excluding skipping skip")
    _add("bar", None, "bar barring but")
    _add("and", None, "and")
    _add("plus", None, "&")
    _add("or", None, "or otherwise")
    _add("end_of", "end", "end")
    _add("end_of", "start", "start")
    _add("end_of", "mid", "mid middle")
    _add("end_of", "early", "early")
    _add("end_of", "late", "late")
    _add("ordinal_last", -1, "final")
    _add("then", None, "then")
    _add("day_word", None, "day")
    _add("vague", None, "later soon sometime someday eventually whenever shortly")
    _add(
        "glue",
        None,
        "exactly sharp precisely like only maybe perhaps possibly again onward onwards",
    )
    _add("correct", None, "actually wait sorry oops rather correction nope")
    _add("not", "en", "not don't needn't")
    _add("no", None, "no")
    WORDS["day"] = ("unit", "day")
    WORDS["past"] = ("past", None)
    WORDS["after"] = ("after", None)
    WORDS["from"] = ("from", None)
    WORDS["later"] = ("later", None)
    WORDS["sharp"] = ("oclock", None)
    WORDS["of"] = ("of", None)


def _asking() -> None:
    _add("ask", None, "remind notify alert ping nudge wake tell message text call buzz poke prompt")
    _add("ask", None, "shout holler ding beep rouse warn nag prod ring phone")
    _add("give", None, "give gimme")
    _add("that", None, "that")
    _add("that_is", None, "that's")
    _add("both", None, "both")
    _add("me", None, "me us myself")
    _add("make", None, "set create make schedule add setup start put")
    _add("alarm", None, "alarm reminder timer alert countdown")
    _add("forget", None, "forget")
    _add("remember", None, "remember")
    _add("let", None, "let")
    WORDS["alert"] = ("ask", None)
    WORDS["start"] = ("end_of", "start")


# Greetings, titles and sayings that hold a word of time.
IDLE = (
    "sunday bloody sunday|ruby tuesday|manic monday|blue monday|good morning vietnam|"
    "friday night lights|saturday night live|saturday night fever|sunday times|september by|"
    "may the fourth be|may the 4th be|midnight express|midnight cowboy|midnight sun|midnight oil|"
    "one day at a time|tomorrow never comes|red sky at night|five o'clock somewhere|may or may not|"
    "built in a day|tgi fridays|tgi friday's|tgi friday|"
    "day in day out|night and day|day and night|day after day|night after night|"
    "dead of night|match of the day|weekend warrior|weekend warriors|"
    "year after year|week in week out|"
    "spur of the moment|once upon a time|back in the day|day to day|"
    "call it a day|rainy day|save the day|"
    "night owl|night night|nighty night|sat nav|"
    "morning person|night person|tomorrow is another day|"
    "night shift|day shift|rush hour|happy hour|happy new year|"
    "merry christmas|happy easter|happy halloween|happy thanksgiving|christmas tree|"
    "christmas card|christmas cards|christmas carol|easter egg|easter eggs|easter bunny|"
    "friday the 13th part|groundhog day with|march madness|march hare|sunday best|"
    "sunday roast|sunday roasts|friday i'm in love|seven eleven|born in may|"
    "five guys|four seasons|three rivers|six flags|seven sisters|seven dials|nine elms|five below|"
    "seven oaks|twelve oaks|nine inch nails|"
    "see you later|see you soon|long time no see|what day is it today|what day is today|"
    "what date is it today|what's the date today|friday prayers|"
    "man friday|girl friday|wednesday addams|"
    "good weekend|nice weekend|great weekend|lovely weekend|long weekend|wonderful weekend|"
    "good week|nice day|good day|great day|lovely day|dusk till dawn|easter island|"
    "halloween costume|halloween costumes|tomorrow never dies|monday morning quarterback|"
    "super tuesday|nightmare before christmas|vampire weekend|"
    "weekend at bernie's|month of sundays|new year new you|dawn of|"
    "casual fridays|casual friday|freaky friday|bloody sunday|good friday agreement|sunday school|"
    "high noon is|hard day's night|thank god it's friday|"
    "christmas jumper|christmas lights|christmas present|"
    "christmas presents|five o'clock shadow|midnight in paris|friday feeling|monday blues|"
    "new year new me|new year's resolution|"
    "new year's resolutions|black friday deals|easter holidays|christmas shopping list"
)
# Books with chapter and verse: Romans 8:28. Some are people's names as often.
BOOKS_OF_PEOPLE = frozenset(
    listed("john luke mark matthew james peter daniel samuel joshua ruth timothy titus amos joel")
)
BOOKS = BOOKS_OF_PEOPLE | frozenset(
    listed(
        "genesis exodus leviticus deuteronomy judges psalm psalms proverbs ecclesiastes isaiah "
        "jeremiah ezekiel hosea micah zechariah malachi romans corinthians galatians ephesians "
        "philippians colossians thessalonians hebrews revelation revelations quran surah verse "
        "verses"
    )
)
READ_IN = frozenset(listed("read verse bible of memorise memorize study recite quote 1 2 3"))
# Feasts by the moon as it is seen: which day it is, nobody knows before.
MOVABLE = (
    "eid al-fitr|eid al fitr|eid ul-fitr|eid ul fitr|eid-ul-fitr|eid al-adha|eid al adha|"
    "eid ul-adha|eid ul adha|bakri eid|bakrid|eid|ramadan|ramzan|muharram|ashura|mawlid|"
    "dussehra|dussera|navratri|navaratri|durga puja|ganesh chaturthi|raksha bandhan|rakhi|"
    "janmashtami|karva chauth|onam|ugadi|baisakhi|vaisakhi|maha shivaratri|mahashivratri|"
    "dhanteras|bhai dooj|chhath|makar sankranti|pongal|vesak"
)
# Words of two that are one.
PAIRS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(
        ("penultimate", "second to last", "second-to-last", "next to last", "last but one"),
        ("ord", -2),
    ),
    "that is": ("that_is", None),
    "which is": ("that_is", None),
    "week-end": ("weekend", None),
    **dict.fromkeys(("half-hourly", "half hourly"), ("every_unit", ("second", 1800))),
    "bi-weekly": ("every_unit", ("week", 2)),
    "semi-annually": ("every_unit", ("month", 6)),
    "semiannually": ("every_unit", ("month", 6)),
    "business day": ("workday", False),
    "working day": ("workday", False),
    "business days": ("workdays", False),
    "working days": ("workdays", False),
    "end of day": ("part", "dusk"),
    "end of the day": ("part", "dusk"),
    "end of today": ("day", (0, "dusk")),
    "end of tomorrow": ("day", (1, "dusk")),
    **{
        f"{edge} of {day}": ("part", "dusk")
        for edge in ("end", "close")
        for day in ("business", "play", "the working day", "the workday", "the work day")
    },
    "o clock": ("oclock", None),
    "top of the hour": ("next_hour", None),
    "on the hour": ("minute_mark", 0),
    "on the half hour": ("minute_mark", 30),
    "on the half-hour": ("minute_mark", 30),
    **{
        f"{side}{joint}{days}": ("parity", int(side == "odd"))
        for side in ("odd", "even")
        for joint in (" ", "-numbered ", " numbered ")
        for days in ("days", "dates", "day", "days of the month", "days of every month")
    },
    "official workday": ("workday", True),
    "official chinese workday": ("workday", True),
    "official day off": ("offday", True),
    "official chinese day off": ("offday", True),
    "day off": ("offday", False),
    **{
        f"{side} {place}": ("event", None)
        for side in ("after", "before")
        for place in ("work", "school")
    },
    **{phrase: ("event", routine) for phrase, routine in ROUTINE_WORDS.items()},
    "now and then": ("vague", None),
    "now and again": ("vague", None),
    "once in a while": ("vague", None),
    "every so often": ("vague", None),
    "from time to time": ("vague", None),
    "some point": ("vague", None),
    **dict.fromkeys(("wee hours", "small hours", "wee small hours"), ("vague", None)),
    **dict.fromkeys(("or so", "or thereabouts"), ("glue", None)),
    **dict.fromkeys(("any time after", "anytime after", "some time after"), ("after", None)),
    "some time": ("vague", None),
    "one of these days": ("vague", None),
    "mid day": ("clock_word", (12, 0)),
    "mid-day": ("clock_word", (12, 0)),
    "mid morning": ("part", "forenoon"),
    "mid-morning": ("part", "forenoon"),
    "mid afternoon": ("part", "afternoon"),
    "mid-afternoon": ("part", "afternoon"),
    "apart from": ("except", None),
    "other than": ("except", None),
    "except for": ("except", None),
    "except on": ("except", None),
    "m-f": ("workdays", False),
    "late tonight": ("day", (0, "late")),
    "early tomorrow": ("day", (1, "early")),
    "early tomorrow morning": ("day", (1, "early")),
    "make it": ("make_it", None),
    **dict.fromkeys(("make that", "let's say", "let's make it"), ("make_it", None)),
    "i mean": ("correct", "instead"),
    "i meant": ("correct", "instead"),
    "scratch that": ("correct", "instead"),
    "strike that": ("correct", "instead"),
    "or rather": ("correct", "instead"),
    **dict.fromkeys(
        ("no wait", "oh no", "ah no", "er no", "wait no", "oops no", "sorry no", "no sorry"),
        ("correct", "instead"),
    ),
    "beginning of": ("end_of", "start"),
    "up to and including": ("until", None),
    "up until": ("until", None),
    "right up to": ("until", None),
    "school days": ("workdays", False),
    "school day": ("workday", False),
    "ides of": ("ord", 15),
    **dict.fromkeys(("no later than", "not later than"), ("at", None)),
    "b4": ("before", None),
    **dict.fromkeys(("that day", "that same day"), ("glue", None)),
    "morning-after": ("gap", None),
    "high noon": ("clock_word", (12, 0)),
    "instead of": ("not", "en"),
    "no need to": ("not", "en"),
    "do not": ("not", "en"),
    "rather than": ("not", "en"),
    "in the new year": ("vague", "day"),
    "night before last": ("day", (-2, "evening")),
    "bank holiday monday": ("vague", "day"),
    "bank holiday weekend": ("vague", "day"),
    "each and every": ("every", None),
    "both days": ("both", None),
    "this past": ("rel_word", -1),
    "same time": ("same_hour", None),
    "right now": ("now", None),
    "from now on": ("gap", None),
    "next to next": ("rel_word", 2),
    **dict.fromkeys(MOVABLE.split("|"), ("vague", "day")),
    "this time": ("same_hour", None),
}
PAIRS |= dict.fromkeys(IDLE.split("|"), ("gap", None))
for _fill in (_numbers, _names, _units, _days, _links, _bounds, _asking):
    _fill()
