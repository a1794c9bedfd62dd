"""The page behind a contact's link: who needs help, what was tried, and three buttons.

Mail programs and chats fetch links to show a preview. A fetch must not say that somebody's
grandmother has taken her pills, so the link opens a page, and the page has buttons. It works
without script, and in browsers that tell nobody where a form comes from.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from html import escape
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from clarion.base.errors import BadInput, ClarionError
from clarion.reminders.by_link import CallForHelp
from clarion.reminders.decisions.decision import RingFacts
from clarion.reminders.model import ReminderStatus
from clarion.reminders.service import Reminders

PATH = "/c/"
FORM_BYTES_MAX = 1_000
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta http-equiv="refresh" content="30">
<style>body{{font:1.2rem/1.5 system-ui,sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem}}
button,select{{font:inherit;padding:.9rem 1.2rem;border:0;border-radius:.6rem;width:100%;
margin:.3rem 0;background:#e5e7eb;color:#111}}button.good{{background:#166534;color:#fff}}
button.on{{background:#1e3a8a;color:#fff}}.on{{font-weight:bold}}ul{{padding-left:1.2rem}}
small{{color:#555}}</style></head><body>{body}</body></html>
"""
SAFE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
HOLDS = (15, 30, 60, 120)  # minutes
WORDS = {
    "en": {
        "asks": "{who} has not confirmed this.",
        "waits": "{who} is being asked.",
        "since": "Since {at}.",
        "tried": "What was tried",
        "nothing": "No device could be reached.",
        "known": "What is known",
        "online": "{device}: there now",
        "seen": "{device}: last seen {at}",
        "never": "{device}: never seen",
        "told": "Who was told",
        "was told": "{name}, {at}",
        "took": "on it until {until}",
        "cannot": "cannot",
        "holder": "{name} is on it until {until}.",
        "take": "I'm on it",
        "hold": "for {n} minutes",
        "done": "It's done",
        "decline": "I can't",
        "thanks": "You are on it. Thank you. Nobody else is called until then.",
        "declined": "You said that you cannot. The next one is called.",
        "answered": "answered: “{label}”",
        "heard": "was heard, no answer",
        "delivered": "reached, not heard to the end",
        "sent": "sent, no answer",
        "unreachable": "could not be reached",
        "begun": "called",
        "confirmed": "Confirmed by {by}. Thank you.",
        "completed": "It is over.",
        "cancelled": "It was cancelled.",
        "somebody": "They",
    },
    "zh": {
        "asks": "{who}没有确认这件事。",
        "waits": "正在提醒{who}。",
        "since": "从 {at} 开始。",
        "tried": "已经试过",
        "nothing": "没有联系上任何设备。",
        "known": "目前知道的",
        "online": "{device}：现在在线",
        "seen": "{device}：最后在线 {at}",
        "never": "{device}：没有连上过",
        "told": "已经通知",
        "was told": "{name}，{at}",
        "took": "在处理，到 {until}",
        "cannot": "来不了",
        "holder": "{name}在处理，到 {until}。",
        "take": "我来处理",
        "hold": "{n} 分钟内",
        "done": "已经办好",
        "decline": "我来不了",
        "thanks": "你在处理了，谢谢。在那之前不再通知别人。",
        "declined": "你说来不了，正在通知下一位。",
        "answered": "回答：“{label}”",
        "heard": "已播放，没有回答",
        "delivered": "已送到，没有听完",
        "sent": "已发送，没有回答",
        "unreachable": "联系不上",
        "begun": "已呼叫",
        "confirmed": "{by}已确认，谢谢。",
        "completed": "已经结束。",
        "cancelled": "已经取消。",
        "somebody": "对方",
    },
}
UNANSWERED = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
OPEN = (*UNANSWERED, ReminderStatus.PENDING, ReminderStatus.TRIGGERED)


def link_routes(reminders: Reminders) -> APIRouter:
    """Outside of the API: for people with a browser, who have a link and no token."""
    router = APIRouter(include_in_schema=False)

    @router.get(PATH + "{token}")
    async def look(request: Request, token: str) -> Response:
        try:
            return page(await reminders.open_link(token), request)
        except ClarionError as error:
            return refused(error)

    @router.post(PATH + "{token}")
    async def answer(request: Request, token: str) -> Response:
        try:
            said = await form(request)
            return page(await pressed(reminders, token, said), request)
        except ClarionError as error:
            return refused(error)

    return router


async def pressed(reminders: Reminders, token: str, said: dict[str, str]) -> CallForHelp:
    match said.get("do", "done"):
        case "take":
            minutes = said.get("minutes", "30")
            if not (minutes.isascii() and minutes.isdecimal() and len(minutes) < 4):
                raise BadInput("That is no number of minutes.")
            return await reminders.take_by_link(token, timedelta(minutes=int(minutes)))
        case "decline":
            return await reminders.decline_by_link(token)
        case _:
            return await reminders.confirm_by_link(token)


