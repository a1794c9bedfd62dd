"""What Clarion says around a reminder: acknowledgements, digests, messages to contacts. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language.readback import spoken_clock, spoken_instant
from clarion.people.model import User
from clarion.reminders.model import Reminder

LISTED_MAX = 8  # nobody remembers more
DAY = timedelta(days=1)
SAID: dict[str, dict[str, str]] = {
    "zh": {
        "confirmed": "好的，记下了。",
        "snoozed": "好的，{at}再叫您。",
        "denied": "好的，我过一会儿再来问您。",
        "promised": "好的，{at}我再问您一声。",
        "gave_up": "知道了，这次我不再问了。",
        "gave_up_told": "知道了，这次我不再问了，会告诉您的联系人。",
        "cancelled": "好的，不再提醒了。",
        "held": "安静时间里有{n}件事：{list}。",
        "away": "您不在的时候有{n}件事：{list}。",
        "missed": "有{n}件事错过了：{list}。",
        "more": "等",
        "between": "；",
        "item": "{at} {content}",
        "unanswered": "{who}没有确认这件事：{content}（{at}）。请联系看看。",
        "unreached": "没能提醒到{who}：{content}（{at}），设备一直不在线。请联系看看。",
        "absent": "{who}的提醒没能按时说出：{content}（{at}）。请联系看看。",
        "distress": "{who}在{at}说：“{content}”。可能需要帮助，请马上联系！",
        "took": "{by}在处理了：{who}，{content}（{at}）。",
        "unheard": "现在没有设备能提醒{who}：{content}（{at}）。请看看设备有没有开着、连没连上网。",
        "heard_again": "{who}的设备又连上了：{content}（{at}）会照常提醒。",
        "well": "{who}没事了（{by}，{at}）。之前说的是：“{content}”。",
        "done": "已经办好：{who}，{content}。{by}，{at}。",
        "can you go": "您能去看看吗？",
        "say which": "请说“我去”，或者“我去不了”。",
        "button take": "我来处理",
        "button done": "已经办好",
        "button cannot": "我来不了",
        "helper took": "好的，记下了：您在处理，到{until}。到时候还没办好，会再来叫您。",
        "helper cannot": "好的，我去叫下一位。",
        "helper done": "好的，记下了，谢谢。",
        "helper taken": "{name}已经在处理了，到{until}。谢谢您。",
        "helper settled": "已经办好了，谢谢您。",
        "test": "这是一次测试。听到请回答：收到了。",
        "test_ring": "这是{who}的提醒的一次测试。收到请回答：收到了。",
        "test_page": "测试：有事时能联系到您吗？",
        "test_message": "这是一次测试：{who}有事没确认时会通知您。收到请打开链接，点“收到了”。",
        "somebody": "对方",
    },
    "en": {
        "confirmed": "Good, noted.",
        "snoozed": "All right, again {at}.",
        "denied": "All right, I will ask again later.",
        "promised": "All right, I'll check with you {at}.",
        "gave_up": "All right, I'll stop asking this time.",
        "gave_up_told": "All right, I'll stop asking this time, and tell your contacts.",
        "cancelled": "All right, no more reminders of it.",
        "held": "While it was quiet, {n} things came up: {list}.",
        "away": "While you were away, {n} things came up: {list}.",
        "missed": "{n} things were missed: {list}.",
        "more": " and more",
        "between": "; ",
        "item": "{at} {content}",
        "unanswered": "{who} has not confirmed: {content} ({at}). Please check on them.",
        "unreached": "{who} could not be reminded: {content} ({at}); no device was reachable."
        " Please check on them.",
        "absent": "A reminder for {who} could not be told in time: {content} ({at})."
        " Please check on them.",
        "distress": "{who} said at {at}: “{content}”. They may need help: get in touch now!",
        "took": "{by} is on it: {who}, {content} ({at}).",
        "unheard": "No device can remind {who} just now: {content} ({at}). Please check that one is"
        " switched on and has a network.",
        "heard_again": "{who}'s device is back: {content} ({at}) will be told as usual.",
        "well": "{who} is all right ({by}, {at}). What was said before: “{content}”.",
        "done": "It is done: {who}, {content}. {by}, {at}.",
        "can you go": " Can you go and see?",
        "say which": "Please say “I'll go”, or “I can't”.",
        "button take": "I'm on it",
        "button done": "It's done",
        "button cannot": "I can't",
        "helper took": "Good, noted: you are on it until {until}. If it is not done by then, I will"
        " call you again.",
        "helper cannot": "All right, I'll call the next one.",
        "helper done": "Good, noted. Thank you.",
        "helper taken": "{name} is on it already, until {until}. Thank you.",
        "helper settled": "It has been taken care of. Thank you.",
        "test": "This is a test. Please answer: done.",
        "test_ring": "This is a test of {who}'s reminders. Please answer: done.",
        "test_page": "Test: can you be reached when it matters?",
        "test_message": "This is a test: you will be told when {who} does not confirm something."
        " Please open the link and press “I got it”.",
        "somebody": "They",
    },
}
BEFORE_DUE = ("unheard", "heard_again")
WHY = {
    "device_offline_too_long": "unreached",
    "no_device": "unreached",
    "missed": "absent",
    "distress": "distress",
}


def acknowledge(outcome: str, user: User, now: datetime, until: datetime | None = None) -> str:
    """What is said back for an outcome; empty when there is nothing to say."""
    sentence = SAID[user.language].get(outcome, "")
    if until is None:
        return sentence if "{at}" not in sentence else ""
    zone = ZoneInfo(user.zone)
    at, here = until.astimezone(zone), now.astimezone(zone)
    if at.date() != here.date():
        return sentence.format(at=spoken_instant(at, here, user.language))
    clock = spoken_clock(at.hour, at.minute, user.language)
    return sentence.format(at=clock if user.language == "zh" else f"at {clock}")


def digest(user: User, held: Sequence[Reminder], missed: Sequence[Reminder], now: datetime) -> str:
    """One or two sentences instead of many rings."""
    words = SAID[user.language]
    days_ago = any(now - due_at(one) >= DAY for one in held)  # longer than any quiet hours
    parts = [
        words[kind].format(n=len(some), list=_list(user, some, now))
        for kind, some in (("away" if days_ago else "held", held), ("missed", missed))
        if some
    ]
    return " ".join(parts)


def _list(user: User, reminders: Sequence[Reminder], now: datetime) -> str:
    words = SAID[user.language]
    shown = [
        words["item"].format(at=_listed_time(user, one, now), content=one.content[:40])
        for one in reminders[:LISTED_MAX]
    ]
    return words["between"].join(shown) + (words["more"] if len(reminders) > LISTED_MAX else "")


def _listed_time(user: User, reminder: Reminder, now: datetime) -> str:
    """The hour; from a day on with the day."""
    if now - due_at(reminder) < DAY:
        return clock_time(user, reminder)
    zone = ZoneInfo(user.zone)
    at, here = due_at(reminder).astimezone(zone), now.astimezone(zone)
    return spoken_instant(at, here, user.language)


def due_at(reminder: Reminder) -> datetime:
    return reminder.planned_at or reminder.trigger_at


def clock_time(user: User, reminder: Reminder) -> str:
    at = due_at(reminder)
    return at.astimezone(ZoneInfo(user.zone)).strftime("%H:%M")


def to_contact(user: User, reminder: Reminder, language: str) -> str:
    words = SAID[language]
    return words[WHY.get(reminder.reason, "unanswered")].format(
        who=user.name or words["somebody"],
        content=reminder.content,
        at=clock_time(user, reminder),
    )


def to_helper(
    what: str, user: User, language: str, *, name: str = "", until: datetime | None = None
) -> str:
    """The reply to a contact who answered: `took`, `cannot`, `done`, `taken`, `settled`."""
    at = until.astimezone(ZoneInfo(user.zone)).strftime("%H:%M") if until else ""
    return SAID[language][f"helper {what}"].format(name=name, until=at)


def test_of(user: User, language: str, key: str) -> str:
    """`key` is `test`, or to a contact of the user `test_ring`, `test_message`, `test_page`."""
    words = SAID[language]
    return words[key].format(who=user.name or words["somebody"])


def informed(
    what: str, by: str, user: User, reminder: Reminder, language: str, now: datetime
) -> str:
    """What all other contacts who were told hear: who is on it, or how it ended; before it is due,
    whether anybody could hear it.
    """
    words = SAID[language]
    said_at = now.astimezone(ZoneInfo(user.zone)).strftime("%H:%M")
    return words[what].format(
        by=by,
        who=user.name or words["somebody"],
        content=reminder.content,
        at=clock_time(user, reminder) if what in BEFORE_DUE else said_at,
    )
