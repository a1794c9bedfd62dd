"""The page behind a contact's link: who needs help, what was tried, and three buttons.

Mail programs and chats fetch links to show a preview. A fetch must not say that somebody's
grandmother has taken her pills, so the link opens a page, and the page has buttons. It works
without script, and in browsers that tell nobody where a form comes from.
"""

import base64
from collections.abc import Sequence
from datetime import datetime, timedelta
from html import escape
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response

from clarion.base.errors import BadInput
from clarion.doors.http.pages.frame import SAFE, browser_language, linked_page, shown
from clarion.reminders.contact_calls import CallForHelp
from clarion.reminders.decisions.decision import RingFacts, ToldContact
from clarion.reminders.model import ReminderStatus
from clarion.reminders.service import Reminders

PATH = "/c/"
HOLDS = (15, 30, 60, 120)  # minutes
SAY = "say"
SEEN = "seen"
DOT = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
"""A picture of one dot: browsers that show the page fetch it, previews do not."""
WAYS = ("page", "ntfy", "home-assistant")
DIALLED = frozenset("+0123456789*#")
WORDS = {
    "en": {
        "asks": "{who} has not confirmed this.",
        "waits": "{who} is being asked.",
        "since": "Since {at}.",
        "for minutes": "{n} min",
        "for hours": "{n} h",
        "tried": "What was tried",
        "nothing": "No device could be reached.",
        "known": "What is known",
        "online": "{device}: there now",
        "seen": "{device}: last seen {at}",
        "never": "{device}: never seen",
        "told": "Who was told",
        "was told": "{name}",
        "took": "on it until {until}",
        "cannot": "cannot",
        "said done": "says that it is done",
        "arrived": "arrived {at}",
        "opened": "seen {at}",
        "quiet": "no answer yet",
        "holder": "{name} is on it until {until}.",
        "take": "I'm on it",
        "hold": "for {n} minutes",
        "how long": "How long may it take?",
        "done": "It's done",
        "got it": "I got it",
        "tests": "{who} wants to know whether this reaches you.",
        "decline": "I can't",
        "call": "Call {who}",
        "speak": "Say it on their device",
        "speak hint": "What shall we say?",
        "address": "Address: {address}",
        "map": "Open the map",
        "thanks": "You are on it. Thank you. Nobody else is called until then.",
        "declined": "You said that you cannot. The next one is called.",
        "answered": "answered",
        "answered CONFIRMED": "answered yes",
        "answered DENIED": "answered no",
        "answered UNCLEAR": "answered, unclear",
        "heard": "was heard, no answer",
        "delivered": "reached, not heard to the end",
        "sent": "sent, no answer",
        "unreachable": "could not be reached",
        "begun": "called",
        "confirmed": "Confirmed by {by}. Thank you.",
        "completed": "It is over.",
        "cancelled": "It was cancelled.",
        "somebody": "They",
        "colon": ": ",
    },
    "zh": {
        "asks": "{who}没有确认这件事。",
        "waits": "正在提醒{who}。",
        "since": "从 {at} 开始。",
        "for minutes": "{n} 分钟",
        "for hours": "{n} 小时",
        "tried": "已经试过",
        "nothing": "没有联系上任何设备。",
        "known": "目前知道的",
        "online": "{device}：现在在线",
        "seen": "{device}：最后在线 {at}",
        "never": "{device}：没有连上过",
        "told": "已经通知",
        "was told": "{name}",
        "took": "在处理，到 {until}",
        "cannot": "来不了",
        "said done": "说已经办好",
        "arrived": "{at} 送达",
        "opened": "{at} 看过",
        "quiet": "还没有回答",
        "holder": "{name}在处理，到 {until}。",
        "take": "我来处理",
        "hold": "{n} 分钟内",
        "how long": "大概需要多久？",
        "done": "已经办好",
        "got it": "收到了",
        "tests": "{who}想知道这样能不能联系到您。",
        "decline": "我来不了",
        "call": "打电话给{who}",
        "speak": "在对方的设备上说出来",
        "speak hint": "要说什么？",
        "address": "地址：{address}",
        "map": "打开地图",
        "thanks": "您在处理了，谢谢。在那之前不再通知别人。",
        "declined": "您说来不了，正在通知下一位。",
        "answered": "有回答",
        "answered CONFIRMED": "回答：是",
        "answered DENIED": "回答：不",
        "answered UNCLEAR": "有回答，没听清",
        "heard": "已播放，没有回答",
        "delivered": "已送到，没有听完",
        "sent": "已发送，没有回答",
        "unreachable": "联系不上",
        "begun": "已呼叫",
        "confirmed": "{by}已确认，谢谢。",
        "completed": "已经结束。",
        "cancelled": "已经取消。",
        "somebody": "对方",
        "colon": "：",
    },
}
UNANSWERED = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
OPEN = (*UNANSWERED, ReminderStatus.PENDING, ReminderStatus.TRIGGERED)


