import asyncio

from clarion.doors.devices.wire.pacing import AFTERGLOW, AHEAD, Phases, Playback

FRAME = 0.02


class Recorder:
    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.sent: list[tuple[float, bytes, int]] = []
        self.begun: list[int] = []
        self.over = asyncio.Event()
        self.over_at = 0.0

    def send(self, packet: bytes, at_ms: int) -> None:
        self.sent.append((self.loop.time(), packet, at_ms))

    def end(self) -> None:
        self.over_at = self.loop.time()
        self.over.set()

    def moments(self) -> list[float]:
        return [at - self.sent[0][0] for at, _, _ in self.sent]


async def test_five_go_ahead_and_the_rest_one_for_each_frame() -> None:
    heard = Recorder()
    playback = Playback(FRAME, heard.send, heard.end)

    playback.add(lambda: heard.begun.append(len(heard.sent)), [bytes([n]) for n in range(12)])
    playback.finish()
    await heard.over.wait()
    moments = heard.moments()

    assert [packet[0] for _, packet, _ in heard.sent] == list(range(12))
    assert [at_ms for _, _, at_ms in heard.sent] == [20 * number for number in range(12)]
    assert max(moments[:AHEAD]) < FRAME / 2
    # Never early: a device has room for twenty packets and no more.
    assert all(
        moment >= (number - AHEAD + 1) * FRAME - 0.002
        for number, moment in enumerate(moments)
        if number >= AHEAD
    )
    assert heard.over_at - heard.sent[0][0] >= (12 + AFTERGLOW) * FRAME - 0.002
    assert heard.begun == [0]


async def test_sentences_follow_one_another_without_a_new_start() -> None:
    heard = Recorder()
    playback = Playback(FRAME, heard.send, heard.end)

    playback.add(lambda: heard.begun.append(len(heard.sent)), [b"a"] * 6)
    playback.add(lambda: heard.begun.append(len(heard.sent)), [b"b"] * 6)
    playback.finish()
    await heard.over.wait()

    assert heard.begun == [0, 6]
    assert heard.moments()[-1] >= (12 - AHEAD) * FRAME - 0.002


async def test_after_a_stop_not_one_more_packet_is_sent() -> None:
    heard = Recorder()
    playback = Playback(FRAME, heard.send, heard.end)
    playback.add(lambda: None, [b"x"] * 50)

    playback.stop()
    playback.finish()
    await heard.over.wait()

    assert len(heard.sent) == AHEAD


async def test_a_sentence_that_comes_late_begins_anew() -> None:
    heard = Recorder()
    playback = Playback(FRAME, heard.send, heard.end)
    playback.add(lambda: None, [b"a"] * 2)
    await asyncio.wait([asyncio.ensure_future(heard.over.wait())], timeout=FRAME * 5)

    playback.add(lambda: None, [b"b"] * AHEAD)
    playback.finish()

    assert len(heard.sent) == 2 + AHEAD


async def test_words_without_sound_end_too() -> None:
    heard = Recorder()
    playback = Playback(FRAME, heard.send, heard.end)

    playback.add(lambda: heard.begun.append(1), [])
    playback.finish()
    await heard.over.wait()

    assert (heard.begun, heard.sent) == ([1], [])


async def test_the_end_waits_for_what_was_written_late() -> None:
    heard = Recorder()
    written: list[float] = []

    def played() -> float:
        written.append(heard.loop.time())
        return heard.sent[0][0] + 10 * FRAME if len(written) < 3 else 0.0

    playback = Playback(FRAME, heard.send, heard.end, played=played)
    playback.add(lambda: None, [b"x"])
    playback.finish()
    await heard.over.wait()

    assert heard.over_at - heard.sent[0][0] >= (10 + AFTERGLOW) * FRAME - 0.006


def test_those_who_begin_together_are_spread_evenly_and_some_in_each_frame() -> None:
    phases = Phases()

    delays = [phases.delay(10.0, 0.06) for _ in range(90)]

    assert delays[0] == 0.0
    assert phases.delay(20.0, 0.06) == 0.0
    frames = [int(delay / 0.06) for delay in delays]
    assert frames == sorted(frames)
    assert [frames.count(frame) for frame in range(3)] == [Phases.PER_FRAME] * 3
    tenths = [int(delay % 0.06 / 0.006) for delay in delays]
    assert all(4 <= tenths.count(tenth) <= 14 for tenth in range(10))
