"""How people ask to be reminded: the words that part the time from what it is about."""

from clarion.language.when.wordlist import words

KIN = words(
    """
    妈妈 爸爸 老妈 老爸 妈 爸 爷爷 奶奶 姥姥 姥爷 外公 外婆 老公 老婆 媳妇 丈夫 妻子 儿子 女儿
    孩子 孩子们 宝宝 哥哥 姐姐 弟弟 妹妹 哥 姐 大哥 大姐 叔叔 阿姨 舅舅 姑姑 老师 老板 同事 同学
    大家 全家 家人 爸妈 父母 父亲 母亲 先生 太太 他 她 他们 她们 老人 室友 媽媽
    """
)
SELF = words("我 我们 咱 咱们 俺 本人")
ASK_SELF = words("提醒 叫 喊 通知 告诉 催 呼叫 提示 告知 唤醒 叫醒 叫起 喊醒 吼 戳 嘱咐 督促 敲 呼")
ASK_OTHERS = words("提醒 叫 喊 通知 告诉 催 叫醒 嘱咐 督促 告知")


def chinese_verbs() -> dict[str, tuple[str, str | None]]:
    """Each spelling with its kind: `verb` with whom (None: oneself), or `recall` (记得)."""
    words: dict[str, tuple[str, str | None]] = {}
    for ask in ASK_SELF:
        for me in SELF:
            for soft in ("", "一下", "一声", "一下子"):
                words[ask + me + soft] = ("verb", None)
    words.update({"叫醒": ("verb", None), "唤醒": ("verb", None), "提醒": ("verb", None)})
    words.update({"提醒一下": ("verb", None), "提个醒": ("verb", None)})
    words.update({"给我提个醒": ("verb", None), "给个提醒": ("verb", None)})
    for ask in ASK_OTHERS:
        for who in KIN:
            words[ask + who] = ("verb", who)
            words[ask + who + "一下"] = ("verb", who)
            for joint in ("我", "咱"):
                words[ask + joint + who] = ("verb", joint + who)
    for recall in (
        "记得",
        "别忘了",
        "别忘",
        "不要忘了",
        "不要忘记",
        "别忘记",
        "勿忘",
        "记着",
        "务必记得",
        "千万别忘了",
    ):
        words[recall] = ("recall", None)
        words[recall + "提醒我"] = ("verb", None)
    return words