async def form(request: Request) -> dict[str, str]:
    body = await request.body()
    if len(body) > FORM_BYTES_MAX:
        raise BadInput("That is too long.")
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def page(call: CallForHelp, request: Request) -> Response:
    language = language_of(request, call.user.language)
    body = "".join(Drawing(call, language).parts())
    return HTMLResponse(PAGE.format(body=body, language=language), headers=SAFE)


def language_of(request: Request, otherwise: str) -> str:
    """The first language of the contact's browser that we speak; else the user's."""
    asked = request.headers.get("accept-language", "").lower()
    for one in asked.split(","):
        language = one.strip()[:2]
        if language in WORDS:
            return language
    return otherwise


class Drawing:
    """One call for help as HTML. Everything that came from people is escaped in `_`."""

    def __init__(self, call: CallForHelp, language: str) -> None:
        self._call = call
        self._words = WORDS[language]
        self._zone = ZoneInfo(call.user.zone)

    def parts(self) -> list[str]:
        call = self._call
        reminder = call.reminder
        at = reminder.planned_at or reminder.trigger_at
        who = call.user.name or self._words["somebody"]
        asks = "asks" if reminder.status in UNANSWERED else "waits"
        head = f"<h1>{escape(reminder.content)}</h1>"
        if reminder.status not in OPEN:
            over = self._(reminder.status.value, by=reminder.confirmed_by)
            return [head, f"<p>{escape(who)}</p><p class=on>{over}</p>", *self._facts()]
        since = self._("since", at=self._clock(at))
        return [head, f"<p>{self._(asks, who=who)} {since}</p>", *self._buttons(), *self._facts()]

    def _buttons(self) -> list[str]:
        done = self._button("done", "done", "good")
        call = self._call
        if call.contact is None or call.reminder.status not in UNANSWERED:
            return [done]
        mine = next((one for _, one in call.told if one.contact_id == call.contact.id), None)
        said = mine.said if mine else None
        if call.holder is not None and call.holder[1] is not mine:
            name, held = call.holder
            until = self._clock(held.until or call.now)
            return [f"<p class=on>{self._('holder', name=name, until=until)}</p>", done]
        holds = "".join(
            f'<option value="{n}"{" selected" if n == HOLDS[1] else ""}>{self._("hold", n=n)}'
            "</option>"
            for n in HOLDS
        )
        take = (
            '<form method="post"><input type="hidden" name="do" value="take">'
            f'<button class="on">{self._("take")}</button>'
            f'<select name="minutes">{holds}</select></form>'
        )
        if call.holder is not None:
            return [f"<p class=on>{self._('thanks')}</p>", done, self._button("decline", "decline")]
        if said == "cannot":
            return [f"<p>{self._('declined')}</p>", take, done]
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
            f"{self._clock(ring.fired_at)} {escape(names.get(ring.device_id, ''))}:"
            f" {self._ring(ring)}"
            for ring in call.rings
        ]
        known = [self._seen(names[one.id], one.online, one.last_seen) for one in call.devices]
        told = []
        for name, one in call.told:
            line = self._("was told", name=name, at=self._clock(one.told_at))
            if one.said:
                until = self._clock(one.until) if one.until else ""
                line += f": {self._(one.said, until=until)}"
            told.append(line)
        return [
            *self._list("tried", tried or [self._("nothing")]),
            *self._list("known", known),
            *self._list("told", told),
        ]

    def _ring(self, ring: RingFacts) -> str:
        if ring.answered_at is not None:
            return self._("answered", label=ring.label)
        facts = {
            "heard": ring.heard_at,
            "delivered": ring.delivered_at,
            "sent": ring.sent_at,
            "unreachable": ring.unreachable_at,
        }
        return self._(next((name for name, at in facts.items() if at is not None), "begun"))

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
        return [f"<p><small>{self._(title)}</small></p><ul>{items}</ul>"]

    def _clock(self, at: datetime) -> str:
        local, here = at.astimezone(self._zone), self._call.now.astimezone(self._zone)
        return f"{local:%H:%M}" if local.date() == here.date() else f"{local:%Y-%m-%d %H:%M}"

    def _(self, key: str, /, **values: object) -> str:
        said = {name: escape(str(value)) for name, value in values.items()}
        return self._words[key].format(**said)


def refused(error: ClarionError) -> Response:
    body = f"<p>{escape(error.message)}</p>"
    shown = PAGE.format(body=body, language="en")
    return HTMLResponse(shown, status_code=error.status, headers=SAFE)
