"""What an utterance means, for programs that hear people themselves. Nothing is set or changed."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field

from clarion.doors.http.auth import Who
from clarion.doors.http.conventions import PREFIX, Shape, answer_json
from clarion.language.understand import as_fields, situation_of

TEXT_LETTERS_MAX = 2_000


class UtteranceIn(Shape):
    utterance: Annotated[str, Field(max_length=TEXT_LETTERS_MAX, examples=["吃过了"])]
    context: Annotated[
        str,
        Field(
            max_length=TEXT_LETTERS_MAX,
            pattern="^(idle$|ring:|asked:|after:)",
            examples=["ring:吃药"],
        ),
    ] = "idle"
    """`idle`, `ring:<content>`, `asked:<our question>` or `after:<what we said last>`."""


class MeaningOut(Shape):
    intent: str
    """Two in one utterance are joined by `+`, in order."""
    detail: str
    """What it refers to, in the speaker's words; empty when nothing was said of it."""
    confidence: float
    label: str | None
    """CONFIRMED, DENIED or UNCLEAR: what it says to what rings; null when it is no answer."""
    kind: str | None


def understanding_routes() -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["language"])

    @router.post("/understand", response_model=MeaningOut, summary="What does somebody want?")
    async def what_is_meant(who: Who, body: UtteranceIn) -> Response:
        return answer_json(dict(as_fields(body.utterance, situation_of(body.context))))

    return router
