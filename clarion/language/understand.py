"""What somebody means by an utterance, whatever is going on: answer, create, cancel, distress, ...

A learned model chooses among the intents; a few sure rules stand over it where a mistake would
cost most: nobody who calls for help is taken for a chat.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from clarion.language.answer.reader import read as read_answer
from clarion.language.learned import load
from clarion.language.learned.features import utterance_features
from clarion.language.medicine import is_taken
from clarion.language.script import fold
from clarion.language.when.parse import read as read_time

# Which words are about time does not depend on the day, so any day will do.
_SOME_DAY: Final = datetime(2026, 11, 16, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
_SOME_ZONE: Final = ZoneInfo("Asia/Shanghai")

_ALL: Final = re.compile(
    r"全部|所有|全都|全删|统统|一个不留|清空|清光|晒|哂|曬|都(?=取消|删|去|不要|关)|"
    r"\b(?:all|everything|every (?:single )?(?:one|reminder)|the lot|whole lot|each one)\b",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"刚才(?:那个|那条|设的|说的)?|刚刚(?:那个|那条|设的|说的)?|刚设的|上一个|上一条|"
    r"最后一?[个条]|头先嗰个|"
    r"\b(?:the )?last one\b|\bi just (?:set|made|asked)|\bmost recent\b|\bthe last reminder\b",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"下一?[个条](?!月|星期|礼拜|周)|接下来|\b(?:my |the )?next (?:one|reminder|alarm|thing|"
    r"up)\b|what'?s next",
    re.IGNORECASE,
)
_THIS: Final = re.compile(
    r"这个|这条|这|呢个|這個|它|佢|\b(?:this|this one|it|that|that one)\b", re.IGNORECASE
)
# What is said around the thing that is meant, in either language.
_AROUND: Final = re.compile(
    r"麻烦|请|帮我|給我|给我|替我|你|把|将|那个|那條|那条|嗰个|一下|吧|啦|了|呀|啊|嘛|哦|喔|唄|"
    r"呗|提醒|闹钟|鬧鐘|"
    r"取消掉?|删除|删掉?|刪除|刪掉?|去掉|撤掉|关掉|关了|停掉|不用再?|不要再?|别再?|不需要|算|"
    r"叫我|喊我|"
    r"有没有|有什么|有冇|有啥|什么时候|是几点|几点|哪天|查一?查|看一?看|告诉我|念|还有|多少|"
    r"几个|哪些|安排|吗|呢|的|我|"
    r"[，。！？,.!?]|"
    r"\b(?:please|can you|could you|would you|will you|i want to|i'd like to|you can|just|"
    r"go ahead and|hey|ok|okay|"
    r"cancel|delete|remove|drop|scrap|clear|ditch|get rid of|turn off|forget(?: about)?|stop|"
    r"kill|bin|don'?t|"
    r"need|anymore|any more|any longer|reminding me|remind me|reminders?|alarms?|timer|about|to|"
    r"what'?s|what|when'?s|when|do i have|have i got|is|are|there|any|my|me|list|show|"
    r"read(?: out)?|tell|"
    r"on|for|at|the|i|did|does|do|have|got|set|which)\b",
    re.IGNORECASE,
)
_TRIMMED: Final = re.compile(r"^(?:at|on|for|到了?) ?(?=\S)|的(?:时候)?$", re.IGNORECASE)
_NUMBER: Final = (
    r"(?:\d+|[零一二两俩三四五六七八九十半几廿百]+|an?|one|two|three|four|five|six|seven|eight|"
    r"nine|ten|"
    r"fifteen|twenty|thirty|forty|fifty|sixty|half an?|a couple(?: of)?)"
)
_LONG: Final = re.compile(
    rf"(?P<words>(?:过)?{_NUMBER}(?:个|粒)?半?(?:分钟|分鐘|小时|小時|钟头|鐘頭|钟|鐘|刻钟|刻鐘|秒)(?:以后|之后|之後|后)?|"
    rf"(?:in |another )?\b{_NUMBER}[ -](?:more |extra )?"
    r"(?:minutes?|mins?|hours?|hrs?|seconds?|secs?)\b|"
    rf"\banother {_NUMBER}\b)",
    re.IGNORECASE,
)
_EVENT: Final = re.compile(
    r"等(?:我|他|她|会议|这)?(?P<words>[^，,。 ]{1,10}?(?:完|了|好|来|回|到家|停|凉|醒))(?:再|"
    r"了|$|[，,。 ])|"
    r"\b(?P<later>(?:after|when|once|until|till|as soon as) [^,.]+)",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"(?P<words>一小?会儿?|待会儿?|等会儿?|过会儿?|稍后|晚点儿?|晚些|迟点|迟啲|等陣|等阵|等等|"
    r"等一?下|回头|"
    r"\b(?:a bit later|later on|later|in a bit|a sec|a minute|a moment|not (?:right )?now|"
    r"one more \w+|wait|hold on)\b)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?P<what>[^，,。 ]{1,12}(?:那个|那条|那個|那條|嗰个|嗰個|的提醒|的闹钟))|"
    r"\b(?P<the>(?:the|my|that) [\w' ]{2,30}?(?: one| reminder| alarm| timer)?)(?=$|[,.?]|"
    r"\b(?:off|any ?more|please|now|today)\b)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:麻烦|请|帮我|给我|替我|你|把|将|我的?|先|取消|删掉?|删除|去掉|关掉)+"
)
_TURNS: Final = re.compile(
    r"改成|改到|改为|改做|改咗|改|换成|换到|换|挪到|移到|推迟到|推迟|推到|延到|延后到?|提前到|"
    r"提前|调到|调成|拨到|设成|"
    r"往后|往前|\b(?:instead of|to be|to|until|till|for|at|into|by|be)\b(?!.*\b(?:to|until|"
    r"till|into)\b)",
    re.IGNORECASE,
)
_CHANGING: Final = re.compile(
    r"^(?:change|move|shift|push|bump|reschedule|postpone|delay|switch|swap|make|bring|put|set|"
    r"can you|could you|"
    r"please|把|将|给我|帮我|麻烦)\s*",
    re.IGNORECASE,
)
_CORRECTING: Final = re.compile(
    r"^(?:不对不?对?|不是不?是?|错了|唔系|唔係|不不不?|no no|nope|no|not that|wrong|wait|"
    r"actually|sorry|neither|i mean|i meant|"
    r"i said|it'?s|that'?s|make (?:it|that)|我(?:刚才?)?(?:说|讲|話|话)的?个?是?|应该是|"
    r"你听(?:岔|错)了|是|说错了|听错了|"
    r"[，,。.! …]|呃|嗯|哎|啊)\s*",
    re.IGNORECASE,
)
_NOT_BUT: Final = re.compile(
    r"^(?P<new>.+?)[，, ]*(?:不是|唔係|唔系|\bnot\b).*$|^(?:不是|not ).*?(?:[，, ]是|[，, ]|"
    r"\bbut\b)(?P<rather>.+)$",
    re.IGNORECASE,
)
_NOT_THIS: Final = re.compile(
    r"^(?:不对?[，, ]?)?(?:不是|唔係|唔系)[^是]*?[，, ]?(?:是|係|系)(.+)$|"
    r"^(?:no[, ]+)?not [^,]+?(?:,| but| it'?s) (.+)$",
    re.IGNORECASE,
)
_SAID_LAST: Final = re.compile(
    r"[, ]*\bi (?:said|meant)$|[，, ]*(?:你听(?:岔|错)了?|我说(?:快|错)了)$", re.IGNORECASE
)
_RATHER: Final = re.compile(
    r"[, ]*\b(?:instead of|rather than|not) .*$|[, ]*\binstead$|[，, ]?不是.*$", re.IGNORECASE
)
_FILLERS: Final = re.compile(
    r"^(?:嗯+|呃+|额|啊|哦|那就?|就|um+|uh+|well|er+|oh|maybe|say|let'?s say|[，,…\s])+|"
    r"[，,。.!！?？\s吧啦呗啊呀]+$",
    re.IGNORECASE,
)


def detail_of(text: str, intents: tuple[str, ...], scene: str, about: str) -> str:
    """In the speaker's words; for a change `what -> new value`."""
    asked = [intent for intent in intents if intent not in ("answer", "greet", "chat")]
    match asked[-1] if asked else "":
        case "create":
            return time_words(text) or _delay_words(text)
        case "snooze":
            return _delay_words(text)
        case "cancel" | "list" as intent:
            return _meant(text, scene, ask=intent == "list")
        case "change":
            return _change(text, scene)
        case "fill":
            return _FILLERS.sub("", text) or text
        case "correct":
            return _corrected(text)
        case _:
            return ""


