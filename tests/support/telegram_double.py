"""A Telegram Bot API server on loopback: stateful and strict where the real one is."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.support.http import serving

TOKEN = "42:secret"
UNITS_MAX = 4096
CAPTION_UNITS_MAX = 1024
UPDATES_MAX = 100  # in one answer


class TelegramDouble:
    """Chats with members, updates with an offset, and errors laid in the way of next calls."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.members: dict[tuple[int, int], str] = {}
        self.messages: dict[tuple[int, int], dict[str, Any]] = {}
        """What people said, by chat and number."""
        self.pictures: dict[int, dict[str, Any]] = {}
        """The later pictures of albums that were sent, by number."""
        self.chats: dict[int, dict[str, Any]] = {}
        """What the bot can know of chats; one that is not here is not found."""
        self.migrated: dict[int, int] = {}
        """Groups that became supergroups: the old number refuses, and names the new one."""
        self.failures: list[dict[str, Any] | None] = []
        """The next send or edit answers with the first of these; None: it goes well."""
        self.trouble: dict[str, str] = {}
        """By method, or `*` for all: `502`, `html` from something in between, `hang`, `429`."""
        self._updates: list[dict[str, Any]] = []
        self._told = ""
        """Everything that the bot has been told: file names that it may use."""
        self._update_ids = itertools.count(1000)
        self._message_ids = itertools.count(1)
        self._arrived = asyncio.Event()
        self.polling = 0
        self.base_url = ""

    def say(self, text: str, *, chat: dict[str, Any], user: dict[str, Any], **more: Any) -> int:
        message = {"message_id": next(self._message_ids), "date": 1_900_000_000, "chat": chat}
        if text.startswith("/"):
            length = len(text.split()[0])
            message["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        body = {**message, "from": user, **({"text": text} if text else {}), **more}
        self.messages[chat["id"], int(body["message_id"])] = body
        return self.update("message", body)

    def tell(self, text: str, *, chat: dict[str, Any], user: dict[str, Any], **more: Any) -> int:
        """As `say`; the message's own number."""
        self.say(text, chat=chat, user=user, **more)
        return int(list(self.messages)[-1][1])

    def post(self, text: str, *, chat: dict[str, Any], **more: Any) -> int:
        """In a channel, where nobody says who they are."""
        post = {"message_id": next(self._message_ids), "date": 1_900_000_000, "chat": chat}
        if text.startswith("/"):
            length = len(text.split()[0])
            post["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        return self.update("channel_post", {**post, "sender_chat": chat, "text": text, **more})

    def press(self, data: str, *, chat: dict[str, Any], user: dict[str, Any], message: int) -> int:
        shown = {"message_id": message, "date": 1_900_000_000, "chat": chat}
        tap = {"id": str(next(self._message_ids)), "from": user, "data": data, "message": shown}
        return self.update("callback_query", tap)

    def migrate(self, chat: dict[str, Any], to: int) -> dict[str, Any]:
        """The group is a supergroup from now on. Its old messages stay where they are."""
        self.migrated[chat["id"]] = to
        told = {"message_id": next(self._message_ids), "date": 1_900_000_000, "chat": chat}
        self.update("message", {**told, "migrate_to_chat_id": to})
        return {**chat, "id": to, "type": "supergroup"}

    def set_member(self, chat: dict[str, Any], user: dict[str, Any], status: str) -> None:
        self.members[chat["id"], user["id"]] = status
        changed = {"chat": chat, "new_chat_member": {"status": status, "user": user}}
        self.update("chat_member", changed)

    def update(self, kind: str, body: dict[str, Any]) -> int:
        number = next(self._update_ids)
        self._updates.append({"update_id": number, kind: body})
        self._told += json.dumps(body)
        self._arrived.set()
        return number

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """Updates that nobody has acknowledged."""
        return list(self._updates)

    @property
    def forgotten(self) -> bool:
        """True when every update has been acknowledged by a later offset."""
        return not self._updates

    async def answer(self, request: Request) -> Response:
        if request.path_params["token"] != TOKEN:
            return failure(401, "Unauthorized")
        method = request.path_params["method"]
        arguments = await read_arguments(request)
        self.calls.append((method, arguments))
        if trouble := self.trouble.get(method) or self.trouble.get("*"):
            return await self._in_trouble(trouble)
        handler = getattr(self, f"_{method}", None)
        if handler is None:
            return failure(404, "Not Found")
        if to := self.migrated.get(int(arguments.get("chat_id", 0))):
            words = "Bad Request: group chat was upgraded to a supergroup chat"
            return failure(400, words, migrate_to_chat_id=to)
        answer: Response = await handler(arguments)
        return answer

    async def _in_trouble(self, trouble: str) -> Response:
        """Nothing that was asked for is done."""
        if trouble == "hang":
            await asyncio.Event().wait()
        if trouble == "html":
            return PlainTextResponse("<h1>403 Forbidden</h1>", status_code=403)
        if trouble == "429":
            return failure(429, "Too Many Requests", retry_after=7)
        return failure(int(trouble), "Bad Gateway")

    async def _getMe(self, _arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802  theirs
        return success({"id": 42, "is_bot": True, "username": "ClarionBot", "first_name": "C"})

    async def _getUpdates(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        if self.polling:
            return failure(409, "Conflict: terminated by other getUpdates request")
        offset = int(arguments.get("offset", 0))
        self._updates = [each for each in self._updates if each["update_id"] >= offset]
        self.polling += 1
        try:
            if not self._updates and int(arguments.get("timeout", 0)):
                self._arrived.clear()
                async with asyncio.timeout(1):
                    await self._arrived.wait()
        except TimeoutError:
            pass
        finally:
            self.polling -= 1
        return success(self._updates[:UPDATES_MAX])

    async def _getChatMember(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        who = int(arguments["chat_id"]), int(arguments["user_id"])
        if who not in self.members:
            return failure(400, "Bad Request: user not found")
        return success({"status": self.members[who], "user": {"id": who[1]}})

    async def _sendMessage(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        if self.failures and (laid := self.failures.pop(0)) is not None:
            return failure(**laid)
        text = arguments.get("text", "")
        if not text:
            return failure(400, "Bad Request: message text is empty")
        if len(text.encode("utf-16-le")) // 2 > UNITS_MAX:
            return failure(400, "Bad Request: message is too long")
        for entity in arguments.get("entities") or []:
            if entity["offset"] + entity["length"] > len(text.encode("utf-16-le")) // 2:
                return failure(400, "Bad Request: ENTITY_BOUNDS_INVALID")
        for row in (arguments.get("reply_markup") or {}).get("inline_keyboard", []):
            for button in row:
                if len(button["callback_data"].encode()) > 64:
                    return failure(400, "Bad Request: BUTTON_DATA_INVALID")
        number = next(self._message_ids)
        self.sent.append({"message_id": number, **arguments})
        chat = {"id": int(arguments["chat_id"]), "type": "group"}
        return success({"message_id": number, "date": 1, "chat": chat, "text": text})

    async def _copyMessage(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        if self.failures and (laid := self.failures.pop(0)) is not None:
            return failure(**laid)
        origin = int(arguments["from_chat_id"]), int(arguments["message_id"])
        if origin not in self.messages:
            return failure(400, "Bad Request: message to copy not found")
        if self.messages[origin].get("has_protected_content"):
            return failure(400, "Bad Request: message can't be copied")
        if len(arguments.get("caption", "").encode("utf-16-le")) // 2 > CAPTION_UNITS_MAX:
            return failure(400, "Bad Request: message caption is too long")
        number = next(self._message_ids)
        copy = {"copied": origin, "text": arguments.get("caption", ""), "message_id": number}
        self.sent.append({**arguments, **copy})
        return success({"message_id": number})

    async def _copyMessages(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        """An album; ids must rise, and of those that are not found the others are copied."""
        numbers = [int(one) for one in arguments["message_ids"]]
        if numbers != sorted(set(numbers)) or not 1 <= len(numbers) <= 100:
            return failure(400, "Bad Request: message identifiers must be in increasing order")
        chat = int(arguments["from_chat_id"])
        there = [one for one in numbers if (chat, one) in self.messages]
        hidden = [one for one in there if self.messages[chat, one].get("has_protected_content")]
        if hidden:
            there = [one for one in there if one not in hidden]
            if not there:
                return success([])
        if not there:
            return failure(400, "Bad Request: messages to copy not found")
        made = [next(self._message_ids) for _ in there]
        self.sent.append({**arguments, "copied": there, "text": "", "message_id": made[0]})
        for number, one in zip(made[1:], there[1:], strict=True):
            said = self.messages[chat, one].get("caption", "")
            self.pictures[number] = {"copied": (chat, one), "text": said, "message_id": number}
        return success([{"message_id": one} for one in made])

    def shown(self, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """What an edit is about: a message, or a later picture of an album."""
        number = int(arguments["message_id"])
        sent = {int(each["message_id"]): each for each in self.sent if "deleted" not in each}
        return sent.get(number) or self.pictures.get(number)

    async def _deleteMessages(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        """Those that are not found are skipped, as the real one does."""
        gone = {int(one) for one in arguments["message_ids"]}
        if not 1 <= len(gone) <= 100:
            return failure(400, "Bad Request: message identifiers are not specified")
        chat = int(arguments["chat_id"])
        for each in self.sent:
            if int(each["chat_id"]) == chat and int(each["message_id"]) in gone:
                each["deleted"] = True
        return success(True)

    async def _editMessageCaption(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        message = self.shown(arguments)
        if message is None:
            return failure(400, "Bad Request: message to edit not found")
        if "copied" not in message and "shows" not in message:
            return failure(400, "Bad Request: there is no caption in the message to edit")
        if len(arguments["caption"].encode("utf-16-le")) // 2 > CAPTION_UNITS_MAX:
            return failure(400, "Bad Request: message caption is too long")
        if message["text"] == arguments["caption"]:
            return failure(400, "Bad Request: message is not modified: same content")
        message["text"] = arguments["caption"]
        return success({"message_id": int(arguments["message_id"])})

    async def _editMessageMedia(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        """Another picture or file, by the name that a message of somebody's had."""
        message = self.shown(arguments)
        media = arguments["media"]
        if message is None:
            return failure(400, "Bad Request: message to edit not found")
        if media["type"] not in ("animation", "audio", "document", "photo", "video"):
            return failure(400, "Bad Request: can't parse InputMedia: type must be ...")
        if f'"file_id": "{media["media"]}"' not in self._told:
            return failure(400, "Bad Request: wrong remote file identifier specified")
        if len(media.get("caption", "").encode("utf-16-le")) // 2 > CAPTION_UNITS_MAX:
            return failure(400, "Bad Request: message caption is too long")
        after = {"shows": media["media"], "text": media.get("caption", "")}
        if all(message.get(key) == value for key, value in after.items()):
            return failure(400, "Bad Request: message is not modified: same content")
        message.update(after)
        return success({"message_id": int(arguments["message_id"])})

    async def _getChat(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        known = self.chats.get(int(arguments["chat_id"]))
        return success(known) if known else failure(400, "Bad Request: chat not found")

    async def _editMessageText(self, arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        if self.failures and (laid := self.failures.pop(0)) is not None:
            return failure(**laid)
        message = self.shown(arguments)
        if message is None:
            return failure(400, "Bad Request: message to edit not found")
        after = {**message, "reply_markup": None, **arguments}
        if all(message.get(key) == after.get(key) for key in ("text", "reply_markup")):
            return failure(400, "Bad Request: message is not modified: same content")
        message.update(after)
        return success({"message_id": int(arguments["message_id"]), "date": 1})

    async def _answerCallbackQuery(self, _arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        return success(True)

    async def _setMyCommands(self, _arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        return success(True)

    async def _setWebhook(self, _arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        return success(True)

    async def _deleteWebhook(self, _arguments: dict[str, Any]) -> JSONResponse:  # noqa: N802
        return success(True)


async def read_arguments(request: Request) -> dict[str, Any]:
    body = (await request.body()).decode()
    if request.headers.get("content-type", "").startswith("application/json"):
        read: dict[str, Any] = json.loads(body or "{}")
        return read
    return {name: _plain(values[0]) for name, values in parse_qs(body).items()}


def _plain(text: str) -> Any:
    if text[:1] in "[{":
        return json.loads(text)
    return text


def success(result: object) -> JSONResponse:
    return JSONResponse({"ok": True, "result": result})


def failure(code: int, words: str, **parameters: int) -> JSONResponse:
    body = {"ok": False, "error_code": code, "description": words, "parameters": parameters}
    return JSONResponse(body, status_code=code)


@asynccontextmanager
async def telegram_double() -> AsyncIterator[TelegramDouble]:
    """Served on a free port of loopback until the block ends."""
    double = TelegramDouble()
    route = Route("/bot{token}/{method}", double.answer, methods=["GET", "POST"])
    async with serving(Starlette(routes=[route])) as address:
        double.base_url = f"{address}/bot"
        yield double
