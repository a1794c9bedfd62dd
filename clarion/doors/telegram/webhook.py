"""Telegram calls us: the other way to get updates, for servers that can be reached from outside."""

import hmac
from typing import Any

from fastapi import APIRouter, Header, Request, Response

from clarion.base.errors import BadInput, Forbidden
from clarion.doors.telegram import codec
from clarion.doors.telegram.bot import TelegramBot
from clarion.doors.telegram.poller import Receiver

PATH = "/telegram/updates"


def webhook_routes(receiver: Receiver, secret: str) -> APIRouter:
    router = APIRouter(tags=["telegram"], include_in_schema=False)

    @router.post(PATH)
    async def updates(
        request: Request,
        said: str = Header("", alias="X-Telegram-Bot-Api-Secret-Token"),
    ) -> Response:
        """Answered only after the update is kept: anything but a 2xx makes Telegram repeat it."""
        if not hmac.compare_digest(said.encode(), secret.encode()):
            raise Forbidden("That is not Telegram.")
        try:
            update: Any = await request.json()
            number = int(update["update_id"])
        except (ValueError, KeyError, TypeError):
            raise BadInput("That is no update.") from None
        await receiver.keep([{**update, "update_id": number}])
        return Response(status_code=200)

    return router


async def ask_for_calls(bot: TelegramBot, public_url: str, secret: str) -> None:
    """Tell Telegram where to call."""
    call = {
        "url": public_url.rstrip("/") + PATH,
        "secret_token": secret,
        "allowed_updates": codec.UPDATES,
    }
    await bot.call("setWebhook", call)
