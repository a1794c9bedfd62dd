"""Numbers, units and signs as a Mandarin speaker says them: 2.5mg is 二点五毫克. Pure."""

import re
from collections.abc import Callable

DIGITS = "零一二三四五六七八九"
PLACES = ("", "十", "百", "千")
GROUPS = ("", "万", "亿", "万亿")
NUMBER_DIGITS_MAX = 12  # a longer row is no amount; it is read digit by digit
# What is counted with 两: 两片, 两次; but 二月, 二楼, 二号.
COUNTED = (
    "个片粒颗丸枚支瓶盒袋包杯勺滴次天周年小秒人位只条张把件块口碗斤公千毫升克米厘倍层顿餐剂针喷贴管套双"
    "组遍趟页元桶壶盘串根份头匹点分刻回场节步下站圈罐听排板副道台辆间名种样箱万亿百"
)
NOT_COUNTED = ("百分之", "点之", "周岁", "年级")
UNITS = {
    "mmol/L": "毫摩尔每升",
    "μmol/L": "微摩尔每升",
    "umol/L": "微摩尔每升",
    "mg/dL": "毫克每分升",
    "mg/kg": "毫克每千克",
    "mmHg": "毫米汞柱",
    "kPa": "千帕",
    "km/h": "公里每小时",
    "bpm": "次每分钟",
    "kcal": "千卡",
    "mcg": "微克",
    "μg": "微克",
    "ug": "微克",
    "mg": "毫克",
    "kg": "公斤",
    "ml": "毫升",
    "cc": "毫升",
    "cm": "厘米",
    "mm": "毫米",
    "km": "公里",
    "kWh": "度",
    "IU": "国际单位",
    "min": "分钟",
    "hrs": "小时",
    "hr": "小时",
    "GB": "G B",
    "℃": "摄氏度",
    "°C": "摄氏度",
    "℉": "华氏度",
    "°F": "华氏度",
    "°": "度",
    "g": "克",
    "u": "单位",
    "l": "升",
    "m": "米",
    "h": "小时",
    "s": "秒",
}
# A single letter is a unit only when it is small (5g is an amount, 5G is not); L may be large.
UNIT = "|".join(
    f"(?-i:{unit})" if len(unit) == 1 and unit.isascii() and unit != "l" else re.escape(unit)
    for unit in sorted(UNITS, key=len, reverse=True)
)
_BY_NAME = {unit.lower(): said for unit, said in UNITS.items()}
_NUM = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_MINUS = "[-−－﹣–]"
_RANGE = r"\s*(?:[-−–—~～]|至)\s*"
_AFTER_UNIT = rf"(?:\s*(?P<unit>{UNIT})(?![A-Za-z]))"
_CALL = r"(?:(?<=打)|(?<=拨)|(?<=呼)|(?<=拨打)|(?<=电话)|(?<=热线)|(?<=号码))"

Reading = Callable[[re.Match[str]], str]


def digits(row: str, *, call: bool = False) -> str:
    """Digit by digit; on the telephone one is 幺."""
    said = "".join(DIGITS[int(figure)] for figure in row if figure.isdigit())
    return said.replace("一", "幺") if call else said