def link_routes(reminders: Reminders) -> APIRouter:
    async def look(request: Request, token: str) -> Response:
        if SEEN in request.query_params:
            await reminders.links.opened(token)
            return Response(DOT, media_type="image/gif", headers=SAFE)
        return page(await reminders.links.open(token), request)

    async def answer(request: Request, token: str, said: dict[str, str]) -> Response:
        return page(await pressed(reminders, token, said), request)

    return linked_page(PATH, look, answer)


async def pressed(reminders: Reminders, token: str, said: dict[str, str]) -> CallForHelp:
    through = said.get("through", "page")
    if through not in WAYS:
        raise BadInput("There is no such way.")
    match said.get("do", "done"):
        case "take":
            minutes = said.get("minutes", "30")
            if not (minutes.isascii() and minutes.isdecimal() and len(minutes) < 4):
                raise BadInput("That is no number of minutes.")
            return await reminders.links.take(token, timedelta(minutes=int(minutes)), through)
        case "decline":
            return await reminders.links.decline(token, through)
        case "speak":
            return await reminders.links.speak(token, said.get("words", ""))
        case _:
            return await reminders.links.confirm(token, through)


def page(call: CallForHelp, request: Request) -> Response:
    theirs = call.contact.language if call.contact else ""
    language = theirs or browser_language(request, call.user.language)
    says = SAY in request.query_params
    return shown(Drawing(call, language, says=says).parts(), language, stays_live=not says)


