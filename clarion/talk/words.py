"""What Clarion says back. A sentence that sounds like a yes can only be said with its proof.

`claim` is for what was done: it needs the ids of what was written. `say` is for everything else,
and a test checks that none of its sentences sounds like a yes.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from clarion.language.readback import spoken_clock, spoken_instant

CLAIMS: dict[str, dict[str, str]] = {
    "zh": {
        "set": "好的，{when}提醒{whom}{content}。",
        "set_confirm": "好的，{when}提醒{whom}{content}，好了要告诉我一声。",
        "set_done": "好的，{when}提醒{whom}{content}，做完要告诉我。",
        "set_clock": "好的，{when}叫{whom}。",
        "tells": "没人应的话，我会通知{names}。",
        "cancelled": "好的，取消了：{items}。",
        "skipped": "好的，这一次不提醒了：{items}。以后照旧。",
        "ended": "好的，以后都不提醒了：{items}。",
        "moved": "好的，改到{when}提醒您{content}。",
        "moved_clock": "好的，改到{when}叫您。",
        "moved_once": "好的，这一次改到{when}提醒您{content}，以后照旧。",
        "renamed": "好的，{when}提醒您{content}。",
        "confirm_on": "好的，{content}，到时候要您说一声才算完。",
        "confirm_off": "好的，{content}，到时候不用您回答。",
        "undone_set": "好的，刚才设的不算：{items}。",
        "undone_cancel": "好的，又加回来了：{items}。",
        "undone_change": "好的，改回来了：{items}。",
        "undone_yes": "好的，刚才那句不算，我再来问：{content}。",
        "snoozed": "好的，{when}再叫您{content}。",
        "stopped": "好的，先不响了，{when}再来问您。",
        "silent": "好的，不响了。",
        "routine": "好的，记下了：您{when}{named}。",
        "heard": "好的。",
        "distress": "我正在通知{names}，请他们马上联系您。如果很危险，请立刻打120。",
        "well": "好的，您没事就好。我告诉{names}一声，请他们放心。",
        "well_alone": "好的，您没事就好。",
        "distress_again": "已经在通知{names}了。如果很危险，请立刻打120。",
    },
    "en": {
        "set": "All right, I'll remind {whom} {when}: {content}.",
        "set_confirm": "All right, I'll remind {whom} {when}: {content}. Answer me then.",
        "set_done": "All right, I'll remind {whom} {when}: {content}. Tell me when it is done.",
        "set_clock": "All right, I'll call {whom} {when}.",
        "tells": "If nobody answers, I'll tell {names}.",
        "cancelled": "All right, cancelled: {items}.",
        "skipped": "All right, not this time: {items}. After that as usual.",
        "ended": "All right, no more of it: {items}.",
        "moved": "All right, I'll remind you {when} instead: {content}.",
        "moved_clock": "All right, I'll call you {when} instead.",
        "moved_once": "All right, this once {when}: {content}. After that as usual.",
        "renamed": "All right, {when}: {content}.",
        "confirm_on": "All right, {content}: I'll wait for your answer.",
        "confirm_off": "All right, {content}: no answer needed.",
        "undone_set": "All right, taken back: {items}.",
        "undone_cancel": "All right, it is back: {items}.",
        "undone_change": "All right, changed back: {items}.",
        "undone_yes": "All right, that does not count. I'll ask again: {content}.",
        "snoozed": "All right, again {when}: {content}.",
        "stopped": "All right, I'm quiet. I'll ask again {when}.",
        "silent": "All right, I'm quiet.",
        "routine": "All right, noted: {named} at {when}.",
        "heard": "All right.",
        "distress": "I am telling {names} right now to get in touch with you. "
        "If you are in danger, call the emergency number at once.",
        "well": "All right, I'm glad. I'll let {names} know that you are well.",
        "well_alone": "All right, I'm glad that you are well.",
        "distress_again": "I am telling {names} already. "
        "If you are in danger, call the emergency number at once.",
    },
}
PLAIN: dict[str, dict[str, str]] = {
    "zh": {
        "none": "{scope}没有提醒。",
        "list": "{scope}有{n}个提醒：{items}。",
        "next": "下一个是{when}，{content}。",
        "past": "{items}。",
        "which_cancel": "有{n}个：{items}。要取消哪一个？",
        "which_change": "有{n}个：{items}。要改哪一个？",
        "which_snooze": "有{n}个：{items}。要推迟哪一个？",
        "no_match": "我没找到这个提醒，什么都没动。现有：{items}。",
        "nothing": "现在没有提醒，什么都没动。",
        "once": "{content}是重复的提醒。只取消这一次，还是以后都不要了？",
        "new_time": "{content}要改到什么时候？",
        "what_instead": "那{content}要怎么改？请说时间，或者要做的事。",
        "as_set": "嗯，就这样。",
        "same": "{content}本来就是{when}，什么都没动。",
        "left": "那就都留着，什么都没动。",
        "quiet_until": "现在没有响，{when}再来问您：{content}。",
        "said_twice": "嗯，您刚才说过了。",
        "no_question": "现在没有等您回答的提醒。",
        "said_before": "我刚才说：{said}",
        "no_repeat": "我刚才没有说什么。",
        "nothing_to_undo": "刚才没有做什么，没有可以撤的。",
        "cannot_undo": "这个撤不回来了，请您再说一遍要什么。",
        "greeting": "我在。要我提醒，就说几点提醒您做什么。",
        "thanks": "不客气。",
        "farewell": "再见。",
        "done_or_not": "{content}：做好了，还是还没有？",
        "help": "我可以设提醒、查提醒、改时间、取消和推迟。比如说：明天早上八点提醒我吃药。",
        "cannot": "这个我还不会。我可以设提醒、查提醒、改时间、取消和推迟，您告诉我就行。",
        "no_person": "我不能替您提醒{person}，要{person}先把您加为联系人。"
        "要不要我提醒您去告诉{person}？",
        "when": "请问什么时候提醒您？",
        "clock": "现在是{when}。",
        "when_plainly": "要提醒的话，请说几点提醒您做什么。",
        "offer_create": "要我{when}提醒您{content}吗？",
        "offer_cancel": "要取消{items}吗？",
        "offer_change": "要把{content}改到{when}吗？",
        "are_you_well": "您还好吗？要我马上通知{names}吗？",
        "are_you_well_alone": "您还好吗？如果很危险，请马上打120，或者大声叫人。",
        "nobody_told": "那就好，谁也没有惊动。",
        "tells_nobody": "您还没有联系人，没人应的时候没有人可以通知。",
        "help_comes": "嗯，那就等他们来。要我通知谁，您说一声。",
        "how_long": "过多久呢？几分钟后，还是几点？",
        "distress_alone": "我没有可以通知的联系人！请马上打120，或者大声叫人。",
        "refused": "这个没办成，什么都没动。",
    },
    "en": {
        "none": "You have no reminders {scope}.",
        "list": "You have {n} {scope}: {items}.",
        "next": "The next one is {when}: {content}.",
        "past": "{items}.",
        "which_cancel": "There are {n}: {items}. Which one should go?",
        "which_change": "There are {n}: {items}. Which one should change?",
        "which_snooze": "There are {n}: {items}. Which one should wait?",
        "no_match": "I did not find that one, and left everything as it was. You have: {items}.",
        "nothing": "You have no reminders, so there is nothing to change.",
        "once": "{content} comes again and again. Only this time, or never again?",
        "new_time": "At what time instead, for {content}?",
        "what_instead": "What should change about {content}? Say the time, or what it is.",
        "as_set": "Then it stays like that.",
        "same": "{content} is {when} as it was: nothing was changed.",
        "left": "Then everything stays as it was.",
        "quiet_until": "It is quiet now, and comes back {when}: {content}.",
        "said_twice": "Yes, you told me.",
        "no_question": "Nothing is waiting for an answer now.",
        "said_before": "I said: {said}",
        "no_repeat": "I have not said anything just now.",
        "nothing_to_undo": "There is nothing to take back.",
        "cannot_undo": "That cannot be taken back. Please say what you want instead.",
        "greeting": "I am here. Tell me what to remind you of, and when.",
        "thanks": "You're welcome.",
        "farewell": "Goodbye.",
        "done_or_not": "Did you {content}, or not yet?",
        "help": "I can set reminders, read them out, move, cancel and put them off. "
        "For example: remind me to take my pills at eight.",
        "cannot": "I can't do that yet. I can set reminders, read them out, move, cancel and put "
        "them off: just tell me.",
        "no_person": "I may not remind {person} for you: you would have to be one of {person}'s "
        "contacts. Should I remind you to tell {person}?",
        "when": "When should I remind you?",
        "clock": "It is {when}.",
        "when_plainly": "For a reminder, please say when and what.",
        "offer_create": "Should I remind you {when}: {content}?",
        "offer_cancel": "Should I cancel {items}?",
        "offer_change": "Should I move {content} to {when}?",
        "are_you_well": "Are you well? Should I tell {names} right now?",
        "are_you_well_alone": "Are you well? If you are in danger, call the emergency number, "
        "or shout for help.",
        "nobody_told": "I'm glad. Nobody was disturbed.",
        "tells_nobody": "You have no contacts: there is nobody to tell when you don't answer.",
        "help_comes": "Then wait for them. Tell me if somebody else should know.",
        "how_long": "How long from now? In how many minutes, or at what time?",
        "distress_alone": "There is nobody I can tell! Please call the emergency number now, "
        "or shout for help.",
        "refused": "That did not work, and nothing was changed.",
    },
}
SCOPES = {
    "zh": {"yesterday": "昨天", "today": "今天", "tomorrow": "明天", "then": "那时候", "all": "您"},
    "en": {
        "yesterday": "yesterday",
        "today": "today",
        "tomorrow": "tomorrow",
        "then": "then",
        "all": "coming up",
    },
}
ROUTINES_SAID = {
    "zh": {
        "waking": "起床",
        "breakfast": "吃早饭",
        "lunch": "吃午饭",
        "dinner": "吃晚饭",
        "sleeping": "睡觉",
    },
    "en": {
        "waking": "you get up",
        "breakfast": "breakfast",
        "lunch": "lunch",
        "dinner": "dinner",
        "sleeping": "bedtime",
    },
}
STATUS = {
    "zh": {"confirmed": "确认过了", "completed": "提醒过了", "missed": "没有回答"},
    "en": {"confirmed": "confirmed", "completed": "told", "missed": "not answered"},
}
ME_ZH = re.compile("(?<!自)我(?!们)")
NODS = re.compile(r"^(?:好的，|All right, |Good, )")
ITEMS_MAX = 6  # nobody remembers more
YES = re.compile(
    r"好的|好嘞|没问题|收到|包在我|交给我|放心|遵命|记住了|记下|设好|设置好|安排好|已经?(?:帮|为|给|设|取消|改|删|记|"
    r"确认|推迟|通知|安排|添加|创建)|(?:取消|改好|删掉|推迟|设定|添加|搞定|办好)了|"
    r"(?:会|就|再|准时|按时|到时候?)(?:提醒|叫|喊|通知|告诉|联系)|提醒(?:已|设)|"
    r"\b(?:ok|okay|sure|all right|alright|done|got it|noted|no problem|of course|consider it|"
    r"will do|you got it|certainly|absolutely|i(?:'ve| have)? (?:just )?(?:set|moved|cancell?ed|"
    r"changed|added|deleted|removed|confirmed|scheduled|created|told|notified|called)|"
    r"i(?:'ll| will) (?:remind|wake|tell|call|let|ask|set|notify|cancel|move|be sure|make sure)|"
    r"(?:reminder|alarm|timer)s? (?:is |are |was |has been )?(?:set|cancell?ed|added|deleted|moved|"
    r"changed))\b",
    re.IGNORECASE,
)


def claim(key: str, language: str, proof: Sequence[str], **fields: object) -> str:
    """A sentence that says something was done. `proof`: the ids of what was written."""
    assert proof, f"{key!r} was not done"
    return _filled(CLAIMS[language][key], fields)


def say(key: str, language: str, **fields: object) -> str:
    return _filled(PLAIN[language][key], fields)


def each(content: str, said: str, language: str) -> str:
    """吃药：记下了。 Which of several an acknowledgement is about; a question names it already."""
    rest = NODS.sub("", said)
    if not rest or rest == said:
        return said
    if language == "zh":
        return f"{_yours(content)}：{rest}"
    named = _yours(content)
    return f"{named[:1].upper()}{named[1:]}: {rest}"


def in_one_breath(said: Sequence[str], language: str) -> str:
    """Several sentences, of which only the first one nods."""
    rest = [NODS.sub("", one) for one in said[1:]]
    rest = [f"{one[:1].upper()}{one[1:]}" for one in rest]
    return ("" if language == "zh" else " ").join([*said[:1], *rest])


def _filled(sentence: str, fields: dict[str, object]) -> str:
    yours = {name: _yours(value) for name, value in fields.items() if name in ("content", "items")}
    return sentence.format(**(fields | yours))


def _yours(told: object) -> str:
    """What somebody calls theirs is said back as theirs: "your pills", not "my pills"; 您妈."""
    yours = {"my": "your", "myself": "yourself", "me": "you", "mine": "yours"}
    said = ME_ZH.sub("您", str(told))
    return re.sub(r"(?i)\b(?:my|myself|me|mine)\b", lambda found: yours[found[0].lower()], said)


def sounds_like_yes(text: str) -> bool:
    """Whether a person who hears it would believe that something was done or will be."""
    return YES.search(text) is not None


def say_time(at: datetime, now: datetime, language: str) -> str:
    """早上8点, 明天早上8点; "at 8 am", "tomorrow at 8 am": today is not named."""
    if at.date() != now.astimezone(at.tzinfo).date():
        return spoken_instant(at, now, language)
    clock = spoken_clock(at.hour, at.minute, language)
    return clock if language == "zh" else f"at {clock}"


def listed(items: Sequence[str], language: str) -> str:
    """Read out: at most six, and that there are more."""
    shown = list(items[:ITEMS_MAX])
    more = len(items) - len(shown)
    if language == "zh":
        return "；".join(shown) + (f"；还有{more}个" if more else "")
    return "; ".join(shown) + (f"; and {more} more" if more else "")
