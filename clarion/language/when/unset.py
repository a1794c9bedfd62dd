"""Times that set nothing: only named (Friday's child), told of, or words about what is set."""

import re

from clarion.language.when.stream import Date, Mention, Piece
from clarion.language.when.words import words


def is_only_named(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """Whether the time, in a sentence in which nobody asks, only tells which thing is meant."""
    if wish.clocks and wish.clocks[0].hour is not None:
        end = pieces[wish.behind - 1].end
        return not wish.dates and _NAMED_BY_HOUR.match(text, end) is not None
    if wish.after is not None and not wish.dates:
        return _ARRIVING.fullmatch(text) is not None
    if wish.after or wish.event or wish.vague or wish.bad:
        return False
    if wish.spans and _is_said_of_it(wish, pieces, text):
        return True
    if wish.clocks or wish.tells:
        return False
    if wish.spans and _is_of_history(wish, pieces, text):
        return True
    opens = not wish.first or pieces[wish.first - 1].kind == "sep"
    if not opens or not wish.spans:  # behind other words it tells when they are done
        return False
    if wish.every is not None:
        return not wish.dates and _is_measure(wish, pieces, text)
    if len(wish.dates) != 1 or wish.often or wish.to_date or wish.also:
        return False
    start, end = wish.spans[0][0], pieces[wish.behind - 1].end
    return _names_a_thing(wish.dates[0], text[start:end], text[end:])


_NAMED_BY_HOUR = re.compile(  # 十点半电台
    "(?:电台|乐队)(?:$|[。！!]|的|[很真太挺最又要终居竟出发是])"
    "|(?:剧场|书屋|书店|酒吧|咖啡馆?|餐吧|便利店|工作室)(?:的|[很真太挺最]|装修|终于|居然)"
)


def _is_of_history(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """We visited the 9/11 memorial."""
    end = pieces[wish.behind - 1].end
    if text[min(wish.spans)[0] : end].removeprefix("the ") not in _DAYS_OF_HISTORY:
        return False
    return text[end + 1 :].split(" ")[0].rstrip(".,!?") in _REMEMBERED


def _is_said_of_it(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """Asked about a day, a farewell, how things stand on it; the Thursday club."""
    start, end = min(wish.spans)[0], pieces[wish.behind - 1].end
    if text[end:]:
        weekday = len(wish.dates) == 1 and wish.dates[0].weekdays and not wish.clocks
        the = text.startswith("the ", start) or text[:start].endswith("the ")
        if weekday and text[:start] == "a " and _THING.match(text, end):
            return True  # a Sunday driver cut me up
        if weekday and the and _THING.match(text, end):
            return not wish.repeats and pieces[min(wish.behind, len(pieces) - 1)].kind == "gap"
        if start < 3 and _STANDS.fullmatch(text, end):
            return True
        if " " not in text[:start] and _PREDICATED.match(text, end):
            return True
    weekday = bool(wish.dates) and bool(wish.dates[0].weekdays) and not wish.clocks
    if weekday and not text[end:] and text.endswith("的", 0, start):
        return True  # 暴风雨的周五
    dated = bool(wish.dates) and bool(wish.dates[0].days) and not wish.clocks
    if dated and text.startswith("天气", end):  # 三月三日天气新
        return True
    if start and text[0].isascii() and _FAREWELL.match(text):
        return True
    clause = clause_of(wish, text)
    if clause[:1].isascii() and _QUESTION_EN.match(clause):
        return True
    asked = not clause.isascii() and _QUESTION_ZH.match(clause) is not None
    return asked or ("还是" in clause and _EITHER_OF.search(clause) is not None)


_THING = re.compile(r" (?!(?:one|ones|after|before|and|or)\b)[a-z]")  # the Thursday club
# 明天见; 上午没事, 我明天生日: nothing that anybody has to be told.
_STANDS = re.compile(
    "(?:再?见|没有?[事空课会]|有[空事]|不?在家|生日|[闭休]馆|公休|店休|休[市息]|歇业|限号|放假|[单双调]休"
    "|愉快|快乐|安康|快点?[来到]"
    "|不(?:营业|开门|上班|上课|限号))[啊呢了吧哦啦呀]?[。!！~]*"
)
_FAREWELL = re.compile(
    "(?:(?:ok|okay|well|bye|right|great|thanks)[, ]+)*"
    "(?:(?:nice|good|lovely|great) to )?"
    "(?:(?:see|catch|meet|talk to|speak to|chat to) (?:you|ya|u|everyone|them all)\\b"
    "|enjoy (?:your|the rest of) |happy |weather |forecast |how to "
    "|(?:speak|chat) (?:again )?(?:tomorrow|tonight|later|[a-z]+day)[!. ]*$)"
)
# Groundhog Day is a film; Tuesday Weld was an actress: it tells what carries the name.
_PREDICATED = re.compile(
    r"(?: [a-z]+)? (?:was|were)\b(?! (?:moved|changed|pushed|put|set|booked|re?scheduled))"
    r"| (?:can't|cannot|couldn't) come| never\b"
    r"|(?: [a-z]+)? (?:is|are) (?:for |an? (?!week|month|day|fortnight|year)"
    r"|(?:(?:so|very|really|always|just) )?(?:fun|great|good|bad|boring|cool|nice|lovely|awesome"
    r"|terrible|overrated|tiring|rough|awful|horrible|amazing|perfect|real|packed|stressful|exhausting|insane"
    r"|beautiful|wonderful|fantastic|brutal|miserable|gorgeous|over|promised|busy|hectic|quiet|long|short|slow|hard|mad|chaos|crazy)\b)"
)

# Who says it, and nothing to be done: I'll be back in 10 minutes, 我半小时后到.
_ARRIVING = re.compile(
    "(?:(?:i|we|he|she|they)(?:'ll| will|'m|'re|'s) )?(?:(?:be|get) )?(?:right )?"
    "(?:back|home|there|with you|over|down|done)(?: by)? in [^,.;]*[.!]?"
    "|[我他她]们?(?:大[概约]|差不多|应该|可能)?[^，,。;；]{2,10}"
    "(?:就|才|能|再)?(?:到家?|回[来家去]|过[来去]|下[来去]|上来)[了啦吧]?[。!！]?"
    "|(?:how|what|why|who|where|gone|over) .*"
    "|[^，,。]{0,12}[内后](?:可|即可|能|会)?(?:发货|到账|送达|退款|发出|生效|答复|处理|派送|开奖|失效|过期)"
    "[^，,。]*"
)


def is_told(wish: Mention, text: str) -> bool:
    """Whether a time behind us is part of a story: 昨天八点我忘了吃药, I bought it last March."""
    if wish.before or any(said.is_behind for said in wish.dates):
        return True
    return _TOLD_OF.search(text) is not None


_TOLD_OF = re.compile(
    r"\b(?:i|we|he|she|they|it|you|who)(?: (?:just|already|only))? "
    r"(?:was|were|had|did|got|went|came|ate|saw|took|left|bought|made|woke|slept|forgot|met|said)\b"
    "|了[。!！]?$|[^，,]过了?[。!！]?$"
)

# 冬至吃饺子还是汤圆; but 三点还是四点 offers two hours.
_EITHER_OF = re.compile(
    "[^\\d点半号日天周期上下晚早][^\\d点半，,]?还是[^\\d点半号日天周期早上下中晚明后，,。]{1,6}[?？呢]*$"
)

# What is asked about a day: 明天有什么安排, "what's on Saturday"; 可以明天收吗 asks for something.
_QUESTION_EN = re.compile(
    "(?:(?:how|what)(?:'s| (?!about))|(?:why|who|where)(?:'s| )"
    "|when(?:'s| (?:is|am|are|do|does|did|was|will) )|(?:should|shall) (?:i|we) "
    "|(?:is|are|am|was|were|did|does|has|will) (?:i|it|there|he|she|we|they|you|anything|my|the) "
    "|(?:do|have) (?:i|we|they|you) )"
)
_QUESTION_ZH = re.compile(
    "(?!.*(?:问[一下问我他她它]|查[一下看询问]|催)).*(?:(?<!没说)几点|(?<!没)什么(?![都的也])|谁|哪(?!怕)|多少|(?:几[个天次号度人]|[期拜周初]几)|怎么(?!也)|干嘛|啥(?![都的也])|是否)"
    "|(?!.*(?:能|可以|行|好|成|设|改|帮|记得|问我)).*(?:吗|没有?)[?？]?$"
)


def _is_measure(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """每天八杯水, 每周工作四十小时: how much, and no deed that could be forgotten."""
    behind = text[pieces[wish.behind - 1].end :]
    return _AMOUNT.fullmatch(behind) is not None


_FIGURES = r"[零一二两三四五六七八九十百千万半\d]{1,6}(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"{_FIGURES}(?:杯|碗|顿|餐|步|克|斤|升|毫升|公里|千米|卡|大卡|块|元|页|瓶|个|包|支|根)"
    r"[\u3400-\u9fff]{0,4}[。!！]?"
    rf"|(?:都|要|只|得|平均|大[概约]|至少)*(?:工作|上班|上课|营业|睡眠?|睡觉|通勤|加班|休息|开放|供暖)"
    rf"(?:时间|时长)?(?:是|为)?{_FIGURES}(?:个?(?:半)?小时|个?钟头?|分钟|天)[。!！]?"
)


def _names_a_thing(said: Date, name: str, behind: str) -> bool:
    if not behind:
        return False
    lone = said._replace(english=False, lunar=None)
    festival = lone == Date(festival=said.festival)
    weekday = len(said.weekdays) == 1 and lone == Date(weekdays=said.weekdays)
    if behind[0] == " ":
        return _names_in_english(name, behind[1:], festival=festival, weekday=weekday)
    if _ASKED_ABOUT.search(behind) and (festival or weekday or said.offset is not None):
        return True
    if (festival or weekday) and _OF_A_THING.fullmatch(behind):
        return True
    return festival and _CLAUSE_OF_A_THING.fullmatch(behind) is not None


_CLAUSE = r"[^，,。;；!！?？的\s]"
_ASKED_ABOUT = re.compile(
    rf"^的?{_CLAUSE}{{0,8}}(?:怎么[写说读念拼样]|如何|热不热|冷不冷|几度|什么意思|是什么|有什么|吃什么|为什么|的英[文语])"
    rf"{_CLAUSE}{{0,4}}[?？]?$"
)
# 星期一的英文; 周五的后一天 and 周三的上午 have been read as times before.
_OF_A_THING = re.compile(rf"的{_CLAUSE}{{1,12}}[。?？]?")
_TOLD = (
    "习俗|风俗|传统|来历|由来|起源|故事|传说|意思|含义|意义|诗句?|古诗|歌曲?|图片|照片|祝福语?|文案"
    "|做法|菜谱|食谱|东西"
)
# 中秋晚会, 国庆旅游攻略; but 国庆做攻略 is a deed.
_MADE_OF_IT = (
    "[^，,。;；!！?？的给发写买做看订去要 ]{0,4}"
    "(?:晚会|攻略|大促|阅兵|文案|祝福语?|战报|海报|手抄报|黑板报|绘画|作文|诗词|档期)"
)
# 端午吃粽子的习俗, 双十一买的(东西); 中秋买新的手机 is a deed.
_CLAUSE_OF_A_THING = re.compile(
    rf"{_CLAUSE}{{1,8}}的(?:{_TOLD})[。?？]?|{_MADE_OF_IT}"
    rf"|{_CLAUSE}(?<![去回要给])了?的{_CLAUSE}{{0,8}}[。?？]?"
)


def _names_in_english(name: str, behind: str, *, festival: bool, weekday: bool) -> bool:
    """Friday's child, thanksgiving turkey recipe, 9/11 memorial."""
    things = behind.rstrip(".?!").split(" ")
    if weekday and name.endswith("'s"):
        return things[0] not in _SAID_OF_IT
    if len(things) > THINGS_MAX or not all(thing.isalpha() for thing in things):
        return False
    if name in _DAYS_OF_HISTORY:
        return things[0] in _REMEMBERED
    return (festival or weekday) and things[-1] in _KNOWN


THINGS_MAX = 4
_SAID_OF_IT = frozenset(  # Saturday's my cleaning day: it is
    words("a an the my our your his her their when where not good fine best better ok okay great")
)
_DAYS_OF_HISTORY = frozenset(words("9/11 7/7 26/11"))
_REMEMBERED = frozenset(
    words(
        "memorial museum attack attacks bombing bombings commission victims hijackers conspiracy "
        "documentary survivors anniversary"
    )
)
_KNOWN = frozenset(
    words(
        "recipe recipes lyrics song songs joke jokes quote quotes meaning history tradition "
        "traditions origin origins trivia facts wallpaper wallpapers meme memes poem poems "
        "ideas etymology folklore clipart font fonts carol carols pudding tree trees decorations "
        "job jobs music stockings sweater sweaters movies films sale sales deals costume costumes "
        "leftovers makeup candy eggs bunny spirit lights card cards jumper jumpers club agreement"
    )
)


def clause_of(wish: Mention, text: str) -> str:
    start = wish.spans[0][0]
    opens = max([text.rfind(mark, 0, start) for mark in "，,。;!]"]) + 1 if start else 0
    closes = _MARK.search(text, max(end for _, end in wish.spans))
    return text[opens : closes.end() if closes else None].strip()


_MARK = re.compile(r"[，,。;!?\[]")


def is_story(wish: Mention, text: str, *, asked: bool) -> bool:
    """Whether the time belongs to what is told: with a word that asks, only to a childhood."""
    english = text.isascii()
    if asked:
        return not english and _CHILDHOOD.match(text) is not None
    if not wish.spans or wish.vague or wish.event or _is_ahead(wish):
        return False
    told = (_LONG_AGO_EN if english else _LONG_AGO_ZH).search(text) is not None
    if told or _is_name(wish, text) or (not english and _has_come(wish, text)):
        return True
    if not (wish.timed or wish.repeats) and _SAID_OF_A_DAY.match(text):
        return True
    clause = clause_of(wish, text)
    if _is_done(wish, clause) or (english and _is_of_what_was(wish, text)):
        return True
    if wish.clocks and _ASKED.match(clause):
        return True
    if not wish.dates and _USUAL.search(clause):
        return True
    rhythm_alone = wish.repeats and not wish.clocks
    if rhythm_alone and (_HABIT_EN if english else _HABIT_ZH).match(clause):
        return True
    if english and (wish.repeats or not wish.dates) and _USUAL_EN.match(clause):
        return True
    return (_STATED_EN if english else _STATED_ZH).match(clause) is not None


def _is_done(wish: Mention, clause: str) -> bool:
    if _is_coarse(wish) and (_STATED_OF_SOMEBODY.match(clause) or _DONE_ZH.fullmatch(clause)):
        return True
    return bool(wish.timed or wish.repeats or wish.dates) and _DONE.match(clause) is not None


def _is_of_what_was(wish: Mention, text: str) -> bool:
    """The 6 am run nearly killed me, that 5 pm meeting could have been an email."""
    start, end = min(wish.spans)[0], max([end for _, end in wish.spans])
    led = start < WORD_MAX and text.startswith(_OF_WHOM)
    return led and _WAS.match(text, end) is not None


WORD_MAX = 6  # "that "
_OF_WHOM = ("the ", "that ", "this ", "my ", "our ", "last ")
_WAS = re.compile(
    r"(?: [a-z']+){1,2} (?:was|were|nearly|almost|(?:could|would|should|must) have"
    r"|took|made|left)\b(?! (?:moved|changed|pushed|put|set|booked|re?scheduled|postponed|shifted"
    r"|bumped|switched))"
)
_DONE_ZH = re.compile("(?!.*[把该要得别请快])[^，,。]*[了过][。!！]?")


def _is_coarse(wish: Mention) -> bool:
    """In May, next month: no day to be told on."""
    if len(wish.dates) != 1 or wish.clocks or wish.repeats:
        return False
    said = wish.dates[0]
    no_day = not (said.days or said.weekdays or said.festival or said.nth or said.edge)
    span = said.month or said.month_offset is not None or said.year or said.year_offset is not None
    return no_day and said.offset is None and bool(span)


# My brother turns 40 next month, the doctor moved to Boston in May.
_STATED_OF_SOMEBODY = re.compile(
    r"(?:.*\b(?:he|she|they)|it|everyone|(?:the|my|our|his|her|their|this|that) [a-z]+)"
    r" (?:[a-z]+(?:s|ed)|is|was|are|were|will|has|had|won't|might|may|became|went|came|grew|got"
    r"|split|broke|left|met|quit|sold|lost|won)\b"
)


def _is_ahead(wish: Mention) -> bool:
    """Tomorrow, next week: nobody tells of what was done then."""
    return any((said.offset or 0) > 0 or (said.week or 0) > 0 for said in wish.dates)


def _has_come(wish: Mention, text: str) -> bool:
    """月底了, 都八点多了; but 会四点了 tells of another hour, and 改到三点了 moves what is set."""
    start, end = min(wish.spans)[0], max([end for _, end in wish.spans])
    opens = not start or text[start - 1] in "，,。都到经就快才"
    return opens and _COME.match(text, end) is not None and not _MOVED.search(text, 0, end)


# 小时候每天早上六点爷爷就叫我起床: somebody asked, but long ago.
_CHILDHOOD = re.compile(
    "(?:我|我们)?(?:小时候|小的时候|那年|那时候?|从前|年轻的?时候?|以前|当年(?![底末]))"
    "(?!.*(?:提醒|请|帮我|记得|闹[钟铃]|现在|今[天晚]|明天|后天|再叫|还是))"
)
_LONG_AGO_ZH = re.compile(
    "小时候|小的时候|(?:^|[我们他她])以前(?!.*(?:提醒|叫))|(?<!刚)刚过去的|上[回次]是|那年|那时候|年轻的?时候|刚才(?![那说讲的])|当年(?![底末度])|那会儿.*(?:[^忘不到]了|过|没|的$)"
    "|那[天晚](?:.*(?:[^忘不到]了|[过着](?![去来]))|是周)|的时候.{0,4}还[在没].*呢|的时候我[^，,。]{0,2}[在正]|好像.*[了过]"
)
_LONG_AGO_EN = re.compile(
    r"\b(?:when|while) (?:i|we|he|she|they|my \w+) (?:was|were) "
    r"(?:a|an|little|young|small|younger|kids|children|in|at|\w+teen|\d+)\b"
    r"|(?<!get )(?<!be )(?<!am )(?<!getting )\bused to\b"
    r"|\bback in (?:(?:19|20)\d\d|the day)\b|^back (?:then|when)\b"
    r"|^back in [a-z]+$|\b(?:he|she|they) (?:was|were) born\b|\bin those days\b"
    r"|^open (?:from )?(?:\d|daily\b|every\b|until\b|till\b|late\b)"
    r"|^closed (?:on|at|every|from|until)\b"
    "|^(?:the|my) (?:label|leaflet|sign|packet|recipe|instructions?) (?:on [a-z ]+ )?says?\\b"
)
_COME = re.compile("多?了(?![一吗么就还]|[，,]?[叫喊提])")
_MOVED = re.compile("[改挪推换调移提延是]")
# I took my pills at 8, 我五点就醒了: what was done; "I was thinking 5pm" still asks.
_DEEDS = (  # pay estimated tax, lock shed: what is to be done
    "pay|check|file|send|get|take|make|buy|bring|order|print|clean|lock|wash|open|close|collect"
    "|finish|review|cook|use|find|read|return|sign|submit|do|fix|grab|post|mail|hand|pick|start"
)
_DONE = re.compile(
    rf"(?!.*\b(?:put|book|set|add|move)\b|(?:{_DEEDS}) )"
    r"(?:i|we|he|she|they|it|you|everyone|nobody|[a-z]+"
    r"|(?:(?:half|all) )?(?:the|my|our|his|her|this|that|last)(?: [a-z'-]+){1,3})"
    r"(?: (?:just|already|only|all|both|never|nearly))? "
    r"(?:(?:was|were|wasn't|weren't)(?! (?:thinking|hoping|wondering|going|meant|supposed|planning"
    r"|told|moved|changed|pushed|booked|rescheduled|scheduled|set|put|postponed|asked|born))"
    r"|ate|woke|slept|went|came|forgot|met|saw|took|drank|drove|ran|left|began|rang|lost|won|grew"
    r"|got (?:engaged|married|divorced|home|back|lost|stuck|soaked|robbed|fired|hired)"
    r"|fell|broke|said|sold|cost|flew|hit|struck|beat|held|gave|told|kept|became|brought|built|caught"
    r"|fought|found|heard|led|paid|rose|sang|shot|spoke|spent|stole|stood|swept|taught|threw|wore"
    r"|wrote|drew|dropped|shut|cut"
    r"|(?!(?:mov(?!ed (?:here|house|in|out|away))|chang|push|re?schedul|schedul|postpon|book|delay"
    r"|shift|ask|want|plan|agre|invit|confirm|promis|decid|ne|fe|spe|proce|succe|mention|arrang"
    r"|hop|us|offer|suggest|reserv)[a-z]?ed\b)[a-z]{2,}ed"
    r"|had(?! (?:to|better|a (?:call|meeting) (?:moved|scheduled)))|didn't)\b"
    "|[^，,。]{0,8}(?:多[就才](?:醒|睡着|起床|起来)|[点半][就才](?:睡着|起来))[了的]$"
    "|[我他她]们?[^，,。]{1,8}(?:[就才](?:醒|睡着|起床|吃)|已经[^，,。]{1,6})[了的]$"
    "|[^，,。\\d]{1,6}[^，,。]{1,5}[点半分][就才](?:响|亮|黑|到|走|来|关|开|结束|卖完|下班|放学)了$"
    "|[^，,。]{0,6}[点半]醒了[^，,。]+"
    "|[我他她]们?[^，,。]{2,10}过[^，,。]{0,4}了$|[^，,。]{2,10}有人[^，,。]{1,3}过[^，,。]{0,3}$"
)
# What somebody wants to know: did I miss anything at 3?
_ASKED = re.compile(
    ".*(?:在哪儿?|为什么.*|怎么了|干嘛|干什么|是谁)[呢呀啊]?[?？]?$|"
    "(?:did(?! you hear)|was|were|why|who) "
    "|(?:what|how)(?:'s| (?:did|was|were|happened|happens|time)) "
    "|has (?:he|she|it|the|my) |have (?:i|we|they) "
)
_USUAL = re.compile(
    r"(?:一般|通常|平时|往常|经常|向来|一向|总是|老是)[^，,。 ]{0,3}"
    r"(?:早上|晚上|上午|下午|中午|凌晨|[零一二两三四五六七八九十\d]+点|\d)"
)
# The library closes at nine; she finishes work at six: what others do, and what is always so.
_WHOSE = (
    "(?:the|this|that|his|her|their|its|our|your|my|most|all|half|no|[a-z]+'s"
    "|an?(?! (?:hour|minute|day|week|month)))"
)
_OFTEN = r"(?:(?:usually|always|often|never|only|still|just|all|normally|mostly|really|also) )?"
_DONE_BY_OTHERS = (
    r"(?:gets?|works?|wakes?|sleeps?|eats?|goe?s?|finish(?:es)?|ends|runs?|delivers?|lives?"
    r"|says?|thinks?|reckons?|knows?|plays?|barks?|mows?|sets|rises|sells?|takes?|lasts?|calls?"
    r"|rings?|lands?|serves?|shows?|teach(?:es)?|stud(?:y|ies)|walks?|jogs?|snores?|prays?|cooks?|bakes?"
    r"|closes?|shuts?|opens?|reopens|stops?|bloom|blooms|meets?|feeds?|drives?|updates?)"
)
_THERE = "(?:(?:on|in|at|of|by) the [a-z]+ )?"  # the shop on the corner
_USUAL_EN = re.compile(  # but "the plumber comes on Friday at 9" is on that day
    r"(?:and |but |so |because )?(?:"
    rf"{_WHOSE} (?:[a-z'-]+ ){{1,3}}?{_THERE}{_OFTEN}{_DONE_BY_OTHERS} "
    r"(?!me\b|to me\b|reminders?\b)"
    rf"|(?:he|she|they|it|everyone|everybody|nobody|people) {_OFTEN}"
    rf"(?:{_DONE_BY_OTHERS}|starts?|begins?|leaves?|arrives?)\b"
    r"|(?:the )?(?:doors?|gates?) (?:opens?|closes?)\b)"
)
_STATED_EN = re.compile(
    r"(?:and |but |so |because )?(?:"
    r"(?:he|she|they|it|everyone|everybody|nobody|people) (?:usually|always|often|never)\b"
    r"|nobody [a-z]+s\b"
    rf"|{_WHOSE} (?:[a-z'-]+ ){{1,3}}?(?:is|are) (?:only |always |never )?"
    r"(?:open|closed|shut|free|full|empty|busy|quiet|late|early)\b"
    r"|(?:the|my|our) (?:last|first) (?:bus|train|tram|ferry|metro|tube|boat|flight)\b"
    r"|(?:the|our|an?) (?:[a-z]+ ){1,3}starts at .{1,20} and (?:ends|finishes|closes)\b"
    r"|(?:i|we) (?:(?:really|just|still|also|all|absolutely) )?"
    r"(?:love|like|hate|dread|can't (?:stand|wait for)|enjoy|prefer|agreed|adore|miss|usually"
    r"|always|often|never|normally)\b"
    r"|i'm (?:usually|always|often|never|normally)\b"
    r"|(?:his|her|my|[a-z]+'s) birthday is\b"
    r"|(?:will|does|can|could|would|is|are) (?:it|there|he|she|they|the [a-z]+|my [a-z]+)\b"
    r"|[a-z0-9:' ]+ (?:came and went|has come and gone|has passed)\b"
    r"|we (?:open|close|shut|reopen)\b"
    r"|it(?:'s| is) (?:already|now|only|nearly|almost|half|a? ?quarter|\d|(?:one|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
    r"|(?:our|their|its|opening|business|office|store|visiting) hours (?:are|is)\b"
    r"|[a-z]+ (?:is|are) (?:served|offered|available)\b"
    r"|.*\b(?:born (?:on a|in the)|usually|normally|typically|mostly|rarely|apparently"
    r"|unfortunately|surprisingly|no wonder|turns out|they say|i heard"
    r"|these days|nowadays|most (?:days|mornings|nights|evenings|weeks|weekends)"
    r"|in (?:winter|summer|spring|autumn|those years))\b)"
)
_PLACES = "(?:店|馆|厅|局|所|银行|场|院|学校|单位|公司|超市|食堂|车|剧|节目|小区|公园|景区|衙门)"
_OPENED = (
    "(?:[开关闭]门|打烊|营业|停业|[开闭]馆|[开闭]园|收摊|停运|停电|开饭|开放|更新|首发|发车|上班"
    "|下班|放学|换班|还?开着|不(?:办|开|上|营|接|收))"
)
_VERY = (  # but 传真给海关, 晒太阳, 做好晚饭 are deeds
    "[很挺]|(?<!传)真|(?<!晒)太(?![太极空])|最(?![后近新])"
    "|(?<![备做弄煮洗烘整理收约办买写带放装拿换修说定订吃穿准盖关看听学养照保和])好(?!友)"
)
_STATED_ZH = re.compile(
    f"(?:[这那]|我们|咱们?|楼下|附近|门口)?[^，,。]{{0,6}}{_PLACES}.{{1,10}}(?:{_OPENED}|[上下]课)"
    f"|(?![^，,。]*(?:[接送陪等去]|打卡))[^，,。\\d]{{2,12}}.{{1,10}}[才就]?{_OPENED}[的呢吧啊了]?$"
    "|.{0,6}(?:[末头首]班[车船地机]|[末首]班)|.{0,4}(?:考试|营业|开放|办公|门诊|作息|供暖)时间"
    "|[他她它]们?.*(?:每[天周月年]|天天|[就才]|总|还没|到凌晨|到半夜)|[他她它]们?说[他她它]"
    "|我家[^，,。要得该]*(?:每[天周晚早]|天天|总)[^，,。要得该药针]*$"
    "|(?:最|好|真|很|超)?(?:讨厌|喜欢|痛恨|盼着|期待|怀念)"
    "|(?:健身房|店|图书馆|超市|酒吧|食堂|公园)开到|[我他她]?(?:错过|没赶上)了?|[看听追读刷补]了"
    "|[^，,。]{1,4}和[^，,。]{1,4}都?是(?!.*[点号])"
    "|.*(?:[同环]比|[沪深恒道纳]指|收盘|开盘价|通胀|[降升]到|[降升]至|没人|刚[过满](?!去)|[涨跌](?:了|到|至|超|近|逾|停|[\\d百])|营收|本报讯"
    "|新华社|获悉|记者|历时|[堵累困烦气热冷忙疼挤](?:得要)?[死疯坏惨]了|要了?我的?命|真没|没必要"
    "|[到至]现在|到如今|明明|竟然|居然|果然|幸好|幸亏|可惜|难怪|怪不得|没想到|据说|刚过去的.{1,3}[去了]|怎么又|又没"
    "|没(?:听见|赶上|看见|睡着|醒|响|收到|接到)|结果没|[输赢]了|天[就才]?[亮黑])"
    "|(?:[现]在|都|已经?|快|马上|这都)+[^，,。]{1,6}[点半分刻]了[啊呀吧哦]?$"
    "|.*(?:[坐赶来买吃睡等看]不[上着到及]了|了一[架场顿次觉]|才[够行]$)"
    "|[^，,。]{0,8}(?:营业|开放|供应|供餐)(?:时间)?[到至早晚上下中零一二两三四五六七八九十\\d]"
    "|[我你他她它]们?(?:还是|真的|[很最真超不也可])*(?:喜欢|讨厌|爱|害怕|觉得|感觉|受不了|怀念|舍不得)"
    "|.*(?:总是|老是|经常|常常|往往|动不动|一般[不都会要在]|通常)|.*不(?:太|怎么)?(?:好|错|行|舒服|高兴|开心|顺利?|爽)[了啊呢]*$"
    "|[^，,。]{2,5}[买花抢吃喝玩逛收送][了过](?:一|好|很|不少|两|三|几)"
    "|.*[卖抢用吃花喝发售订][完光]了[。!！]?$|.*是(?:一?[个种])?(?:习俗|传统|风俗|规矩)[。!！]?$"
    "|.*(?:认识|结婚|毕业|[生到走来买起])的[。!！呀啊]?$|.*(?:下的班|起的床|睡的觉)"
    f"|.*(?:{_VERY}|特别|比较|有点|超级)(?![想要会吗吧后近])"
    r"[^，,。！!\d点半分]{1,3}[啊呀呢了]?[。!！]?$"
    "|.*(?:对(?:身体|健康|皮肤|眼睛|胃|孩子)[^，,。]{0,4}[好坏]|伤(?:身|胃|眼|肝)|有(?:好处|坏处|害|益))"
)
# I have class every Wednesday, 我每周三都有课: how it is, without an hour for anybody to be told.
_HABIT_EN = re.compile(
    r"(?:i|we|you|he|she|they|it|there|my [a-z]+)(?:'ve| have|'s| has| is| are| get| calls?"
    r"| (?:close|open|shut|meet|work|train|play|swim|run|jog|eat|cook|shop|go))\b"
    r"|(?:[a-z]+ ){1,3}(?:comes?|runs?|goe?s?) every\b"
    r"|on [a-z]+days? (?:i|we|he|she|they|people|everyone) "
    r"(?!need|have|must|should|want|ought|will|can|also need|are|am)[a-z]+"
    r"|(?:i|we|he|she|they) (?!need|have|must|should|want|ought|will|can)(?:[a-z]+ ){1,4}"
    r"every single\b"
)
_HABIT_ZH = re.compile(
    rf"[我你他她]们?每[天周月年晚][^，,。]{{1,4}}{_FIGURES}(?:步|杯|公里|个?小时|页|字|组|顿|次)|"
    "(?:我们|咱们?|[他她]们?|[^，,。]{1,4}[会校厂部局院社队])每[^，,。要得该记]*$|"
    "[我你他她]们?[^，,。]*都(?:有|是|在|会|去|很)|[^，,。]*对[^，,。]{1,6}(?:好|坏|有益)$"
    "|.*(?:才[够行好]|更新)$"
)
# Friday is my favourite; April and June are my cousins.
_SAID_OF_A_DAY = re.compile(
    r"[a-z]+(?: [a-z]+)? (?:is|are|was|were) (?:my|our|his|her|the|a|by far the) "
    r"(?:least|most|favou?rite|best|worst|longest|busiest|shortest|name)\b"
    r"|[a-z]+ and [a-z]+ (?:are|were) (?!on\b|at\b|coming|due|off\b)"
    "|(?:怎么)?(?:又是|又到|终于|总算|才)[^，,。]{2,6}[了啊呀呢吧]?[。!！~]*$"
    "|.*(?:老话|俗话|谚语|歌词)"
)


def _is_name(wish: Mention, text: str) -> bool:
    """我家猫叫初七; my dog's name is Sunday: what something is called."""
    start, end = min(wish.spans)[0], max([end for _, end in wish.spans])
    closed = start > 1 and (end >= len(text) or text[end] in "，,。.;!?")
    return closed and _CALLED.search(text, max(0, start - NAMING_LETTERS), start) is not None


NAMING_LETTERS = 16  # no word that names is longer


_CALLED = re.compile(
    r"(?:[^来去你先再]叫做?|名叫|名字?是|取名|改名|(?:外号|小名|网名|昵称)[叫是]?)$"
    r"|^[我他她]叫.$"
    r"|\b(?:name(?:'s| is| was)|(?:is|was|are|an? [a-z]+) (?:named|called)) $"
)


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
    rf"|no (?:more )?{_REMINDERS}(?: (?:for|on|at|tomorrow|tonight|today)[^,;]{{0,30}})?"
    r"|(?:move|change|push|shift) (?:my|the) \d[^,;]{0,20} to \d[^,;]{0,12}"
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
        return text.partition(" ")[0] in _OPENS_EN and _COMMANDS_EN.fullmatch(text) is not None
    return opens in _OPENS_ZH and _COMMANDS_ZH.fullmatch(text) is not None


_CLOSES_ZH = frozenset("消掉了吧除闭")
_CANCELLED_ZH = re.compile(  # 今晚的提醒取消
    "^[^，,。;；]{1,20}(?:的提醒|闹[钟铃])(?:先|都|给我)*(?:取消|删[了掉除]|关[了掉闭]|停[了掉]|不[要用]|不需要|算)[了吧]*$"
)
_OPENS_ZH = frozenset("请帮麻给把取删关停撤以今别不甭")
_OPENS_EN = frozenset(
    words(
        "please can could cancel delete remove dismiss clear scrap turn switch shut stop quit "
        "don't do never nevermind you there's there forget ignore skip drop no move change "
        "push shift i"
    )
)