class Drawing:
    """One call for help as HTML. Everything that came from people is escaped in `_`."""

    def __init__(self, call: CallForHelp, language: str, *, says: bool = False) -> None:
        """`says`: they are about to write something; the page must not load itself again."""
        self._call = call
        self._says = says
        self._words = WORDS[language]
        self._zone = ZoneInfo(call.user.zone)

    def parts(self) -> list[str]:
        call = self._call
        reminder = call.reminder
        at = reminder.planned_at or reminder.trigger_at
        who = call.user.name or self._words["somebody"]
        asks = "asks" if reminder.status in UNANSWERED else "waits"
        if reminder.is_test:
            asks = "tests"
        head = f"<h1>{escape(reminder.content)}</h1>"
        if reminder.status not in OPEN:
            over = self._(reminder.status.value, by=reminder.confirmed_by)
            return [f"<p>{escape(who)}</p>", head, state(over), *self._facts()]
        since = f"{self._('since', at=self._clock(at))} <small>{self._ago(at)}</small>"
        said = f"<p>{self._(asks, who=who)} {since}</p>"
        shown = [head, said, *self._buttons(), *self._reaching(who), *self._facts()]
        return [*shown, f'<img class="dot" src="?{SEEN}" alt="">'] if call.contact else shown

    def _reaching(self, who: str) -> list[str]:
        """How to reach the person oneself: by telephone, by their own loudspeaker, at the door."""
        call, parts = self._call, list[str]()
        if call.contact is None or call.reminder.status not in UNANSWERED or call.reminder.is_test:
            return parts
        phone = "".join(one for one in call.shared.get("phone", "") if one in DIALLED)
        if phone:
            parts.append(f'<p><a class="call" href="tel:{phone}">{self._("call", who=who)}</a></p>')
        if "address" in call.shared:
            place = call.shared["address"]
            said = self._("address", address=place)
            parts.append(f'<p>{said}</p><a class="call" {map_link(place)}>{self._("map")}</a>')
        if call.devices and self._says:
            hint = self._("speak hint")
            parts.append(
                '<form method="post" action="?"><input type="hidden" name="do" value="speak">'
                f'<input name="words" maxlength="200" required autofocus placeholder="{hint}">'
                f"<button>{self._('speak')}</button></form>"
            )
        elif call.devices:
            parts.append(f'<p><a class="call" href="?{SAY}">{self._("speak")}</a></p>')
        return ["<section>", *parts, "</section>"] if parts else []

    def _buttons(self) -> list[str]:
        call = self._call
        done = self._button("done", "got it" if call.reminder.is_test else "done", "good")
        if call.reminder.is_test or call.contact is None or call.reminder.status not in UNANSWERED:
            return [done]
        mine = next((one for _, one in call.told if one.contact_id == call.contact.id), None)
        said = mine.said if mine else None
        if call.holder is not None and call.holder[1] is not mine and not call.all_must:
            name, held = call.holder
            until = self._clock(held.until or call.now)
            return [state(self._("holder", name=name, until=until)), done]
        holds = "".join(
            f'<option value="{n}"{" selected" if n == HOLDS[1] else ""}>{self._("hold", n=n)}'
            "</option>"
            for n in HOLDS
        )
        take = (
            '<form method="post"><input type="hidden" name="do" value="take">'
            f'<button class="on">{self._("take")}</button>'
            f"<label><small>{self._('how long')}</small>"
            f'<select name="minutes">{holds}</select></label></form>'
        )
        if said == "took" and mine and mine.until and mine.until > call.now:
            return [state(self._("thanks")), done, self._button("decline", "decline")]
        if said == "cannot":
            return [state(self._("declined")), take, done]
        return [take, done, self._button("decline", "decline")]

    def _button(self, do: str, word: str, look: str = "") -> str:
        return (
            f'<form method="post"><input type="hidden" name="do" value="{do}">'
            f'<button class="{look}">{self._(word)}</button></form>'
        )

    def _facts(self) -> list[str]:
        call = self._call
        names = {one.id: one.name or one.kind.value for one in call.devices}
        tried = [
            self._line(ring.fired_at, self._pair(names.get(ring.device_id, ""), self._ring(ring)))
            for ring in call.rings
        ]
        known = [self._seen(names[one.id], one.online, one.last_seen) for one in call.devices]
        told = [
            self._line(one.told_at, self._pair(name, self._fate(one))) for name, one in call.told
        ]
        return [
            *self._list("tried", tried or [self._("nothing")]),
            *self._list("known", known),
            *self._list("told", told),
        ]

    def _line(self, at: datetime, said: str) -> str:
        return f"<time>{self._clock(at)}</time>{escape(said)}"

    def _pair(self, name: str, said: str) -> str:
        return f"{name}{self._words['colon']}{said}"

    def _fate(self, one: ToldContact) -> str:
        """How far a message to one contact got: sent, arrived, seen, answered."""
        if one.said:
            until = self._clock(one.until) if one.until else ""
            return self._words["said done" if one.said == "done" else one.said].format(until=until)
        if one.opened_at is not None:
            return self._words["opened"].format(at=self._clock(one.opened_at))
        if one.delivered_at is not None:
            return self._words["arrived"].format(at=self._clock(one.delivered_at))
        return self._words["quiet"]

    def _ring(self, ring: RingFacts) -> str:
        if ring.answered_at is not None:
            return self._words.get(f"answered {ring.label}", self._words["answered"])
        facts = {
            "heard": ring.heard_at,
            "delivered": ring.delivered_at,
            "sent": ring.sent_at,
            "unreachable": ring.unreachable_at,
        }
        return self._words[next((name for name, at in facts.items() if at is not None), "begun")]

    def _seen(self, device: str, online: bool, at: datetime | None) -> str:
        if online:
            return self._("online", device=device)
        if at is None:
            return self._("never", device=device)
        return self._("seen", device=device, at=self._clock(at))

    def _list(self, title: str, lines: Sequence[str]) -> list[str]:
        if not lines:
            return []
        items = "".join(f"<li>{line}</li>" for line in lines)
        return [f"<section><h2>{self._(title)}</h2><ul>{items}</ul></section>"]

    def _ago(self, at: datetime) -> str:
        """How long ago; nothing for what is still to come."""
        minutes = int((self._call.now - at).total_seconds() // 60)
        if minutes < 1:
            return ""
        if minutes < 120:
            return self._("for minutes", n=minutes)
        return self._("for hours", n=minutes // 60)

    def _clock(self, at: datetime) -> str:
        local, here = at.astimezone(self._zone), self._call.now.astimezone(self._zone)
        return f"{local:%H:%M}" if local.date() == here.date() else f"{local:%Y-%m-%d %H:%M}"

    def _(self, key: str, /, **values: object) -> str:
        said = {name: escape(str(value)) for name, value in values.items()}
        return self._words[key].format(**said)


def state(said: str) -> str:
    """The present state, for the page's next look. `said` is escaped already."""
    return f'<p class="state" role="status">{said}</p>'


def map_link(place: str) -> str:
    """Opens their own map program: the page loads nothing from other sites."""
    return f'href="geo:0,0?q={quote(place)}" rel="noreferrer"'
