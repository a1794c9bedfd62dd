"""Numbers, units and signs as English speakers say them: 2.5mg is "two point five milligrams"."""

import re
from collections.abc import Callable

UNITS = {
    "mmol/L": ("millimole per liter", "millimoles per liter"),
    "mg/dL": ("milligram per deciliter", "milligrams per deciliter"),
    "mg/kg": ("milligram per kilogram", "milligrams per kilogram"),
    "mmHg": ("millimeter of mercury", "millimeters of mercury"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "mph": ("mile per hour", "miles per hour"),
    "bpm": ("beat per minute", "beats per minute"),
    "kcal": ("kilocalorie", "kilocalories"),
    "mcg": ("microgram", "micrograms"),
    "μg": ("microgram", "micrograms"),
    "ug": ("microgram", "micrograms"),
    "mg": ("milligram", "milligrams"),
    "kg": ("kilogram", "kilograms"),
    "ml": ("milliliter", "milliliters"),
    "cc": ("c c", "c c"),
    "cm": ("centimeter", "centimeters"),
    "mm": ("millimeter", "millimeters"),
    "km": ("kilometer", "kilometers"),
    "IU": ("unit", "units"),
    "oz": ("ounce", "ounces"),
    "lbs": ("pound", "pounds"),
    "lb": ("pound", "pounds"),
    "tbsp": ("tablespoon", "tablespoons"),
    "tsp": ("teaspoon", "teaspoons"),
    "h": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "hr": ("hour", "hours"),
    "mins": ("minute", "minutes"),
    "min": ("minute", "minutes"),
    "secs": ("second", "seconds"),
    "sec": ("second", "seconds"),
    "℃": ("degree Celsius", "degrees Celsius"),
    "°C": ("degree Celsius", "degrees Celsius"),
    "℉": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
    "g": ("gram", "grams"),
    "L": ("liter", "liters"),
}
_BY_NAME = {unit.lower(): said for unit, said in UNITS.items()}
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUM = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_MINUS = "[-−－﹣–]"
ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

_WHOLE_THING = re.compile(r"\s+(?:tablet|pill|cup|teaspoon|tablespoon|dose)\b")

Reading = Callable[[re.Match[str]], str]


TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
GROUPS = ("", " thousand", " million", " billion")
NUMBER_DIGITS_MAX = 12  # a longer row is no amount; it is read digit by digit


def whole(number: str) -> str:
    number = number.replace(",", "")
    if len(number) > NUMBER_DIGITS_MAX or (number.startswith("0") and len(number) > 1):
        return digits(number)
    value = int(number)
    said: list[str] = []
    if value == 0:
        return "zero"
    for group in range(3, -1, -1):
        part = value // 1000**group % 1000
        if part:
            joint = "and " if said and group == 0 and part < 100 else ""
            said.append(f"{joint}{_hundreds(part)}{GROUPS[group]}")
    return " ".join(said)


def _hundreds(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    said = [f"{ONES[hundreds]} hundred"] if hundreds else []
    if rest:
        small = ONES[rest] if rest < 10 else TEENS[rest - 10] if rest < 20 else _tens(rest)
        said.append(f"and {small}" if hundreds else small)
    return " ".join(said)


def _tens(value: int) -> str:
    return TENS[value // 10] + (f" {ONES[value % 10]}" if value % 10 else "")


def amount(number: str) -> str:
    before, dot, after = number.partition(".")
    return whole(before) + (f" point {digits(after)}" if dot else "")


def year(number: str) -> str:
    """2026 is "twenty twenty six", 2005 is "two thousand and five"."""
    first, last = int(number[:2]), int(number[2:])
    if last < 10:
        return whole(number)
    return f"{_hundreds(first)} {_hundreds(last)}"


def ordinal(number: int) -> str:
    """Of a day: 3 is "third", 21 is "twenty first"."""
    if number % 10 in (0, *range(4, 10)) or 10 < number < 20:
        plain = TENS[number // 10] if number % 10 == 0 and number > 10 else whole(str(number))
        irregular = {"five": "fif", "eight": "eigh", "nine": "nin", "twelve": "twelf"}
        head, _, last = plain.rpartition(" ")
        last = irregular.get(last, last.removesuffix("y") + "ie" if last.endswith("y") else last)
        return f"{head} {last}th".strip()
    ending = {1: "first", 2: "second", 3: "third"}[number % 10]
    return f"{TENS[number // 10]} {ending}".strip()


def digits(row: str) -> str:
    return " ".join(ONES[int(figure)] for figure in row if figure.isdigit())


def room(row: str) -> str:
    """302 is "three oh two"."""
    return digits(row).replace("zero", "oh")


def spell_en(text: str) -> str:
    for pattern, reading in READINGS:
        text = pattern.sub(reading, text)
    return text


def _unit(found: re.Match[str], last: str) -> str:
    if found["unit"] is None:
        return ""
    one, many = _BY_NAME[found["unit"].lower()]
    return f" {one if last == '1' else many}"


def _clock(found: re.Match[str]) -> str:
    hour, minute, part = int(found[1]), int(found[2]), (found[3] or "").lower()
    said = f"{part[0].upper()} M" if part else "P M" if hour >= 13 and hour < 24 else ""
    if hour in (0, 24):
        hour, said = 12, "A M"
    hour = hour - 12 if hour > 12 else hour
    past = f" oh {minute}" if 0 < minute < 10 else f" {minute}" if minute else ""
    return f"{hour}{past or ('' if said else ' o clock')}{' ' + said if said else ''}"


def _slash(found: re.Match[str]) -> str:
    before, after = int(found["a"]), int(found["b"])
    if before >= 50 and 30 <= after < before:
        return f"{before} over {after}{_unit(found, str(after))}"
    if (before, after) == (24, 7):
        return "24 7"
    if found["unit"] is None and 12 < max(before, after) <= 31 and 0 < min(before, after) <= 12:
        return f"{MONTHS[min(before, after) - 1]} {max(before, after)}"
    lead = f"{found['whole']} and " if found["whole"] else ""
    if after in PARTS and before < after:
        part = "halves" if after == 2 and before > 1 else PARTS[after] + ("s" if before > 1 else "")
        how_many = "a" if before == 1 and (lead or after == 2) else ONES[before]
        return f"{lead}{how_many} {part}" if lead or after != 2 else _one_half(found)
    return f"{lead}{before} over {after}{_unit(found, str(after))}"


def _one_half(found: re.Match[str]) -> str:
    return "half of a" if _WHOLE_THING.match(found.string, found.end()) else "one half"


def _ranged(found: re.Match[str]) -> str:
    percent = " percent" if found["percent"] else ""
    return f"{found['a']} to {found['b']}{percent}{_unit(found, found['b'])}"


def _signed(found: re.Match[str]) -> str:
    minus = "minus " if found["minus"] else ""
    return f"{minus}{found['a']}{_unit(found, found['a'])}"


def _dated(found: re.Match[str]) -> str:
    """3 March 2027 is "the third of March twenty twenty seven"."""
    said = f"the {ordinal(int(found['day']))} of {found['month']}"
    return f"{said} {year(found['year'])}" if found["year"] else said


def _money(coin: str) -> Reading:
    def said(found: re.Match[str]) -> str:
        number, cents = found[1], found[2]
        whole_ = f"{number} {coin}{'' if number == '1' else 's'}"
        if cents is None:
            return whole_
        return f"{whole_} {cents}" if int(cents) >= 10 else f"{whole_} and {int(cents)}"

    return said


def _r(pattern: str, reading: Reading | str, flags: int = 0) -> tuple[re.Pattern[str], Reading]:
    said = reading if callable(reading) else (lambda found: found.expand(reading))
    return re.compile(pattern, flags), said


CASE = re.IGNORECASE  # mg and MG alike
_AFTER_UNIT = rf"(?:\s?(?P<unit>{_UNIT})(?![A-Za-z]))"
READINGS: tuple[tuple[re.Pattern[str], Reading], ...] = (
    _r(
        r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)",
        lambda m: f"{MONTHS[(int(m[2]) - 1) % 12]} {whole(str(int(m[3])))}, {year(m[1])}",
    ),
    _r(
        r"(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?![\d:])\s*([ap])?\.?(?:(?<=[apAP])m\b\.?|(?<=[apAP]\.)m\b\.?)?",
        _clock,
        CASE,
    ),
    _r(r"(?<![\d.])(\d{1,2})\s?([ap])\.?m\b\.?", lambda m: f"{int(m[1])} {m[2].upper()} M", CASE),
    _r(
        r"(?<![\d.])(?:\+?\d{1,3}[- ])?\(?\d{3}\)?[- ]\d{3,4}[- ]\d{4}(?![\d.])",
        lambda m: digits(m[0]),
    ),
    _r(r"(?<![\d.])\d{3}-\d{4}(?![\d.])", lambda m: digits(m[0])),
    _r(r"(?<![\d.,$])\d{7,}(?![\d.,])", lambda m: digits(m[0])),
    _r(
        r"\b((?:room|apartment|apt\.?|flat|suite|ward|unit|gate|code|pin|extension|ext\.?)\s+)(\d{3,})(?![\d.])",
        lambda m: m[1] + room(m[2]),
        CASE,
    ),
    _r(r"\b((?:call|dial|ring|phone)\s+)(\d{3})(?![\d.-])", lambda m: m[1] + digits(m[2]), CASE),
    _r(
        r"(?<![\d.])\d+(?:\.\d+){2,}(?![\d])",
        lambda m: " point ".join(whole(number) for number in m[0].split(".")),
    ),
    _r(
        r"(?<!\d)(?:the\s+)?(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?"
        rf"(?P<month>{'|'.join(MONTHS)})\b(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?",
        _dated,
    ),
    _r(
        rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}),? ((?:19|20)\d\d)\b",
        lambda m: f"{m[1]} {m[2]}, {year(m[3])}",
    ),
    _r(r"\$\s?((?:\d{1,3}(?:,\d{3})+|\d+))(?:\.(\d\d)\b)?", _money("dollar")),
    _r(r"£\s?((?:\d{1,3}(?:,\d{3})+|\d+))(?:\.(\d\d)\b)?", _money("pound")),
    _r(rf"€\s?({_NUM})", lambda m: f"{m[1]} euro{'' if m[1] == '1' else 's'}"),
    _r(
        rf"(?<![\d/A-Za-z])(?:(?P<whole>\d+)(?:\s+|-))?(?P<a>\d{{1,3}})\s*/\s*(?P<b>\d{{1,3}})(?![\d/.]){_AFTER_UNIT}?",
        _slash,
        CASE,
    ),
    _r(
        rf"(?P<a>{_NUM})%?\s?[-−–—~]\s?(?P<b>{_NUM})(?P<percent>%?){_AFTER_UNIT}?",
        _ranged,
        CASE,
    ),
    _r(
        rf"(?P<minus>(?<![\w]){_MINUS})?(?<![\d.])({_NUM})\s?%",
        lambda m: f"{'minus ' if m['minus'] else ''}{m[2]} percent",
    ),
    _r(rf"(?:(?<!\w)(?P<minus>{_MINUS}))?(?<![\d.\w])(?P<a>{_NUM}){_AFTER_UNIT}", _signed, CASE),
    _r(rf"(?<!\w){_MINUS}\s?({_NUM})", r"minus \1"),
    _r(r"\b(\d+)\s?x\s+(?=daily|a |per |every )", r"\1 times ", CASE),
    _r(r"(?<=\w)\s?[x×]\s?(\d+)\b", r" times \1"),
    _r(r"\bno\.\s?(?=\d)", "number ", CASE),
    _r(r"#\s?(?=\d)", "number "),
    _r(r"\s*&\s*", " and "),
    _r(r"(?<=\s)@\s*", "at "),
    _r(r"\s*\+\s*", " plus "),
    _r(r"\s*=\s*", " equals "),
    _r(r"≥|>=", " at least "),
    _r(r"≤|<=", " at most "),
    _r(r">", " over "),
    _r(r"<", " under "),
    _r(r"\bw/o\b", "without", CASE),
    _r(r"\bw/(?=\s|\w)", "with ", CASE),
    _r(r"(?<=[A-Za-z])\s*/\s*(?=day|hour|week|month|min)", " per "),
    _r(r"\s*/\s*(?=\w)", " or "),
    _r(rf"(?<![\w.]){_NUM}(?![\d]*[A-Za-z])", lambda m: amount(m[0])),
)
