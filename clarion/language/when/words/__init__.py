"""The words of time in each language; numerals as people write them; lists of words."""

import re


def words(text: str) -> list[str]:
    return text.split()


DIGITS = {
    **{c: n for n, c in enumerate("零一二三四五六七八九")},
    **{c: n for n, c in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    "两": 2,
    "俩": 2,
    "仨": 3,
}
TENS = {"廿": 20, "卅": 30, "卌": 40}
SCALES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
GROUPS = {"万": 10_000, "亿": 100_000_000}

CHINESE = "".join({**DIGITS, **TENS, **SCALES, **GROUPS})
LETTERS_MAX = 20  # a longer run of numerals is nobody's hour, day or year

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_RANKED = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
ENGLISH = {word: value for value, word in enumerate(_COUNTED.split())}
ENGLISH_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
ORDINALS = {word: value for value, word in enumerate(_RANKED.split(), start=1)} | {"thirtieth": 30}


def chinese(text: str) -> int | None:
    """三十五 → 35, 二零二七 → 2027, 廿三 → 23, 一百零五 → 105; None when it is no number."""
    if text in DIGITS:  # most are one figure
        return DIGITS[text]
    if len(text) > LETTERS_MAX:
        return None
    if all(c in DIGITS for c in text):
        return int("".join(str(DIGITS[c]) for c in text))
    total = section = digit = 0
    pending = False
    if text[0] in "零〇":  # 两小时零十分: the zero only joins
        text = text[1:]
    for c in text:
        if c in DIGITS:
            if pending and digit:
                return None
            digit, pending = DIGITS[c], True
        elif c in TENS:
            section, digit, pending = section + TENS[c], 0, False
        elif c in SCALES:
            section += (digit if pending else 1) * SCALES[c]
            digit, pending = 0, False
        else:
            total = (total + section + digit) * GROUPS[c]
            section, digit, pending = 0, 0, False
    return total + section + digit


def fullness(year: int) -> int:
    """A year of two figures is one of this century: 27 is 2027."""
    return 2000 + year if year < 100 else year


# What makes 初三 a class at school, 周一鸣 a person, 3号 a house.
GRADE = tuple(
    words(
        "年级 学生 毕业 开学 班 上学期 下学期 数学 语文 英语 物理 化学 生物 历史 地理 政治 家长 ( "
        "的课 的数学 的语文 的英语 的物理 的作业 的学生"
    )
)
NAMED = re.compile(
    ".(?:[是说写演]|.?(?:[这那]个?人|先生|女士|老师|同学|医生|师傅|经理|教授|主任|主演|导演))"
)
DONE_ON_A_DAY = (
    "去来到要交有开买取拿接送看吃喝玩飞走回办约给把会，我你他她它就才又都也真还不没这那可该"
)
# An event by its name: the hour that follows tells when it is, and may be in the afternoon.
EVENT_NIGHTS = (
    "(?:parents?|open|movie|film|games?|quiz|trivia|bingo|poker|girls|boys|ladies|lads|date|karaoke"
    "|opening|curry|pizza|wine|social|information|info|awards?|fight|curriculum|mic|craft)"
)
STREETS = tuple("路街巷弄院栋座村段里组排园")
# What the number behind it belongs to: room 4, £45, a table for 4, 555-0142, book 2 of 3.
NUMBERED = re.compile(
    r"(?:[$£€¥#]|\b(?:room|gate|bus|flat|platform|line|floor|number|no|page|chapter|unit|apartment"
    r"|apt|table|seat|exit|terminal|lane|ward|bay|studio|court|hall|building|class|grade|level"
    r"|part|season|episode|version|size|channel|route|turns|turning|aged?|track|stand|bed|locker"
    r"|pitch|field|theatre|cinema|screen|suite|year|type|option|item|door|desk|pier|dock|zone"
    r"|tram|train|stage|lesson|module|step|question|section|group|team|room no|block|book|volume"
    r"|(?:table|booking|reservation|room|seats?|tickets|cake|food|enough|places) for"
    r"|rm|\d (?:out )?of)\.?) ?[a-z]?$|\b\d{3}-$"
)
# On which side of a feast its weekend lies, 0 in the same week: Labor Day weekend.
WEEKENDS = dict.fromkeys(
    words("memorial_us labor_us mlk presidents columbus may_bank august_bank easter_monday"), -1
) | dict.fromkeys(words("thanksgiving good_friday black_friday easter mothers fathers"), 0)
