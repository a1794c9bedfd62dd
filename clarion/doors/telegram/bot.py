"""Calls Telegram by python-telegram-bot, and translates its errors into ours."""

import logging
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, Unavailable
from clarion.chats.model import ChatId, PersonId, group_of
from clarion.chats.ports import Gone, MessageRefused, Moved, Outgoing, Paused
from clarion.doors.telegram import codec

if TYPE_CHECKING:
    from telegram.error import TelegramError

log = logging.getLogger(__name__)

RIGHTS_KEPT = 3.0  # seconds: so long at most a former administrator may go on
RIGHTS_MAX = 10_000  # answers that are remembered; old ones are dropped
NEVER_COMES_BACK = (
    "chat not found",
    "user is deactivated",
    "bot was kicked",
    "not a member",
    "rights to send text messages",
    "no rights to send a message",
    "chat_write_forbidden",
    "need administrator rights in the channel",
)
"""Not by itself: only when the bot is added again, or may write again."""
NOT_TO_EDIT = (
    "not modified",
    "message to edit not found",
    "message can't be edited",
    "message to delete not found",
    "message can't be deleted",
)


PERSONAL = {
    "remind": ("Set a reminder", "设提醒"),
    "reminders": ("What comes next", "接下来的提醒"),
    "oncall": ("Who is on call now and next", "现在谁值班，下一位是谁"),
    "cancel": ("Cancel a reminder", "取消提醒"),
    "help": ("What I can do", "我会什么"),
}
MANAGING = {
    "vip": ("This chat's priority", "本群优先级"),
    "list_rules": ("Rules and their numbers", "规则与编号"),
    "queue": ("How much is waiting", "队列里有多少在等"),
    "why": ("Why it is not this chat's turn yet", "为什么还没轮到这里"),
}
MENU = {
    "all_private_chats": PERSONAL | MANAGING,
    "all_group_chats": PERSONAL,
    "all_chat_administrators": PERSONAL | MANAGING,
}


@dataclass(frozen=True, slots=True)
class TelegramOptions:
    token: str
    base_url: str = "https://api.telegram.org/bot"
    poll: timedelta = timedelta(seconds=25)
    patience: timedelta = timedelta(seconds=10)
    """How long one call may take before Telegram counts as away."""


@dataclass(slots=True)
class SentParts:
    calls: int = 0
    ids: list[str] = field(default_factory=list)


