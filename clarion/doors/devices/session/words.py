"""The sentences of this door, wake words, and where a sentence may be cut. Pure."""

import re

SENTENCE_END = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s+")
SHORT_SENTENCE = 6  # characters; shorter ones are spoken with what follows
NOISE = re.compile(r"[\s,，.。!！?？~～、]+")
WAKE_WORDS = frozenset(
    [
        *("小智", "你好小智", "小智小智", "小智同学", "嗨小智", "嘿小智", "hi小智", "你好小鑫"),
        *("小爱同学", "你好小明", "小美同学", "小龙小龙", "hilexin", "hiesp", "hijason", "alexa"),
        *("hijarvis", "heyjarvis", "jarvis", "hixiaozhi", "heywilli", "hiclarion", "heyclarion"),
    ]
)
WAKE_REASON = "clarion "
"""Begins the reason with which we wake a device; it comes back as the session's first words."""

SORRY = {
    "zh": "抱歉，我没能记下来，请再说一遍。",
    "en": "Sorry, I could not note that. Please say it again.",
}

CODE = {
    "zh": "这是新设备。请在网页上确认它的代码：{code}。",
    "en": "This device is new. Please confirm its code in the console: {code}.",
}


def is_wake_word(text: str) -> bool:
    bare = NOISE.sub("", text).lower()
    return bare in WAKE_WORDS or text.startswith(WAKE_REASON)


def wake_reason(ring_id: str) -> str:
    return WAKE_REASON + ring_id


def sorry(language: str) -> str:
    return SORRY.get(language, SORRY["en"])


def new_device(language: str, code: str) -> str:
    """Digit by digit, as a code is read out."""
    return CODE.get(language, CODE["en"]).format(code=" ".join(code))


def sentences(text: str) -> list[str]:
    """Cut where a speaker breathes, so that the first sound comes early."""
    found: list[str] = []
    for part in SENTENCE_END.split(text):
        part = part.strip()
        if not part:
            continue
        if found and len(found[-1]) < SHORT_SENTENCE:
            found[-1] += part
        else:
            found.append(part)
    return found or [text]
