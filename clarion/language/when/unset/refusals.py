"""Words that set nothing because they are about what is set, or turn something down."""

import re

_KEPT_ZH = "(?:闹[钟铃]|提醒|倒?计时)"
_ASK_ZH = "(?:叫|喊|提醒|通知|催|吵)"
_OFF_ZH = "(?:关|删|停|撤|取消|去)(?:了|掉|除|闭|吧|一下)*"
_TIME_ZH = r"(?=[每今明后早晚中下上周星礼凌半这大零一二两三四五六七八九十\d])"
_REMINDERS = r"(?:alarm|reminder|timer|alert)s?"
_ASK_EN = "wake|remind|call|ping|nudge|alert|buzz|text"
# More than one thing is said: what is wanted instead has to be heard.
_ALONE = rf"(?!.*\b(?:until|till|before|and|but|then|instead|set|make|create|{_ASK_EN})\b)"
# Words about a reminder that is there: one clause, so that nothing new is asked for beside it.
_COMMANDS_ZH = re.compile(
    "(?:请|帮我|麻烦|给我)*(?:"
    f"把[^，,。;；]{{1,20}}{_KEPT_ZH}都?(?:给我)?{_OFF_ZH}"
    "|(?:取消|删除|删[掉了]|关[掉闭了]|停[掉了]|撤[销掉])(?![^，,]*[设定]一?个)"
    f"[^，,。;；]{{1,20}}的?{_KEPT_ZH}吧?"
    f"|(?:以后|今后)?(?:别|不要|不用|甭)再?{_TIME_ZH}(?![^，,]*忘)"
    f"(?:(?!{_ASK_ZH})[^，,。;；了]){{1,16}}{_ASK_ZH}醒?(?:我了?|了)[吧啊]?"
    ")[。!！]*"
)
_COMMANDS_EN = re.compile(
    "(?:please |can you |could you )?(?:"
    "(?:cancel|delete|remove|dismiss|clear|scrap|(?:turn|switch|shut) off)"
    r"(?!.*\b(?:and|then|set|make|create|from)\b)"
    rf" [^,;]{{0,40}}\b{_REMINDERS}(?: (?:for|on|at|tomorrow|tonight|today)[^,;]{{0,30}})?"
    "|(?:(?:stop|quit) (?:waking|reminding|calling|pinging|nudging|alerting|buzzing|texting)"
    f"|(?:don't|do not|never)(?: ever)? (?:{_ASK_EN})"
    rf"|(?:you|there's|there is) (?:don't|do not|needn't|no)(?: (?:need|have) to)? (?:{_ASK_EN})"
    rf") (?:me|us){_ALONE}[^,;]*"
    "|(?:forget|never ?mind|ignore|skip|drop)(?: about)?"
    rf"(?!.*\b(?:and|then|set|make|create|to|instead)\b) [^,;]{{0,40}}\b{_REMINDERS}"
    "(?: (?:for|on|at|tomorrow|tonight|today)[^,;]{0,30})?"
    "|i (?:don't|do not|no longer) (?:need|want)"
    rf"(?: to be (?:woken|reminded|called|disturbed)\b| [^,;]{{0,20}}\b{_REMINDERS}\b)"
    rf"{_ALONE}[^,;]*"
    ")[.!]*"
)


def speaks_of_what_is_set(text: str) -> bool:
    """把八点的闹钟关了, 别再每天早上叫我了, cancel the 8 am alarm."""
    opens = text[:1]
    if text[-1:] in _CLOSES_ZH and _CANCELLED_ZH.search(text):
        return True
    if opens.isascii():
        return opens in _OPENS_EN and _COMMANDS_EN.fullmatch(text) is not None
    return opens in _OPENS_ZH and _COMMANDS_ZH.fullmatch(text) is not None


_CLOSES_ZH = frozenset("消掉了吧除闭")
_CANCELLED_ZH = re.compile(  # 今晚的提醒取消
    "^[^，,。;；]{1,20}(?:的提醒|闹[钟铃])(?:先|都|给我)*(?:取消|删[了掉除]|关[了掉闭]|停[了掉]|不[要用]|不需要|算)[了吧]*$"
)
_OPENS_ZH = frozenset("请帮麻给把取删关停撤以今别不甭")
_OPENS_EN = frozenset("pcdrtsqnyfi")