def time_words(text: str) -> str:
    """每天早上七点半提醒我吃药 → 每天早上七点半; parts that stand apart are joined by a blank."""
    out = ""
    end = None
    for start, stop in sorted(read_time(text, _SOME_DAY, _SOME_ZONE, setting=False).cuts):
        if end is not None:
            between = text[end:start]
            out += between if not between.strip() else " "
        out += text[start:stop]
        end = stop
    return _TRIMMED.sub("", out.strip())


def _delay_words(text: str) -> str:
    """How long or until when something is put off, also until an event: 等我洗完澡."""
    for pattern in (_LONG, _EVENT):
        found = pattern.search(text)
        if found:
            return next(words for words in found.groups() if words).strip()
    found_time = time_words(text)
    vague = _VAGUE.search(text)
    return found_time or (vague["words"].strip() if vague else "")


def is_vague(text: str) -> bool:
    """Whether it is nothing but 过一会儿, "later": a time that nobody can know."""
    found = _VAGUE.search(text)
    around = f"{text[: found.start()]}{text[found.end() :]}" if found else text
    return not _FILLERS.sub("", around.strip("过等再那就要"))


def _meant(text: str, scene: str, *, ask: bool) -> str:
    for pattern, name in ((_LAST, "last"), (_NEXT, "next")):
        if pattern.search(text):
            return name
    named = _NAMED.search(text)
    if named and not _ALL.search(text):
        return _LEAD.sub("", named["what"] or named["the"]).strip()
    when = time_words(text) if ask else ""
    rest = " ".join(_AROUND.sub(" ", text).split())
    if _ALL.search(text):
        kind = " ".join(_ALL.sub(" ", rest).split())
        return when or kind or "all"
    if _THIS.fullmatch(rest) or (not rest and scene == "ring"):
        return "this"
    return when or rest or ("all" if ask else "this")