def whole(number: str) -> str:
    """An amount: 10 is 十, 205 is 二百零五, 2000 is 两千."""
    number = number.replace(",", "")
    if len(number) > NUMBER_DIGITS_MAX or (number.startswith("0") and len(number) > 1):
        return digits(number)
    if int(number) == 0:
        return "零"
    said, zero = "", False
    size = len(number)
    for at, figure in enumerate(number):
        place = size - at - 1
        if figure != "0":
            said += ("零" if zero and said else "") + DIGITS[int(figure)] + PLACES[place % 4]
            zero = False
        else:
            zero = True
        if place % 4 == 0 and place and int(number[max(0, at - 3) : at + 1]):
            said += GROUPS[place // 4]
            zero = False if figure != "0" else zero
    said = re.sub("^一十", "十", said)
    return re.sub("^二(?=[千万亿])|(?<=[万亿])二(?=千)", "两", said)


def amount(number: str) -> str:
    before, dot, after = number.partition(".")
    return whole(before) + ("点" + digits(after) if dot else "")


def counted(number: str, what: str) -> str:
    """2片 is 两片, 2楼 is 二楼."""
    said = amount(number)
    if said == "二" and what[:1] and what[0] in COUNTED and not what.startswith(NOT_COUNTED):
        return "两"
    return said


def spell_zh(text: str) -> str:
    for pattern, reading in READINGS:
        text = pattern.sub(reading, text)
    return text


def _rest(found: re.Match[str]) -> str:
    return found.string[found.end() :].lstrip()


def _date(found: re.Match[str]) -> str:
    return f"{digits(found[1])}年{whole(str(int(found[2])))}月{whole(str(int(found[3])))}日"


def _clock(hour: str, minute: str, second: str | None = None, part: str | None = None) -> str:
    said = {"a": "上午", "p": "下午"}.get((part or "").strip().lower()[:1], "")
    at = int(hour)
    said += ("两" if at == 2 else whole(str(at))) + "点"
    if int(minute):
        said += ("零" if int(minute) < 10 else "") + whole(str(int(minute))) + "分"
    if second and int(second):
        said += ("零" if int(second) < 10 else "") + whole(str(int(second))) + "秒"
    return said


def _clock_range(found: re.Match[str]) -> str:
    return f"{_clock(found[1], found[2])}到{_clock(found[3], found[4])}"


def _unit(found: re.Match[str]) -> str:
    name = found["unit"]
    return "" if name is None else _BY_NAME[name.lower()]


def _slash(found: re.Match[str]) -> str:
    """Blood pressure, a fraction, or a day of the year."""
    before, after = int(found["a"]), int(found["b"])
    unit = _unit(found)
    if before >= 50 and 30 <= after < before:
        return f"{whole(found['a'])}，{whole(found['b'])}{unit}"
    if after > 12 and before <= 12 and after <= 31 and not unit:
        return f"{whole(str(before))}月{whole(str(after))}日"
    lead = found["whole"]
    piece = found["piece"] or ""
    if (before, after) == (1, 2) and piece:
        return f"{counted(lead, piece)}{piece}半" if lead else f"半{piece}"
    said = f"{whole(found['b'])}分之{whole(found['a'])}{unit}{piece}"
    return f"{amount(lead)}又{said}" if lead else said


def _ranged(found: re.Match[str]) -> str:
    """2-3片 is 两到三片, 10%-20% is 百分之十到百分之二十."""
    unit = _unit(found)
    what = unit or _rest(found)
    if found["percent"]:
        return f"百分之{amount(found['a'])}到百分之{amount(found['b'])}"
    return f"{counted(found['a'], what)}到{counted(found['b'], what)}{unit}"


def _signed(found: re.Match[str]) -> str:
    unit = _unit(found)
    what = unit or _rest(found)
    minus = found["minus"]
    if minus:
        below = "零下" if what.startswith(("摄氏度", "华氏度", "度")) else "负"
        return f"{below}{amount(found['a'])}{unit}"
    return f"{counted(found['a'], what)}{unit}"


def _labelled(found: re.Match[str]) -> str:
    """A4, B12, G1234: letters, then a short number or a row of digits."""
    row = found[2]
    return f"{found[1]}{whole(row) if len(row) <= 2 else digits(row)}"


def _plain(found: re.Match[str]) -> str:
    before = found.string[: found.start()].rstrip()[-1:]
    if before == "第":
        return amount(found[0])
    return counted(found[0], _rest(found))


def _r(pattern: str, reading: Reading | str, flags: int = 0) -> tuple[re.Pattern[str], Reading]:
    said = reading if callable(reading) else (lambda found: found.expand(reading))
    return re.compile(pattern, flags), said


CASE = re.IGNORECASE  # mg and MG alike
READINGS: tuple[tuple[re.Pattern[str], Reading], ...] = (
    _r(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})日?(?!\d)", _date),
    _r(r"(?<!\d)(\d{4})(?=年)(?!年[级薪])", lambda m: digits(m[1])),
    _r(r"(?<!\d)(\d{1,2})[:：](\d{2})" + _RANGE + r"(\d{1,2})[:：](\d{2})(?!\d)", _clock_range),
    _r(
        r"(?<![\d:：])([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])\s*([ap]\.?m\.?)?",
        lambda m: _clock(m[1], m[2], m[3], m[4]),
        CASE,
    ),
    _r(r"(?<!\d)(\d+)[:：](\d+)(?![\d:：])", lambda m: f"{whole(m[1])}比{whole(m[2])}"),
    # Telephones, and whatever else is a row of digits.
    _r(
        r"(?<![\d.])(?:\+\d{1,3}[- ]?)?"
        r"(?:1[3-9]\d[- ]?\d{4}[- ]?\d{4}|0\d{2,3}[- ]\d{7,8}|[48]00[- ]?\d{3,4}[- ]?\d{3,4})"
        r"(?![\d.])",
        lambda m: digits(m[0], call=True),
    ),
    _r(_CALL + r"\s*[:：]?\s*(\d{3,})(?![\d.])", lambda m: digits(m[0], call=True)),
    _r(r"(?<![\d.])(1\d{2}|1\d{4}|9\d{4})(?=热线|急救|报警)", lambda m: digits(m[1], call=True)),
    _r(
        r"(?<![\d.,])(?:100(?:86|10|00)|123(?:45|06|15|20|48)|955\d\d)(?![\d.,]|\s*[元块米克步])",
        lambda m: digits(m[0], call=True),
    ),
    _r(r"(?<![\d.,])\d{7,}(?![\d.,]|\s*[元块米克])", lambda m: digits(m[0])),
    _r(
        r"(?<![\d.A-Za-z])(\d{3,4})(?=\s*(?:室|房|病房|房间|号房|号病房|宿舍|教室|路(?!程)|次列车))",
        lambda m: digits(m[1]),
    ),
    _r(r"((?:栋|幢|座|单元|号楼|楼)\s*)(\d{3,4})(?![\d.])", lambda m: m[1] + digits(m[2])),
    _r(
        r"((?:验证码|密码|邮编|尾号|编号|车牌)\D{0,2})([\dA-Za-z]*\d[\dA-Za-z]*)",
        lambda m: m[1] + " ".join(_letters(m[2])),
    ),
    _r(r"(?<!\d)(\d+(?:\.\d+){2,})(?!\d)", lambda m: "点".join(whole(n) for n in m[1].split("."))),
    # Amounts.
    _r(r"(?<=\d)(\s*[\u3400-\u9fff]{1,2})\s*[-−–—~～]+\s*(?=\d)", r"\1到"),
    _r(rf"[¥￥]\s*({_NUM})", lambda m: f"{counted(m[1], '元')}元"),
    _r(rf"\$\s*({_NUM})", lambda m: f"{counted(m[1], '美')}美元"),
    _r(
        rf"(?<![\d/A-Za-z])(?:(?P<whole>\d+)(?:\s+|又))?(?P<a>\d{{1,3}})\s*/\s*(?P<b>\d{{1,3}})(?![\d/.])"
        rf"{_AFTER_UNIT}?\s*(?P<piece>[片粒颗杯碗勺瓶个袋包支斤升])?",
        _slash,
        CASE,
    ),
    _r(
        rf"(?P<a>{_NUM})[%％]?{_RANGE}(?P<b>{_NUM})(?P<percent>[%％]?){_AFTER_UNIT}?", _ranged, CASE
    ),
    _r(
        rf"(?P<minus>{_MINUS}?)(?<!\d)({_NUM})\s*[%％]",
        lambda m: f"百分之{'负' if m['minus'] else ''}{amount(m[2])}",
    ),
    _r(rf"(?P<minus>{_MINUS}?)(?<!\d)({_NUM})\s*‰", lambda m: f"千分之{amount(m[2])}"),
    _r(r"(?<![A-Za-z])([A-Za-z]{1,3})-?(\d+)(?![\d.%])", _labelled),
    _r(
        rf"(?:(?<![\dA-Za-z])(?P<minus>{_MINUS}))?(?<![\d.])(?P<a>{_NUM}){_AFTER_UNIT}",
        _signed,
        CASE,
    ),
    _r(rf"(?<![\dA-Za-z])(?P<minus>{_MINUS})(?P<a>{_NUM})(?P<unit>(?!))?", _signed),
    _r(_NUM, _plain),
    # Signs between words.
    _r(r"(?<=[\u3400-\u9fff])\s*/\s*(?=[次天日周月小时分公千毫升克片粒瓶盒袋支包杯人])", "每"),
    _r(r"\s*[/|]\s*(?=\S)", "，"),
    _r(r"≥|>=", "大于等于"),
    _r(r"≤|<=", "小于等于"),
    _r(r"±", "正负"),
    _r(r">", "大于"),
    _r(r"<", "小于"),
    _r(r"[×✕]|(?<=[\u3400-\u9fff])\s?[*xX]\s?(?=[零一二两三四五六七八九十])", "乘"),
    _r(r"=", "等于"),
    _r(r"(?<=[\u3400-\u9fff])\s*\+\s*(?=[\u3400-\u9fff])", "加"),
    _r(r"&", "和"),
    _r(r"[%％]", "百分号"),
    _r(r"℃|°C", "摄氏度"),
    _r(r"℉|°F", "华氏度"),
)


def _letters(row: str) -> list[str]:
    return [DIGITS[int(one)] if one.isdigit() else one.upper() for one in row]
