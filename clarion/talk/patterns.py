"""Patterns that tell plain sentences apart; `sure` decides by them."""

import re

CLAUSE = re.compile(r"(?<=[，,。.;；!！?？\s])")
STATEMENT = re.compile(
    r"(?<=[，,。.;；!！?？])|(?<=[\u4e00-\u9fff])\s+|\s(?=(?:but|and|though)\b)|"
    r"(?<=[\u4e00-\u9fff])(?=但是|可是|不过(?![期夜敏去来])|(?<!不)但(?!愿))",
    re.IGNORECASE,
)
"""Between two statements; a clause may also end at any blank."""
CANCELS = re.compile(
    r"^\W*(?:请|帮我|麻烦|给我)?(?:把.{1,12})?(?:取消|删除|删掉)(?!不|没)|"
    r"(?<![别不要没])(?:取消|删)(?:了|掉|吧|一下)*\W*$|"
    r"^\W*(?:please |can you |could you )?(?:cancel|delete|remove|skip)\b",
    re.IGNORECASE,
)
NO_MORE = re.compile(
    r"不用再?(?:叫|提醒)我?了\W*$|(?:以后|今后|再也|永远).{0,4}(?:不用|不要|别)|.的(?:就|都)?(?:不用|不要)(?:提醒|叫)?了|"
    r"[这今明后下]?(?:周|天|次|晚|早)[一二三四五六日天]?的?(?:就|都|先)?(?:不用|不要)(?:提醒|叫)?了?\W*$|"
    r"\bno more\b|\bnot any ?more\b",
    re.IGNORECASE,
)
GIVES_UP = re.compile(
    r"^\W*(?:(?:哎|唉|那|哦)?(?:算了|算啦|不用了?|不要了?|没事了?|不了|都不|不提醒了?|不取消|别动|"
    r"(?:那就)?(?:都|全)?(?:留着|留住)吧?|唔使(?:啦|喇|了)?|撤[销回]|取消操作)|"
    r"(?:actually|oh|ok|okay|well|no)?\W*(?:never ?mind|none|no|nope|nothing|"
    r"forget (?:it|about it)|don'?t bother|undo(?: (?:it|that))?|scratch that|"
    r"(?:none|neither|no)?\W*(?:leave|keep) (?:it|them|them all|both)))"
    r"(?:\W*(?:了|吧|啊|啦)?\W*(?:算了|都留着|不用了|never ?mind|forget it|keep them|leave it|"
    r"thanks|谢谢))?\W*$",
    re.IGNORECASE,
)
LEFT_ALONE = re.compile(
    r"^\W*(?:你?别(?:烦|吵|闹|理)|闭嘴|烦死|(?:leave|let) me alone|shut up|be quiet)", re.IGNORECASE
)
TAKES_BACK = re.compile(
    r"撤|恢复|恢復|復原|还原|還原|反悔|后悔|不算|作数|算数|当我没|當我|[搞弄说按记听删]错|误|手快|找回|[加改退弄拿攞变]回|"
    r"回[来去]|返|还给|原来|原样|别(?:[设删改记]|取消|动|通知|开始|当真)|不设|不是这|唔[要好]|停|去掉|没说|没吃|没做|冇|"
    r"^\W*(?:哦|啊|哎|那|都|算了|不)*(?:算了|不要|不用|不了|删了|取消)|开玩笑|说着玩|"
    r"\b(?:undo|undid|revert|restore|reverse|back|scratch|scrap|never ?mind|forget|mistake|"
    r"accident|oops|un-?\w+e|that off|actually|bother|wasn'?t|ctrl|only meant|don'?t|didn'?t|"
    r"haven'?t|cancel|like before|the way it was|wrong)\b",
    re.IGNORECASE,
)
WISH = re.compile(r"确认|(?:等|要|听)我?.{0,3}(?:回答|回话|答应|说一声)|\bconfirm", re.IGNORECASE)
LISTS = re.compile(
    r"提醒|闹钟|有(?:什么|哪些|几|啥)|还有|几点|什么时候|下一?个|\b(?:reminders?|alarms?|next|today|"
    r"tomorrow|when|list|coming up|have i got|do i have)\b",
    re.IGNORECASE,
)
REPEATS = re.compile(
    r"再|重复|重說|重说|没听|听不|啥|什么[？?]?$|说慢|\b(?:repeat|again|pardon|say|said|sorry|what\?*$|"
    r"catch|hear|come)\b",
    re.IGNORECASE,
)
CHANGES = re.compile(
    r"(?:推迟|推后|延后|挪|改|提前)(?:到|成)?.|"
    r"^\W*(?:please |can you )?(?:put|push|move|postpone|delay|reschedule|bring)\b.*"
    r"\b(?:off|back|to|till|until|by|forward)\b",
    re.IGNORECASE,
)
# Whatever it was taken for: "set an alarm for 6 and another for 6:30" changes nothing.
SETS = re.compile(
    r"^\W*(?:please |can you )?set (?:me )?(?:an?|another|two) [\w ]{0,12}?"
    r"(?:alarm|timer|reminder)s?\b|"
    r"^\W*(?:请|帮我|给我){0,2}倒?计时|^\W*(?:请|帮我|给我){0,2}(?:设|定|加|订)(?:[一两]个)?[^，,。改]{0,8}(?:闹钟|提醒|计时)\W*$",
    re.IGNORECASE,
)
RENAMES = re.compile(
    r"^\W*(?:please |can you |could you )*(?:rename|change) .+ (?:in)?to\b", re.IGNORECASE
)
ONLY_KEEPS = re.compile(
    r"(?:只|就|光|净系|淨係)保?留(?!言|意|神|心|下来)|\b(?:only|just) keep (?!going|on\b|\w+ing\b)",
    re.IGNORECASE,
)
KEEPS = re.compile(
    r"(?:留着|别动)[吧啊呀]?\W*$|^\W*keep\b(?!.*\b(?:move|to|till|until)\b)", re.IGNORECASE
)
# After a yes: what was done was something else.
WAS_ANOTHER = re.compile(
    r"^\W*(?:(?:不对|不是|错了|哎呀?|等等|no|wait|oops|hang on|sorry)\W*)+"
    r"(?:那[个瓶盒颗片]?是|我[吃喝做弄]的是|(?:those were|that was|it was|i took)\b)",
    re.IGNORECASE,
)
# After what was just set: 十一点也要.
ALSO_THEN = re.compile(r"也要|也(?:提醒|叫|喊)|\b(?:too|as well|also)\W*$", re.IGNORECASE)
# Of what somebody feels: it is asked about before anybody is called.
MILDLY = re.compile(
    r"有一?(?:点|些)儿?|稍微|\b(?:a bit|a little|slightly|kind of|somewhat)\b", re.IGNORECASE
)
# After what was just set: "no, the cat".
NO_BUT = re.compile(r"^\W*no,? (?:the|my) \w+(?: \w+)?\W*$", re.IGNORECASE)
# Without a time, and while nothing rings, it is about what is set.
PUTS_OFF = re.compile(r"^\W*(?:推迟|推后|延后|延迟|往后推)一?[下点]?[儿吧呗啦了]?\W*$")
SWAPS = re.compile(
    r"不是(?P<old>[^，,。 ]+?)[，, ]*(?:而)?是(?P<new>[^，,。 ]+)|"
    r"\bnot (?P<old_en>[\w ]+?),? but (?P<new_en>[\w ]+)",
    re.IGNORECASE,
)
OTHER_HALF = re.compile(
    r"^\W*(?:不对|不是|我说的?|no|sorry|i (?:meant?|said))?\W*(?:是|in the |at )?"
    r"(?P<half>早上|上午|下午|晚上|[ap]\.?m|morning|afternoon|evening|night)(?:的|啊|呀)?\W*$",
    re.IGNORECASE,
)
DAY_BESIDE = re.compile(
    r"(?:the )?day (?:after|(?P<before>before))(?: that)?\W*$|"
    r"(?:第二|后一|(?P<before_zh>前一))天(?:吧|啊|呀)?\W*$",
    re.IGNORECASE,
)
"""The day beside the one that was planned; "the day after tomorrow" is one of its own."""
DENIES = re.compile(
    r"^\W*(?:唔系|唔係|唔啱)[，,。 啊呀]*(?:系|係)?(?!.*(?:提醒|提我|叫我|嗌我))", re.IGNORECASE
)
DENIES_ALL = re.compile(
    r"\W*(?:不对|不是|错了|说错了|你听错了|唔系|唔係|唔啱|"
    r"no|nope|wrong|that'?s (?:wrong|not (?:it|right))|not that)(?:啊|呀|的|了)*\W*",
    re.IGNORECASE,
)
IS_RATHER = re.compile(
    r"^\W*(?:应该)?(?:是|系|係)(?!不是|否|谁|哪|什么|啥|吗|的|啊|呀|我)(?!.*(?:吗|呢|[？?])\W*$)|"
    r"^\W*(?:make|change) (?:it|that)\b",
    re.IGNORECASE,
)
"""是四点, just after 明天三点提醒我开会: no reminder of its own."""
IS_IT_SET = re.compile(
    r"(?:设|定|记|加|弄|搞|改)(?:好|上|住|下|低)?(?:了|咗)?(?:吗|没有?|未)\W*$|"
    r"^\W*(?:is (?:it|that)|have you|did you) (?:set|saved?|got|add(?:ed)?|done|do)\b",
    re.IGNORECASE,
)
READS_OUT = re.compile(
    r"(?:什么|哪些|几个|几条|啥)(?:提醒|闹钟)|(?:提醒|闹钟)(?:都)?有(?:什么|哪些|几|啥)|"
    r"\b(?:list|read)(?: out)? my (?:reminders|alarms)|\bwhat reminders\b",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"不对|不是|唔系|唔係|唔啱|错|是说|我说的?是|应该|改|还是|换|^\W*是|\b(?:no|sorry|wait|actually|meant|make|instead|rather|oops)\b",
    re.IGNORECASE,
)
ASKS_THE_TIME = re.compile(
    r"^\W*(?:请问|那)?(?:现在|这会儿?)?(?:是)?几点(?:钟|了|啦)+\W*$|^\W*(?:现在|这会儿?)(?:是)?几点\W*$|"
    r"^\W*今天(?:是)?(?:星期|礼拜|周)几\W*$|^\W*今天(?:是)?几[号月].{0,3}\W*$|"
    r"^\W*what(?:'s| is)? (?:the )?(?:time|day|date)(?: is it)?(?: now| today)?\W*$|"
    r"^\W*what day is it\b",
    re.IGNORECASE,
)
IS_WELL = re.compile(
    r"没事[了啦儿]|我没事|(?:^|[，, 了])没事\W*$|没什么事|"
    r"不用(?:再)?(?:叫|通知|来|找|管|告诉)|别(?:叫|通知|告诉)(?:他|她|人)|"
    r"误会|误报|误触|虚惊|开玩笑|闹着玩|[搞弄按说喊]错|好多了|没摔|没大碍|不要紧|"
    r"\bfalse alarm\b|"
    r"\b(?:i|we)(?:'m|'re| am| are) (?:fine|ok|okay|all ?right|alright|good|well|safe)\b|"
    r"\bit(?:'s| is| was) (?:ok|okay|fine|all right|alright|nothing|a mistake)\b|"
    r"\b(?:all good|all ok|all is well|just kidding|kidding|joking|by (?:mistake|accident)|"
    r"did(?:n'?t| not) mean (?:it|to|that)|no need to (?:call|tell|come)|"
    r"do(?:n'?t| not) (?:call|tell) (?:them|him|her|any)|call (?:it|them) off|never ?mind)\b",
    re.IGNORECASE,
)
HAS_CALLED = re.compile(
    r"^\W*(?:不用|不必|不要|别|唔使|没事).*(?:已经?|早就?|刚)[^，。]{0,4}[打叫拨].{0,3}(?:120|999|112|一二零|救护车|白车|医生)|"
    r"^\W*(?:no|never ?mind|don'?t)\b.*\b(?:already (?:called|rung|rang)|ambulance(?:'s| is) \w+)",
    re.IGNORECASE,
)
"""Our help is refused, for other help was called."""
FEELS_BAD = re.compile(
    r"^\W*我(?:很|好|特别|真的|有一?点儿?|有些)?(?:不舒服|难受|不对劲)|"
    r"\bi(?:'m| am) not (?:really |feeling )?(?:fine|ok|okay|well|all ?right|alright|safe)\b",
    re.IGNORECASE,
)
"""Asked about when nothing rings, whatever it was taken for."""
IS_ANOTHER = re.compile(
    r"是(?:孩子|宝宝|小宝|他|她|我[妈爸爷奶]|老[伴头人])|不是我|\bnot me\b|"
    r"\bit'?s (?:the|my|her|his|our) \w+",
    re.IGNORECASE,
)
"""Not the one who was asked, but somebody else needs help."""
IS_NOT_WELL = re.compile(
    r"[吗么吧][？?]?\W*$|[？?]\W*$|不是.{0,4}没事|但|可是|不过|就是|还[在是有]?.{0,3}(?:疼|痛|晕|流血|难受|不舒服|起不)|起不来|动不了|"
    r"\b(?:not|n't) (?:fine|ok|okay|all ?right|alright|good|well|safe|a joke|joking|kidding)\b|"
    r"\b(?:but|except|though|hurts?|pain|bleeding|dizzy|can'?t|cannot|unless)\b",
    re.IGNORECASE,
)
FAREWELL = re.compile(r"再见|拜拜|晚安|\bbye\b|\bgood ?night\b|\bsee you\b", re.IGNORECASE)
THANKS = re.compile(r"谢|多谢|辛苦|唔该|唔該|\bthank|\bthx\b|\bcheers\b", re.IGNORECASE)
NO = re.compile(
    r"不用|不要|不需要|没事|没关系|还好|挺好|我很好|别|误会|开玩笑|不是|"
    r"\b(?:no|nope|fine|okay|ok|all right|don'?t|joking|kidding|not)\b",
    re.IGNORECASE,
)
ALL_OF_THEM = re.compile(
    r"[两三][个样件]?都|全都|统统|都[弄做办]?[好完]了|"
    r"\b(?:both|all (?:of them|three|done)|everything)\b",
    re.IGNORECASE,
)
NONE_OF_THEM = re.compile(
    r"都(?:还|仲)?[没未冇]|[一两]个都?(?:还)?没|全没|"
    r"\b(?:neither|none of (?:them|it)|not either|haven'?t done (?:either|any))\b",
    re.IGNORECASE,
)
ONLY_IT = re.compile(
    r"(?:再|就|先|去|给|把)*(?:补上?|[弄做办搞吃喝](?:一下|掉|好|完|了)?)(?:它|这个|这事)?|"
    r"(?:to )?(?:do|take|have|finish|get to) (?:it|this|that|them)|(?:i )?(?:did|have)(?: it)?",
    re.IGNORECASE,
)
"""今晚八点前补上, said to what rings: no thing of its own."""
AGAIN = re.compile(r"再(?:叫|提醒|喊|说)|\bagain\b", re.IGNORECASE)
AND_THAT = re.compile(r"^\W*(?:还有|以及|和|and\b|also\b)|也|\btoo\b", re.IGNORECASE)
