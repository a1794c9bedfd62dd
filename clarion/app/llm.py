"""Joins the language model, where one is set. Without it everything works by rules alone."""

from dataclasses import dataclass

from clarion.app.parts import Parts
from clarion.language.assisted import AnswerJudge, FollowUpWriter, PhraseWriter
from clarion.llm.client import CallMeter, LlmClient, LlmOptions
from clarion.llm.judge import LlmJudge
from clarion.llm.times import LlmTimes
from clarion.llm.writing import LlmPhrases, ModelConversation
from clarion.reminders.ports import TimeReader


@dataclass(frozen=True, slots=True)
class Helpers:
    """Each is None when no model is set."""

    client: LlmClient | None = None
    judge: AnswerJudge | None = None
    asks: FollowUpWriter | None = None
    phrases: PhraseWriter | None = None
    times: TimeReader | None = None
    talk: ModelConversation | None = None


def add_llm(parts: Parts, meter: CallMeter | None = None) -> Helpers:
    settings = parts.settings
    if not settings.llm_url:
        return Helpers()
    options = LlmOptions(
        base_url=settings.llm_url,
        model=settings.llm_model,
        api_key=settings.llm_key,
        timeout=settings.llm_timeout.total_seconds(),
    )
    client = LlmClient(options, parts.clock, meter=meter)
    parts.closing.push_async_callback(client.close)
    phrases = LlmPhrases(client)
    return Helpers(
        client=client,
        judge=LlmJudge(client),
        asks=phrases,
        phrases=phrases,
        times=LlmTimes(client),
        talk=ModelConversation(client),
    )
