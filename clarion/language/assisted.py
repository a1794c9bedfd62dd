"""Language with an LLM's help, where there is one: the rules first, and their word is final."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.language import phrasing
from clarion.language.answer.model import Answer, Label
from clarion.language.answer.reader import read
from clarion.language.ports import AnswerJudge, FollowUpWriter, Occasion, PhraseWriter


async def understand(
    reply: str,
    content: str,
    judge: AnswerJudge | None,
    *,
    now: datetime | None = None,
    zone: ZoneInfo | None = None,
    keywords: Sequence[str] = (),
) -> Answer:
    """The rules' reading; only where it is UNCLEAR, the judge's."""
    answer = read(reply, content, now=now, zone=zone, keywords=keywords)
    if answer.label is not Label.UNCLEAR or judge is None:
        return answer
    return await judge.judge(reply, content, answer) or answer


async def words(occasion: Occasion, writer: PhraseWriter | None, *, seed: str = "") -> str:
    """The writer's sentence if it passes the checks, else a template. Never empty."""
    written = None if writer is None else await writer.write(occasion)
    if written and phrasing.is_sayable(written, occasion.content, occasion.lang):
        return written
    return phrasing.phrase(
        occasion.content,
        attempt=occasion.attempt,
        confirm=occasion.confirm,
        name=occasion.name,
        lang=occasion.lang,
        local_hour=occasion.local_hour,
        late=occasion.late,
        seed=seed,
    )


async def question(
    content: str, reply: str, writer: FollowUpWriter | None, *, lang: str = "zh", seed: str = ""
) -> str:
    """The one follow-up question for a reply that stayed UNCLEAR."""
    written = None if writer is None else await writer.ask(content, reply, lang)
    if written and phrasing.is_askable(written, lang):
        return written
    return phrasing.follow_up(content, lang=lang, seed=seed)