class TelegramBot:
    """A chat platform. It needs nobody at the other end to be made."""

    def __init__(self, options: TelegramOptions, clock: Clock) -> None:
        from telegram import Bot
        from telegram.request import HTTPXRequest
        from telegram.warnings import PTBUserWarning

        # We ask for raw answers on purpose (see `codec`), and read either form of `retry_after`.
        warnings.filterwarnings("ignore", "Please use 'Bot|.*`retry_after`", PTBUserWarning)
        self._options = options
        self._clock = clock
        self._rights: dict[tuple[ChatId, PersonId], tuple[float, bool]] = {}
        patience = options.patience.total_seconds()
        self._request = HTTPXRequest(
            connection_pool_size=16, read_timeout=patience, connect_timeout=patience, pool_timeout=5
        )
        # A poll that waits keeps its connection: sending must not queue behind it.
        self._polling = HTTPXRequest(read_timeout=options.poll.total_seconds() + 5)
        self._bot = Bot(
            options.token,
            base_url=options.base_url,
            request=self._request,
            get_updates_request=self._polling,
        )
        self._begun: dict[str, SentParts] = {}
        """What of a long message Telegram has taken, by its key, until all of it is out."""
        self._id = 0
        self.name = ""
        """Without the @; known once Telegram was reached."""

    def bot_name(self, chat_id: ChatId) -> str:
        return self.name

    async def open(self) -> None:
        """Ask Telegram who we are. Raises `Unavailable` while it is away or refuses the token."""
        if not self.name:
            known = await self.call("getMe")
            self._id = int(known["id"])
            self.name = str(known.get("username", ""))

    async def announce(self, prefix: str) -> None:
        """Show the commands in Telegram's own menu, in the reader's language."""
        for language in ("", "zh"):
            for scope, shown in MENU.items():
                menu = [
                    {"command": f"{prefix}{name}", "description": words[language == "zh"]}
                    for name, words in shown.items()
                ]
                call = {"commands": menu, "scope": {"type": scope}, "language_code": language}
                await self.call("setMyCommands", call)

    async def close(self) -> None:
        await self._request.shutdown()
        await self._polling.shutdown()

    async def send(self, outgoing: Outgoing) -> str:
        """The ids of all that was sent for it, by commas.

        When it is cut off in the middle, the next try goes on there: no part is sent twice.
        """
        begun = self._begun.setdefault(outgoing.key, SentParts()) if outgoing.key else SentParts()
        calls = codec.calls_for(outgoing)
        try:
            while begun.calls < len(calls):
                begun.ids += await self._carry_out(*calls[begun.calls], begun.ids)
                begun.calls += 1
        except (MessageRefused, Gone, Moved) as refused:
            self._begun.pop(outgoing.key, None)
            if outgoing.copies and codec.is_words_only(refused.message):
                return await self.send(codec.in_words(outgoing))
            raise
        self._begun.pop(outgoing.key, None)
        return ",".join(begun.ids) or outgoing.edits

    async def _carry_out(
        self, method: str, call: Mapping[str, Any], before: Sequence[str]
    ) -> list[str]:
        """The ids of what it made, or of what it changed in place of making it."""
        is_among_them = codec.WHICH in call
        if is_among_them:
            call = codec.about(call, before)
        made: Any = None
        with suppress(NotModified):
            made = await self.call(method, call)
        if method in codec.EDITING:
            return [] if is_among_them else [str(call["message_id"])]
        made = made if isinstance(made, list) else [made]
        if not made:
            raise MessageRefused(f"messages {codec.NOT_TO_COPY[0]}")
        return [str(one["message_id"]) for one in made if isinstance(one, Mapping)]

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        """Asked of Telegram and kept for moments; without a clear yes, they are none."""
        if not (codec.is_numbered(chat_id) and codec.is_numbered(person)):
            return False
        now, chat_id = self._clock.monotonic(), group_of(chat_id)
        asked_at, known = self._rights.get((chat_id, person), (None, False))
        if asked_at is not None and now - asked_at < RIGHTS_KEPT:
            return known
        whom = {"chat_id": codec.number_of(chat_id), "user_id": codec.number_of(person)}
        try:
            member = await self.call("getChatMember", whom)
        except (MessageRefused, Gone):
            return False
        if len(self._rights) >= RIGHTS_MAX:
            self._rights.clear()
        self._rights[chat_id, person] = (now, codec.is_admin(member))
        return codec.is_admin(member)

    async def problem_with(self, chat_id: ChatId) -> str:
        """As Telegram tells it: whether the chat is there, and the bot may write in it."""
        if not codec.is_numbered(chat_id):
            return "a chat is named by its number, such as telegram:-100123"
        await self.open()
        chat = {"chat_id": codec.number_of(chat_id)}
        try:
            there = await self.call("getChat", chat)
            if there.get("type") == "private":
                return ""
            member = await self.call("getChatMember", {**chat, "user_id": self._id})
        except (MessageRefused, Gone) as refused:
            return refused.message
        return codec.why_silent(there, member)

    def may_be_a_sender(self, person: PersonId) -> bool:
        return codec.is_numbered(person)

    def forget_rights(self, chat_id: ChatId, person: PersonId) -> None:
        self._rights.pop((chat_id, person), None)

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        try:
            await self.call("answerCallbackQuery", {"callback_query_id": button_id, "text": text})
        except ClarionError as error:
            # Telegram drops taps quickly and then refuses the answer: that is harmless.
            log.debug("tap not acknowledged: %s", error)

    async def updates(self, offset: int) -> list[Mapping[str, Any]]:
        """What is new from `offset` on; waits for it as long as the options say."""
        call = {
            "offset": offset,
            "timeout": int(self._options.poll.total_seconds()),
            "allowed_updates": codec.UPDATES,
        }
        got: list[Mapping[str, Any]] = await self.call("getUpdates", call)
        return got

    async def call(self, method: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """The raw answer to one call."""
        from telegram.error import TelegramError

        try:
            return await self._bot.do_api_request(method, dict(arguments or {}))
        except TelegramError as error:
            raise translate(error) from error


def translate(error: "TelegramError") -> ClarionError:
    from telegram import error as theirs

    words = error.message
    match error:
        case _ if isinstance(error.__cause__, theirs.TelegramError):
            # Not Telegram's JSON: a proxy answered, and no chat must be given up because of that.
            return Unavailable(f"Telegram is away: {words}", retry_after=3)
        case theirs.RetryAfter():
            wait = error.retry_after
            seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
            return Paused(words, retry_after=seconds)
        case theirs.ChatMigrated():
            return Moved(codec.chat_id(error.new_chat_id))
        case theirs.Forbidden():
            return Gone(words)
        case theirs.BadRequest() if any(each in words.casefold() for each in NEVER_COMES_BACK):
            return Gone(words)
        case theirs.BadRequest() if any(each in words.casefold() for each in NOT_TO_EDIT):
            return NotModified(words)
        case theirs.BadRequest():
            return MessageRefused(words)
        case theirs.EndPointNotFound() | theirs.InvalidToken():
            # Whatever we send is refused, so it is no message's fault: all wait for a good token.
            return Unavailable(f"Telegram does not take the token: {words}", retry_after=30)
        case theirs.Conflict():
            return UpdatesTaken("Another program polls with the same token.", retry_after=10)
        case _:
            return Unavailable(f"Telegram is away: {words}", retry_after=3)


class UpdatesTaken(Unavailable):
    """Telegram gives each update to one program only, and another one asks for them too."""

    code = "chat_updates_taken"


class NotModified(MessageRefused):
    """The message is unchanged or was deleted: there is nothing to edit."""

    code = "chat_not_modified"