def _change(text: str, scene: str) -> str:
    said = _CHANGING.sub("", text.strip())
    turn = None
    for turn in _TURNS.finditer(said):
        if turn.start() > 0:
            break
    if turn is None:
        what, new = "", time_words(text) or said
    else:
        what, new = said[: turn.start()], said[turn.end() :]
    what = _LEAD.sub("", what.strip()).strip(" ，,先也")
    for pattern, name in ((_LAST, "last"), (_NEXT, "next")):
        if pattern.search(what):
            what = name
    if not what or _THIS.fullmatch(what):
        what = "this"
    return f"{what} -> {_RATHER.sub('', new).strip(' ，。,.!了吧啦行')}"


def _corrected(text: str) -> str:
    rest = _SAID_LAST.sub("", text.strip())
    found = _NOT_THIS.match(rest)
    if found:
        return _FILLERS.sub("", next(words for words in found.groups() if words))
    while (shorter := _CORRECTING.sub("", rest)) != rest:
        rest = shorter
    found = _NOT_BUT.match(rest)
    if found:
        rest = found["new"] or found["rather"]
    return _FILLERS.sub("", rest)


_SOMEBODY: Final = (
    r"\b(?:mum|mom|mam|dad|gran|nan|grand(?:ma|pa|mother|father|son|daughter)|husband|wife|son|"
    r"daughter|baby|kid|toddler|little one|brother|sister|[sh]?he|neighbour|mother|father)(?:'s)?"
)
# Said in earnest by nobody who is well; 我昨天摔了一跤 is told, not called.
_CALLS_FOR_HELP: Final = re.compile(
    r"救命|救救我|快来人|来人啊|(?<!昨天)(?<!以前)我?(?:摔|跌|滑)(?:倒|落地|在地上|在了?地)|"
    r"摔得?起不来|(?<!没)摔了?一跤[^没]{0,3}(?:见红|出血|流血)|"
    r"起不来了.*(?:摔|疼|动不了)|动不了了|胸口.{0,4}(?:疼|痛|闷|压)|心口.{0,4}(?:疼|痛)|"
    r"(?:喘|透|抖)(?:不上|不过|唔到|不了)(?:来)?气|唔抖得气|呼吸不了|不能呼吸|呼吸困难|"
    r"叫不醒|推都?不醒|(?:推|喊|拍|摇)[他她它都也]*(?:没有?反应|不应)|煤气味|叫救护车|[打叫](?:120|一二零|幺二零|110|一一零|119)|叫白车|着火了|煤气漏|漏煤气|中风了|心脏病(?:发|"
    r"犯)|不想活了(?!.*哈)|"
    r"\bhelp me\b(?! (?:with|to|set|remember|find|out with))|\bi(?:'ve|"
    r" have)? (?:just )?(?:fell|fallen)\b"
    r"(?! asleep| behind| for| in love| out with| apart)|"
    r"\bchest (?:pain|hurts|is (?:tight|killing))|\bpain in my chest|"
    r"\bmy chest\b.{0,12}\b(?:hurt|pain|tight|crush)|can'?t breathe|cannot breathe|"
    r"can'?t get up\b.*\bfloor|"
    r"\bcan'?t get (?:my|a) breath|\bcall (?:an ambulance|911|999|112|000)\b|\bheart attack\b|"
    r"\bhaving a stroke|"
    r"\bsmell(?:ing)? gas\b|\bwon'?t wake up\b|can'?t wake (?:him|her|them)\b|"
    r"\bhouse is on fire|\bthere'?s a fire\b|\bbleeding (?:badly|a lot|out|heavily)|"
    r"won'?t stop bleeding|"
    r"\bpassed out\b|\bspeech.{0,12}slurred|\bthe whole (?:bottle|strip|pack)\b|"
    r"\b(?:i'm|i am) hurt\b|\bnobody knows where\b|一整[瓶板盒](?:都|全)?[吃吞喝]|"
    r"[吃吞喝]了(?:一整[瓶板盒]|(?:十[几多]|[几两二三四五]十)[片粒颗](?!饼|面包))|我?怕?我?要死了$|说胡话|躺在?地上|"
    r"(?:没|停)了?(?:呼吸|心跳)|呼吸停|心跳(?:没了|停)|[腿手脚臂身][^，。 ]{0,4}没(?:有|了)?知觉|"
    r"[他她]又?要?打我(?!电话|的)|(?:快|给我|帮我)?叫(?:个)?(?:医生|大夫|护士)来?$|"
    r"谁?来?扶我一[下把]|有没有人[啊哪呐]$|[头脑]袋?要炸了(?!似)|"
    r"\bworst headache\b|\bcarbon monoxide\b.*\b(?:alarm|going)|\bbeen knocked (?:down|over)\b|"
    r"\bbeen an accident\b|^地震了|"
    r"(?<!别)(?<!不要)(?:喝|吞|吃)(?:错|了|的是|下去)[^，。]{0,6}(?:消毒水|消毒液|农药|洁厕|漂白|百草枯|老鼠药)|"
    r"\b(?:it's|it is|flames are) up the (?:extractor|curtains?|walls?|chimney)\b|"
    r"^(?:fire|flames)\b[,.! ]+(?!drill|alarm|place|works|truck|stick|pit|away|up|sale|engine)|"
    r"\b(?:caught fire|is alight)\b|"
    r"\b(?:better off (?:without me|if i(?:'m| am| were) (?:gone|dead)))\b|"
    r"\b(?:man|men|lads?|guys?|someone|somebody|stranger)\b.{0,16}\bwith a (?:knife|gun)\b|"
    r"\bsome(?:one|body)(?:'s| is) breaking in|有人(?:拿|持|举)着?[刀枪](?!削|切)|"
    r"(?:小偷|贼|坏人|歹徒)进(?:来|屋|家|门)|"
    r"写(?:好|完)?了?遗书|遗书(?:都|已经)?写|活不下去了|活着没意思|想轻生|寻短见|"
    r"\bend it all\b|\bend my life\b|\bdon'?t want to (?:live|be here) any ?more\b|"
    r"(?:[他她]|有人)(?:一直)?在?(?:踹|撬)(?:我家?的?)?[门锁]|"
    r"\bi(?:'ve| have) (?:just )?come a cropper\b|"
    r"\b(?:kill|hurt)(?:ing)? myself\b|\bwant to die\b|\btook too many\b|\boverdose|"
    # Who else it is: what rings would hide them.
    rf"{_SOMEBODY} (?:fell|slipped|tripped|collapsed|fainted|has fallen|has collapsed|had a fall)\b"
    r"(?! asleep| behind| for| in love| out| apart)|"
    r"^\W*(?:i|went|got up|tried)\b.{0,24}\band (?:fell|slipped|tripped)(?: over| down)?\W*$|"
    rf"{_SOMEBODY} (?:just |has |have )?(?:swallowed|ate|eaten|drank|got into)\b.{{0,12}}"
    r"\b(?:pills?|tablets?|meds|medicine|bleach|batter(?:y|ies)|one of (?:my|them)|detergent)\b|"
    r"\b(?:little one|toddler|baby|(?:grand)?(?:son|daughter)|kid) swallowed\b|"
    r"\b(?:some(?:one|body)|stranger|burglar|intruder|man)(?:'s| is)? in (?:the|my|our) "
    r"(?:house|home|flat|kitchen|garden|bedroom|room|hall)\b|"
    r"\b(?:isn't|is not|aren't|not) waking up\b|\bturned blue\b|\bpains? down my (?:left )?arm|"
    r"\bsend (?:some(?:one|body)|help)\b|^\W*(?:he+l+p+|hlep)\W*$|"
    r"(?:有|进|来)了?(?:小偷|贼)|不认识的人.{0,4}(?:赖|闯|在我?家|进)|[他她妈爸爷奶公婆伴人]没气了$|触电了|^\W*来人(?:啊|呀)?\W*$|"
    r"(?:的时候|刚才?)摔了一?跤|(?:摔|跌|滚)下(?:楼|床)|"
    r"(?:[妈爸爷奶公婆他她我]|孩子|宝宝|老伴)[^，。]{0,6}(?:摔|跌|滚)下来|"
    r"(?:孙[子女]|宝宝|小宝|孩子|娃|小孩)[^，。]{0,8}(?:吞|咽|误食|误服|喝了洗)|咬得?[^，。]{0,4}血|"
    # The end that somebody plans, in the words that a ring may get.
    r"解脱了|一了百了|了断|活够了|早点?走了干净|去找(?:我)?老[伴头公婆]了|绳子[^，。]{0,4}准备好|"
    r"睡过去(?:不醒|就好|算了)|(?:家里|所有)[^，。]{0,6}全吃了|一[瓶盒板]全吃|攒了?(?:一大把|着呢)[^，。]*(?:吃|够)|"
    r"\bending it (?:all|tonight)\b|\bsleep for good\b|\bgoodbye all\b|"
    r"\bevery last one (?:in the house|i had|so)\b|"
    r"\b(?:won't|will not) be (?:around|here) after (?:tonight|today|this)|\bsaved them all up\b|"
    r"\b(?:take|took) the whole (?:lot|bottle|box|packet|month)\b|"
    r"\btake the lot tonight\b|\bwhole month's worth\b|"
    # Too much of it, and how that feels.
    r"天旋地转|出虚汗|抽搐|抽风|\b(?:having|had) a (?:fit|seizure)\b|\bjerking all over\b|"
    r"\bshaking and sweating\b|\bsweaty and (?:trembling|shaking)\b|\broom'?s spinning\b|"
    r"\bswallowed\b.{0,30}\bbatter(?:y|ies)\b|"
    r"\b(?:boiling|scalding|hot) (?:water|oil|tea|soup)\b"
    r".{0,20}\b(?:over|on) (?:the|her|him|my|me)\b|"
    r"\blying (?:in|on) (?:his|her|the) (?:hall(?:way)?|floor|stairs|street|garden|bathroom)\b"
)
# 电影叫《救命》 tells the title of a film.
_TITLE: Final = re.compile(r"《[^》]*》")
# Whoever orders a taxi or a meal calls nobody for help; 叫车去医院 may.
_ORDERS: Final = re.compile(
    r"(?:叫|打|约|订|点)(?:一?[个辆份台部]|点)?(?:出租车?|的士?|网约车|滴滴|快车|专车|顺风车|外卖|快递|奶茶|咖啡|"
    r"车(?!祸))(?!.*(?:医院|急诊|急救|救))|"
    r"\b(?:call|order|get|book)(?: me| us)? (?:a |an )?(?:taxi|cab|uber|ride|pizza|takeaway)\b"
    r"(?!.*\b(?:hospital|doctor|emergency|er|clinic)\b)",
    re.IGNORECASE,
)
# Twice, or too much of it, is asked about: it is no plain yes.
_TOO_MUCH: Final = re.compile(
    r"[吃打喝]了(?:两|三)(?:遍|次)|又[吃打喝]了一(?:遍|次)|"
    r"(?:早上|刚才)[吃打]了?一?次[，, ]*(?:刚才|又|现在)|"
    r"[打吃]成了?[^，。]{1,8}(?:单位|个|片|颗)|本来该[打吃]|"
    r"\b(?:did it|had (?:them|it)|(?:took|taken) (?:them|it))(?: now)? twice\b|"
    r"\btwice (?:now|by mistake)\b|"
    r"\bdiall?ed \w+ instead\b|\bdouble dose\b"
)
_MYSELF: Final = re.compile(r"我(?![妈爸爷奶哥姐弟妹家孙儿女])|\bi(?:'m|'ve)?\b")
_NOT_NOW: Final = re.compile(
    r"梦见|做梦|上个?月|去年|前年|那年|以前|年前|"
    r"\b(?:dream(?:t|ed)?|years? ago|last (?:year|month)|in (?:19|20)\d\d)\b"
)
# What is heard, played, dreamt or long past is asked about before anybody is told.
_ELSEWHERE: Final = re.compile(
    r"电视|收音机|广播|电影|电视剧|游戏|小说|书里|梦见|做梦|鹦鹉|演习|上个?月|去年|前年|那年|以前|年前|"
    r"演个|舞台|台上|拳击|国足|球赛|比赛|回合|"
    r"\b(?:chapter|eastenders|casualty|corrie|on stage|my queen|checkmate|telly|tv|"
    r"television|radio|film|movie|parrot|video game|dream(?:t|ed)?|drill|"
    r"years? ago|"
    r"last (?:year|month|week)|in (?:19|20)\d\d|watching)\b"
)
# A request that names an illness, a lecture or a clinic asks for no help.
_IS_ARRANGED: Final = re.compile(
    r"\b(?:chest pain|stroke|heart attack|falls?) "
    r"(?:clinic|appointment|check-?up|group|support|course|"
    r"class|awareness)\b|\boverdose (?:awareness|course|group|class)\b|讲座|门诊|复诊"
)
# Figures of speech.
_FIGURE: Final = re.compile(
    r"\b(?:nearly|almost|gave|giving) (?:\w+ ){0,3}heart attack\b|\bbleeding money\b|血压都?上来了"
)
# Broken crockery, an arrear, a quarrel.
_NO_FALL: Final = re.compile(
    r"^(?!.*(?:[血伤疼痛脸脚腿压我他她]|手(?!机))).*"
    r"(?:碗|杯子?|盘子?|碟子?|花瓶|锅盖?|相框|手机|电动车|灯|瓶子?|书|盒子?).{0,8}(?:摔|掉|砸|碎|倒|没电)|"
    r"\b(?:vase|lamp|cup|plate|glass|mug|bowl|picture|frame|shelf)\b.{0,12}"
    r"\b(?:fell|fallen|smashed|broke|dropped)\b(?!.*\b(?:blood|bleed|hurt|cut|head|foot))|"
    r"摔了?(?:碎|坏)?了?(?:一?[个只块部台张])?(?:杯|碗|瓶|盘|碟|手机|电话|东西|门|锅|花)|"
    r"(?:碗|杯子|盘子|瓶子)摔|摔东西|"
    r"摔(?:杯|碗)了|\bfell (?:behind|out with|apart|asleep|in love)\b"
)
# 提醒我别摔倒了 warns of a fall, and nobody fell.
_ONLY_WARNED_OF: Final = re.compile(
    r"(?:别|不要|小心|注意|当心|防止|以免|免得|没有?)[^，。,.]{0,2}(?:摔|跌|滑)(?:倒|落地|在地上|在了?地)"
)
_ASKS_TO_BE_TOLD: Final = re.compile(r"提醒(?:我|一下)|叫我|(?:一直|接着|继续)叫|\bremind me\b")
_ASKED: Final = 0.3  # as sure as that we are of what may have been heard on television
_ARRANGED: Final = 0.005  # of distress in a sentence that sets a time for what sounds like it
_SURE: Final = 0.5  # of distress in a sentence that asks to be reminded
_LIKELY: Final = 0.036  # of distress: a question too many costs less than a fall nobody heard of


