"""Messages that can be answered where they arrive: ntfy, Home Assistant, Pushover.

Each service has buttons or receipts of its own. What is pressed comes back to the page of the
link, as if it had been pressed there; what Pushover knows is asked for.
"""

import json
from typing import Any
from urllib.parse import quote, urlencode

from clarion.base.errors import Unavailable
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.reminders.ports import ContactCall, MessageFate
from clarion.reminders.words import SAID

PUSHOVER = "https://api.pushover.net"
EMERGENCY = 2  # Pushover's priority that rings until somebody acknowledges
HOLD_MINUTES = 30
ANSWER_BYTES_MAX = 16_384
OK = range(200, 300)
ANSWERS = (("take", "button take"), ("done", "button done"), ("decline", "button cannot"))
"""What the page's form is told, and the label of its button."""


def with_buttons(call: ContactCall) -> str:
    """The address of an ntfy topic, with three buttons that answer and a touch that opens."""
    if "actions=" in call.contact.address:
        return call.contact.address  # they have buttons of their own
    actions = [
        {
            "action": "http",
            "label": SAID[call.language][word],
            "url": call.link,
            "method": "POST",
            "headers": {"Content-Type": "application/x-www-form-urlencoded"},
            "body": answer_form(do, "ntfy"),
            "clear": True,
        }
        for do, word in ANSWERS
    ]
    # A header of ASCII letters: labels in Chinese are written as escapes.
    asked = {"click": call.link, "actions": json.dumps(actions)}
    joint = "&" if "?" in call.contact.address else "?"
    return f"{call.contact.address}{joint}{urlencode(asked, quote_via=quote)}"


def answer_form(do: str, through: str) -> str:
    said = {"do": do, "through": through}
    return urlencode(said | ({"minutes": str(HOLD_MINUTES)} if do == "take" else {}))


class HomeAssistant:
    """`hassio://host/token/notify.mobile_app_phone`: the app shows buttons, whose names an
    automation sends to the page (docs/looking-after-somebody.md).
    """

    def __init__(self, apprise: Apprise, sender: HttpSender) -> None:
        self._apprise = apprise
        self._sender = sender

    async def tell(self, call: ContactCall) -> bool:
        """False: the address names no app that could show buttons."""
        plugin: Any = await self._apprise.read(call.contact.address)
        apps = [one for one in plugin.targets if isinstance(one, tuple) and one[0] == "notify"]
        if not apps or len(apps) != len(plugin.targets):
            return False
        scheme = "https" if plugin.secure else "http"
        port = f":{plugin.port}" if plugin.port else ""
        for _, service, _targets in apps:
            url = f"{scheme}://{plugin.host}{port}/api/services/notify/{service}"
            headers = {
                "authorization": f"Bearer {plugin.accesstoken}",
                "content-type": "application/json",
            }
            body = json.dumps(app_message(call), ensure_ascii=False).encode()
            status = await self._sender.post(url, body, headers)
            if status not in OK:
                raise Unavailable(f"Home Assistant answered {status}.", retry_after=60)
        return True


def app_message(call: ContactCall) -> dict[str, Any]:
    token = call.link.rpartition("/")[2]
    buttons = [
        {"action": f"CLARION {do} {token}", "title": SAID[call.language][word]}
        for do, word in ANSWERS
    ]
    shown = {"tag": call.reminder.id, "url": call.link, "clickAction": call.link}
    return {
        "title": call.reminder.content,
        "message": call.text,
        "data": {**shown, "actions": buttons},
    }


class Pushover:
    """`pover://user@token/?priority=emergency`: rings until acknowledged, with a receipt."""

    def __init__(self, apprise: Apprise, sender: HttpSender, api: str = PUSHOVER) -> None:
        self._apprise = apprise
        self._sender = sender
        self._api = api

    async def tell(self, call: ContactCall) -> str:
        """The receipt; empty when the address asks for no emergency."""
        plugin: Any = await self._apprise.read(call.contact.address)
        if plugin.priority != EMERGENCY or plugin.groups:
            return ""
        devices = [one for one in plugin.devices if isinstance(one, str) and one.isidentifier()]
        form = {
            "token": plugin.token,
            "user": plugin.user_key,
            "title": call.reminder.content,
            "message": call.text,
            "priority": EMERGENCY,
            "retry": plugin.interval,
            "expire": plugin.expire,
            "url": call.link,
            **({"device": ",".join(devices)} if devices else {}),
        }
        said = await self._ask("/1/messages.json", form)
        return str(said.get("receipt", ""))

    async def look_up(self, address: str, receipt: str) -> MessageFate:
        plugin: Any = await self._apprise.read(address)
        query = urlencode({"token": plugin.token})
        said = await self._ask(f"/1/receipts/{receipt}.json?{query}")
        seen = bool(said.get("acknowledged"))
        return MessageFate(
            delivered=bool(said.get("last_delivered_at")),
            opened=seen,
            over=seen or bool(said.get("expired")),
        )

    async def withdraw(self, address: str, receipt: str) -> None:
        plugin: Any = await self._apprise.read(address)
        await self._ask(f"/1/receipts/{receipt}/cancel.json", {"token": plugin.token})

    async def _ask(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any]:
        """Without a form it is only looked at."""
        body = urlencode(form).encode() if form is not None else b""
        answer = await self._sender.ask(
            f"{self._api}{path}",
            body,
            {"content-type": "application/x-www-form-urlencoded"} if form is not None else {},
            bytes_max=ANSWER_BYTES_MAX,
            method="POST" if form is not None else "GET",
        )
        if answer.status not in OK:
            raise Unavailable(f"Pushover answered {answer.status}.", retry_after=60)
        try:
            said = json.loads(answer.body)
        except ValueError:
            raise Unavailable("Pushover's answer cannot be read.", retry_after=60) from None
        return said if isinstance(said, dict) else {}
