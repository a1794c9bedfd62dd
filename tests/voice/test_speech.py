import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from fastapi import FastAPI, Request, Response, UploadFile

from clarion.voice import opus
from clarion.voice.espeak import Espeak
from clarion.voice.services import Service, SpeechService, TranscriptionService
from clarion.voice.sound import NotHeard, NoVoice, Pcm
from clarion.voice.speech import Speech
from tests.support.http import serving
from tests.support.sound import likeness, samples

MEDICINE = "该吃药啦，吃完告诉我一声"


@pytest.fixture(scope="module")
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@pytest.fixture
def espeak(threads: ThreadPoolExecutor) -> Espeak:
    return Espeak(threads)


@pytest.mark.parametrize(("text", "language"), [(MEDICINE, "zh"), ("Take your pills.", "en")])
async def test_words_become_speech(espeak: Espeak, text: str, language: str) -> None:
    sound = await espeak.say(text, language)

    assert 0.8 < sound.seconds < 6
    assert np.abs(samples(sound)).max() > 5_000


async def test_mandarin_has_tones(espeak: Espeak) -> None:
    high, falling = await espeak.say("妈", "zh"), await espeak.say("骂", "zh")

    assert high.samples != falling.samples


@pytest.mark.parametrize("rate", [16_000, 24_000])
async def test_speech_survives_opus(espeak: Espeak, rate: int) -> None:
    sound = await espeak.say(MEDICINE, "zh")

    packets = opus.encode(sound, rate, 60)
    decoder = opus.Decoder(sound.rate)
    heard = Pcm(b"".join(decoder.decode(packet) for packet in packets), sound.rate)

    assert sound.seconds <= len(packets) * 0.06 < sound.seconds + 0.25
    assert likeness(sound, heard) > 0.9


def test_a_packet_that_is_none_is_silence() -> None:
    decoder = opus.Decoder(16_000)

    assert [decoder.decode(junk) for junk in (b"", b"\xff" * 400)] == [b"", b""]


async def test_an_ogg_file_holds_the_same_speech(
    espeak: Espeak, threads: ThreadPoolExecutor
) -> None:
    speech = Speech([espeak], threads)

    file = await speech.ogg(MEDICINE, "zh")

    assert file.startswith(b"OggS")
    assert opus.read_any(file, 24_000).seconds == pytest.approx(3.1, abs=0.6)


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.said: list[str] = []

    async def say(self, text: str, language: str) -> Pcm:
        self.said.append(text)
        return Pcm(bytes(24_000), 24_000)


class Mute:
    name = "mute"

    async def say(self, text: str, language: str) -> Pcm:
        raise NoVoice("no voice today")


async def test_the_same_words_are_made_once(threads: ThreadPoolExecutor) -> None:
    counting = Counting()
    speech = Speech([counting], threads)

    await asyncio.gather(*(speech.packets("你好", "zh") for _ in range(20)))
    await speech.packets("你好", "zh")

    assert counting.said == ["你好"]


async def test_old_speech_is_forgotten_when_there_is_too_much(threads: ThreadPoolExecutor) -> None:
    counting = Counting()
    speech = Speech([counting], threads, kept_bytes_max=100)

    for text in ("一", "二", "一"):
        await speech.packets(text, "zh")

    assert counting.said == ["一", "二", "一"]


async def test_another_voice_speaks_when_the_first_cannot(threads: ThreadPoolExecutor) -> None:
    counting = Counting()

    await Speech([Mute(), counting], threads).packets("你好", "zh")

    assert counting.said == ["你好"]


async def test_without_any_voice_it_says_so(threads: ThreadPoolExecutor) -> None:
    with pytest.raises(NoVoice):
        await Speech([Mute()], threads).packets("你好", "zh")


@pytest.fixture
async def service_url() -> AsyncIterator[str]:
    """A speech service that speaks with a sine and understands a length."""
    app = FastAPI()

    @app.post("/v1/audio/speech")
    async def speech(request: Request) -> Response:
        asked = await request.json()
        if asked["input"] == "噪音":
            return Response(b"not sound at all", media_type="audio/wav")
        tone = (np.sin(np.arange(24_000) / 20) * 9_000).astype(np.int16).tobytes()
        return Response(opus.wav(Pcm(tone, 24_000)), media_type="audio/wav")

    @app.post("/v1/audio/transcriptions")
    async def transcriptions(file: UploadFile) -> dict[str, str]:
        return {"text": f" {len(await file.read())} bytes "}

    async with serving(app) as url:
        yield f"{url}/v1"


async def test_a_configured_service_speaks(service_url: str, threads: ThreadPoolExecutor) -> None:
    service = SpeechService(Service(service_url, "key", "tts-1"), threads)

    sound = await service.say("你好", "zh")
    await service.close()

    assert (sound.rate, sound.seconds) == (24_000, 1.0)


@pytest.mark.parametrize("path", ["/v1", "/nowhere"])
async def test_a_service_that_is_broken_is_no_voice(
    service_url: str, threads: ThreadPoolExecutor, path: str
) -> None:
    service = SpeechService(Service(service_url.replace("/v1", path), "", "tts-1"), threads)

    with pytest.raises(NoVoice):
        await service.say("噪音", "zh")
    await service.close()


async def test_a_configured_service_understands(service_url: str) -> None:
    service = TranscriptionService(Service(service_url, "", "whisper-1"), language="zh")

    text = await service.understand(Pcm(bytes(32_000), 16_000))
    await service.close()

    assert text == "32044 bytes"


async def test_a_service_that_is_away_has_not_heard() -> None:
    service = TranscriptionService(Service("http://127.0.0.1:1", "", "whisper-1"))

    with pytest.raises(NotHeard):
        await service.understand(Pcm(bytes(32_000), 16_000))
    await service.close()