@dataclass(frozen=True, slots=True)
class Situation:
    """What is going on when something is said."""

    ringing: str | None = None
    """The content of what rings or waits for an answer."""
    asked: str | None = None
    """Clarion's own last question."""
    said: str | None = None
    """The last thing that Clarion said."""

    def scene(self) -> tuple[str, str]:
        """A question of ours comes first, then what rings, then what we said last."""
        if self.asked is not None:
            return "asked", self.asked
        if self.ringing is not None:
            return "ring", self.ringing
        return ("after", self.said) if self.said is not None else ("idle", "")


@dataclass(frozen=True, slots=True)
class Meaning:
    intents: tuple[str, ...]
    """In the order in which they were said."""
    detail: str
    """What it refers to, the new value, the time words: in the speaker's words, "" if none."""
    confidence: float


def understand(text: str, situation: Situation) -> Meaning:
    scene, about = situation.scene()
    text = _TITLE.sub("《》", text[:300]) if "《" in text else text[:300]
    folded = fold(text)
    if not any(character.isalnum() for character in folded):
        return Meaning(("aside",), "", 1.0)
    said = _FIGURE.sub("", _ONLY_WARNED_OF.sub("", folded))
    told = _CALLS_FOR_HELP.search(said) is not None
    elsewhere = _is_elsewhere(folded)
    if told and not _is_arranged(folded, text):
        return Meaning(("distress",), "", _ASKED if elsewhere else 1.0)
    if is_too_much(text, situation):
        return Meaning(("distress",), "", _ASKED)
    chances = load("intents").chances(utterance_features(text, scene, about))
    if _ORDERS.search(folded) and not _ASKS_TO_BE_TOLD.search(folded):
        wrong = (
            {"distress"}
            if scene in ("asked", "ring") or time_words(text)
            else {"distress", "create"}
        )
        chances = {name: chance for name, chance in chances.items() if name not in wrong}
    elif chances["distress"] >= _enough_for_help(folded, told):
        most = _ASKED if elsewhere or told else 1.0
        return Meaning(("distress",), "", min(chances["distress"], most))
    else:
        chances = {name: chance for name, chance in chances.items() if name != "distress"}
    chosen = max(chances, key=lambda name: chances[name])
    intents = tuple(chosen.split("+"))
    return Meaning(intents, detail_of(text, intents, scene, about), chances[chosen])


