"""Speech services with OpenAI's interface: `/audio/speech` and `/audio/transcriptions`."""

import asyncio
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clarion.exits.http import operator_client
from clarion.voice import opus
from clarion.voice.sound import NotHeard, NoVoice, Pcm

if TYPE_CHECKING:
    import httpx

RATE = 24_000
ANSWER_BYTES_MAX = 20_000_000


@dataclass(frozen=True, slots=True)
class Service:
    """`url` ends before `/audio/…`, as in `https://api.openai.com/v1`."""

    url: str
    key: str
    model: str
    voice: str = ""
    seconds_max: float = 10.0

    def client(self) -> "httpx.AsyncClient":
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return operator_client(self.seconds_max, base_url=self.url.rstrip("/"), headers=headers)


class SpeechService:
    name = "speech service"

    def __init__(self, service: Service, executor: Executor) -> None:
        self._service = service
        self._executor = executor
        self._client = service.client()

    async def say(self, text: str, language: str) -> Pcm:
        import httpx

        asked = {
            "model": self._service.model,
            "input": text,
            "voice": self._service.voice or "alloy",
            "response_format": "wav",
        }
        try:
            answer = await self._client.post("/audio/speech", json=asked)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise NoVoice(f"The speech service is away: {error}", retry_after=10) from error
        if len(answer.content) > ANSWER_BYTES_MAX:
            raise NoVoice("The speech service answered with too much sound.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, opus.read_any, answer.content, RATE)

    async def close(self) -> None:
        await self._client.aclose()


class TranscriptionService:
    def __init__(self, service: Service, *, language: str = "") -> None:
        self._service = service
        self._language = language
        self._client = service.client()

    async def understand(self, sound: Pcm) -> str:
        import httpx

        fields = {"model": self._service.model, "response_format": "json"}
        if self._language:
            fields["language"] = self._language
        file = ("speech.wav", opus.wav(sound), "audio/wav")
        try:
            answer = await self._client.post(
                "/audio/transcriptions", data=fields, files={"file": file}
            )
            answer.raise_for_status()
            text = answer.json()["text"]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise NotHeard(f"The transcription service is away: {error}", retry_after=10) from error
        return str(text).strip()

    async def close(self) -> None:
        await self._client.aclose()
