import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from clarion.voice import opus
from clarion.voice.ears import VoiceEars
from clarion.voice.espeak import Espeak
from clarion.voice.sound import NotHeard, Pcm
from clarion.voice.turn import CHUNK, SpeechTurn

SILENCE = bytes(CHUNK * 2)


@pytest.fixture(scope="module")
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


class Listener:
    """Understands everything as its length, and tells when it did."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails
        self.sounds: asyncio.Queue[Pcm] = asyncio.Queue()
        self.words: asyncio.Queue[str] = asyncio.Queue()
        self.voices = 0

    async def understand(self, sound: Pcm) -> str:
        self.sounds.put_nowait(sound)
        if self.fails:
            raise NotHeard("away")
        return "吃过了"

    def hear_voice(self) -> None:
        self.voices += 1


def microphone(threads: ThreadPoolExecutor, *parts: str | float) -> list[bytes]:
    """Packets of what is said, and of silence in seconds, as a device would send them."""
    espeak = Espeak(threads)
    samples = b""
    for part in parts:
        samples += (
            espeak.say_now(part, "zh").samples
            if isinstance(part, str)
            else bytes(int(part * 22_050) * 2)
        )
    return opus.encode(Pcm(samples, 22_050), 16_000, 60)


async def test_the_end_of_speech_is_noticed(threads: ThreadPoolExecutor) -> None:
    listener = Listener()
    ear = VoiceEars(listener, threads).open(
        rate=16_000, ends_itself=True, voice=listener.hear_voice, words=listener.words.put_nowait
    )

    for packet in microphone(threads, 0.5, "我已经吃过药了", 1.5):
        ear.feed(packet)
    words = await listener.words.get()
    sound = await listener.sounds.get()
    ear.close()

    assert words == "吃过了"
    assert 1.0 < sound.seconds < 4.0
    assert listener.voices > 0
    assert listener.sounds.empty()


async def test_a_button_ends_the_turn_in_manual_mode(threads: ThreadPoolExecutor) -> None:
    listener = Listener()
    ear = VoiceEars(listener, threads).open(
        rate=16_000, ends_itself=False, voice=listener.hear_voice, words=listener.words.put_nowait
    )

    for packet in microphone(threads, "吃过了", 0.2):
        ear.feed(packet)
    ear.finish()

    assert await listener.words.get() == "吃过了"
    ear.close()


async def test_silence_is_nothing(threads: ThreadPoolExecutor) -> None:
    listener = Listener()
    ear = VoiceEars(listener, threads).open(
        rate=16_000, ends_itself=True, voice=listener.hear_voice, words=listener.words.put_nowait
    )

    for packet in microphone(threads, 2.0):
        ear.feed(packet)
    for packet in microphone(threads, 0.3, "好的", 1.5):
        ear.feed(packet)
    await listener.words.get()
    ear.close()

    assert listener.sounds.qsize() == 1


async def test_a_service_that_is_away_costs_one_turn_and_no_more(
    threads: ThreadPoolExecutor,
) -> None:
    listener = Listener(fails=True)
    ear = VoiceEars(listener, threads).open(
        rate=16_000, ends_itself=True, voice=listener.hear_voice, words=listener.words.put_nowait
    )
    sentence = microphone(threads, 0.3, "我已经吃过药了", 1.5)

    for packet in sentence:
        ear.feed(packet)
    await listener.sounds.get()
    listener.fails = False
    for packet in sentence:
        ear.feed(packet)

    assert await listener.words.get() == "吃过了"
    ear.close()


def test_a_turn_keeps_what_came_just_before_it() -> None:
    turn = SpeechTurn()
    for _ in range(100):
        assert turn.add(SILENCE, 0.0) is None
    for _ in range(20):
        assert turn.add(SILENCE, 0.9) is None

    ended = [turn.add(SILENCE, 0.0) for _ in range(23)]

    assert [one is None for one in ended] == [True] * 21 + [False, True]
    assert ended[21] is not None
    assert 1.3 < len(ended[21]) / 32_000 < 1.8


def test_a_click_is_no_turn() -> None:
    turn = SpeechTurn()

    assert [turn.add(SILENCE, 0.9), turn.add(SILENCE, 0.9)] == [None, None]
    assert [turn.add(SILENCE, 0.0) for _ in range(60)] == [None] * 60


def test_nobody_speaks_for_ever() -> None:
    turn = SpeechTurn()

    ended = [turn.add(SILENCE, 0.9) for _ in range(700)]

    assert any(one is not None for one in ended)


@pytest.mark.parametrize("ends_itself", [True, False], ids=["auto", "manual"])
@pytest.mark.parametrize("rate", [16_000, 24_000])
@pytest.mark.parametrize("frame_ms", [20, 40, 60])
async def test_microphones_may_send_as_they_like(
    threads: ThreadPoolExecutor, frame_ms: int, rate: int, ends_itself: bool
) -> None:
    listener = Listener()
    ear = VoiceEars(listener, threads).open(
        rate=rate,
        ends_itself=ends_itself,
        voice=listener.hear_voice,
        words=listener.words.put_nowait,
    )
    spoken = Espeak(threads).say_now("我已经吃过药了", "zh")
    quiet = Pcm(spoken.samples + bytes(spoken.rate * 2), spoken.rate)  # a second of it

    for packet in opus.encode(quiet, rate, frame_ms):
        ear.feed(packet)
    ear.finish()
    async with asyncio.timeout(30):
        sound = await listener.sounds.get()
        await listener.words.get()
    ear.close()

    assert sound.rate == 16_000
    assert spoken.seconds * 0.8 < sound.seconds < spoken.seconds + 1.3
