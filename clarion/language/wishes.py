"""What the parts of a request come to: a confirmation, a level, a person, a device.

Which words belong to a part is learned; here are the few rules that are sure.
"""

import re

CRITICAL, HIGH, NORMAL, LOW = 100, 50, 10, 0  # the levels of a reminder, as everywhere in Clarion

# Nobody who says one of these may go unheard, whatever else the sentence has.
SURE_CONFIRM = re.compile(
    r"(?<![提叫喊]醒我)(?<![叫喊]我)(?<!别忘了)(?<!记得)"
    r"(?:务必|一定要?|还要?|并且?|也要?)?"
    r"(?:(?:要|需要?|必须|须|得|等|让|直到|带|有)(?:我|你|他|她|本人)?(?:要|再|来|亲自|手动)?"
    r"(?:[点按]一?[下个]?)?"
    r"(?:确认|確認)(?:一下|才行|才算|才停|为止|為止|哦|的|后再停|后才停|完成|收到)?"
    r"|(?:没|未|不)有?(?:确认|確認)就?(?:一直|继续|接着|反复|别|不要)[^，,。;；!！?？]{0,8})"
    r"(?=$|[，,。;；!！\s）)])"
    r"|\b(?:keep \w+ (?:at )?(?:me )?|(?:don't|do not) (?:stop|quit) )?(?:un)?till? i(?:'ve| have)?"
    r" (?:actually |really )?confirm(?:ed)?(?: it)?\b"
    r"|\bconfirmation (?:is )?(?:needed|required)\b"
    r"|\b(?:needs?|requires?|wait for) (?:a |my )?confirmation\b"
    r"|\bi (?:must|need to|have to) confirm(?: it)?(?=\s*(?:$|[,.;!]))"
    r"|(?:make|be) sure i confirm(?: it)?\b",
    re.IGNORECASE,
)
# "Make sure I take my pills" asks for the deed: its words ask, and wish for a confirmation.
SURE_DEED = re.compile(
    r"\b(?:make|be) sure (?:that )?i (?!remember|don't|do not|know|confirm)|\bensure (?:that )?i "
    r"|(?:务必|一定要?)?(?:确保|保证)我(?=.)",
    re.IGNORECASE,
)
SURE_REFUSAL = re.compile(
    r"(?:不用|不需要?|无需|無需|不必|别|不要|免|唔使)(?:我|你|再|点|让我){0,3}(?:確認|确认)(?:了|的)?|"
    r"\b(?:no|without(?: any)?) confirmation(?: (?:needed|required|necessary))?\b|"
    r"\bno need (?:for me )?to confirm\b|\bconfirmation (?:is )?not (?:needed|required)\b|"
    r"\b(?:i |you )?(?:don't|do not|needn't) (?:need to |have to )?confirm\b",
    re.IGNORECASE,
)

_LOW = re.compile(
    r"不|没|沒|唔|小事|随缘|次要|可早可晚|可有可无|无所谓|有空|闲了|低|\bno\b|not\b|low|whenever|"
    r"trivial|minor|small|optional|can wait|nothing|p[34]\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"[误拖虎]不得|不容|不能|can't|not (?:be )?miss|not let", re.IGNORECASE
)  # a no that says how much it matters
_NORMAL = re.compile(
    r"普通|一般|平常|常规|正常|中等|normal|usual|regular|standard|moderate|ordinary|medium",
    re.IGNORECASE,
)
_CRITICAL = re.compile(
    r"急|命|最高|一级|火|最前|天塌|p0|critical|urgent|emergency|top|highest|serious|asap|"
    r"life|sev|whatever it takes|红|priority one|must\b",
    re.IGNORECASE,
)


def level_of(said: str) -> int:
    """How urgent something is, by the words that say that it is (or is not)."""
    if _NORMAL.search(said):
        return NORMAL
    if _LOW.search(said) and not _MUST.search(said):
        return LOW
    if _CRITICAL.search(said):
        return CRITICAL
    return HIGH


_THING = re.compile(
    r"音箱|音响|手机|手表|平板|电视|机器人|设备|喇叭|电脑|電腦|小智|小爱|小度|门铃|屏|中控|闹钟|广播|对讲|座机|收音机|学习机|"
    r"导航|一体机|telegram|电报|微信|邮件|邮箱|短信|飞书|钉钉|speaker|watch|tablet|device|display|\btv\b|"
    r"phone|laptop|computer|email|\bsms\b|slack|panel|monitor|terminal|echo|landline|intercom|dashboard",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:在|喺|到|往)|(?:厅|房|室|屋|楼|厨房|书房|车间|门口|门卫|前台|护士站|护理站)$|^(?:in|at|over|on|from|through)\b|"
    r"^(?:the )?(?:kitchen|upstairs|downstairs|bedroom|living room|garage|shop|reception)$",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:麻烦你?|帮我|替我|请|让|給|给|跟|和|同|用|在|喺|通过|拿|从|到|往|发到|推送到|打给|问|把这条发到|@|"
    r"(?:remind|tell|wake|text|page|buzz|ping|ask|for|have|get|let|put a reminder on|on|via|over|"
    r"through|by|from|to|with)\b|"
    r"(?:the|my)\s(?=\w+ ?(?:speaker|watch|tablet|tv|phone|display))|\s)+|"
    r"(?:上面|上|里面|里|那里|来|给我|说一声|说|讲|講|知|聽|一下|一声|都|发|播放|\bto|:|：|,|，|\s)+$",
    re.IGNORECASE,
)
SELF = frozenset(
    ("me", "us", "myself", "我", "我们", "咱", "咱们", "俺", "我自己", "自己", "both of us")
)


def is_device(said: str) -> bool:
    return _THING.search(said) is not None


def is_place(said: str) -> bool:
    return _PLACE.search(said.strip()) is not None


def name_in(said: str) -> str | None:
    """Who or what is named: 在卧室的音箱上 → 卧室的音箱, "tell Pete" → Pete; None for oneself."""
    named = _AROUND.sub("", said.strip()).strip()
    return None if not named or named.lower() in SELF else named