def _is_elsewhere(folded: str) -> bool:
    """Not "the telly fell on me, I can't breathe": who speaks of themselves is here and now."""
    if _ELSEWHERE.search(folded) is None:
        return False
    return _MYSELF.search(folded) is None or _NOT_NOW.search(folded) is not None


def is_too_much(text: str, situation: Situation) -> bool:
    """吃了两遍, "I've had them twice": whoever takes too much is asked how they are."""
    medicine = situation.ringing is None or is_taken(situation.ringing)
    return medicine and _TOO_MUCH.search(fold(text)) is not None


def _enough_for_help(folded: str, told: bool) -> float:
    if told:
        return _ARRANGED
    if _NO_FALL.search(folded) or _FIGURE.search(folded):
        return 1.0
    return _SURE if _ASKS_TO_BE_TOLD.search(folded) else _LIKELY


def _is_arranged(folded: str, text: str) -> bool:
    """三点提醒我问医生胸口疼的事: who names a time for it needs no help now."""
    asks = re.search(r"提醒我|\bremind me\b", folded)
    return _IS_ARRANGED.search(folded) is not None or (asks is not None and bool(time_words(text)))


def situation_of(context: str) -> Situation:
    """From how the corpora write it: idle, ring:吃药, asked:几点？, after:好的，明天八点."""
    scene, _, about = context.partition(":")
    match scene:
        case "ring":
            return Situation(ringing=about)
        case "asked":
            return Situation(asked=about)
        case "after":
            return Situation(said=about)
        case _:
            return Situation()


def understand_line(line: str) -> str:
    """`{"context", "utterance"}` to `{"intent", "detail", …}`, for many at once.

    Raises ValueError for a line that is not such an object.
    """
    asked = json.loads(line)
    if not isinstance(asked, dict):
        raise ValueError("each line is an object with context and utterance")  # noqa: TRY004 - one kind of error for a bad line
    context, utterance = asked.get("context", "idle"), asked.get("utterance")
    if not isinstance(context, str) or not isinstance(utterance, str):
        raise ValueError("context and utterance are texts")  # noqa: TRY004 - as above
    return json.dumps(as_fields(utterance, situation_of(context)), ensure_ascii=False)


def as_fields(text: str, situation: Situation) -> Mapping[str, Any]:
    """`label` and `kind`: what it says to what rings; None when it is no answer to anything."""
    meaning = understand(text, situation)
    answers = situation.ringing is not None and "answer" in meaning.intents
    answer = read_answer(text, situation.ringing or "") if answers else None
    return {
        "intent": "+".join(meaning.intents),
        "detail": meaning.detail,
        "confidence": round(meaning.confidence, 3),
        "label": answer.label.value if answer else None,
        "kind": answer.kind if answer else None,
    }
