"""Opus by PyAV: samples to packets and back, with resampling. Blocking: call it in a thread."""

import io
import wave
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from clarion.voice.sound import NoVoice, Pcm

BITS_PER_SECOND = 24_000
DECODED_RATE = 48_000  # what the decoder always puts out


def encode(sound: Pcm, rate: int, frame_ms: int) -> list[bytes]:
    """Packets of exactly `frame_ms`, mono; the last one is filled up with silence."""
    av = _av()
    codec = _encoder(av, rate, frame_ms)
    resampler = av.AudioResampler(
        format="s16", layout="mono", rate=rate, frame_size=codec.frame_size
    )
    frames = resampler.resample(_frame(av, _whole(sound, rate, codec.frame_size)))
    packets: list[bytes] = []
    for frame in [*frames, *resampler.resample(None), None]:
        packets += [bytes(packet) for packet in codec.encode(frame)]
    return [packet for packet in packets if packet]


def ogg(packets: Sequence[bytes], rate: int, frame_ms: int) -> bytes:
    """The same packets as a file that devices and browsers play."""
    av = _av()
    out = io.BytesIO()
    with av.open(out, "w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=rate, layout="mono")
        stream.codec_context.options = {"frame_duration": str(frame_ms)}
        stream.codec_context.open()
        ticks = DECODED_RATE * frame_ms // 1000
        for number, packet in enumerate(packets):
            made = av.Packet(packet)
            made.stream = stream
            made.time_base = Fraction(1, DECODED_RATE)
            made.pts = made.dts = number * ticks
            made.duration = ticks
            container.mux(made)
    return out.getvalue()


class Decoder:
    """One direction of one conversation: keeps the codec's state between packets."""

    def __init__(self, rate: int) -> None:
        av = _av()
        self._av = av
        self._errors = (av.error.FFmpegError, ValueError)
        self._codec = av.CodecContext.create("opus", "r")
        self._codec.sample_rate = DECODED_RATE
        self._codec.layout = "mono"
        self._resampler = av.AudioResampler(format="s16", layout="mono", rate=rate)

    def decode(self, packet: bytes) -> bytes:
        """Samples of one packet; empty for a packet that is none."""
        try:
            frames = self._codec.decode(self._av.Packet(packet))
            return b"".join(
                _samples(part) for frame in frames for part in self._resampler.resample(frame)
            )
        except self._errors:
            return b""


def read_any(content: bytes, rate: int) -> Pcm:
    """Samples of a whole file: WAV, MP3, Ogg, whatever a service answers with."""
    av = _av()
    try:
        with av.open(io.BytesIO(content)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=rate)
            parts = [
                _samples(part)
                for frame in [*container.decode(audio=0), None]
                for part in resampler.resample(frame)
            ]
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise NoVoice("The answer of the speech service is not sound.") from error
    return Pcm(b"".join(parts), rate)


def wav(sound: Pcm) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(sound.samples)
    return out.getvalue()


def _whole(sound: Pcm, rate: int, frame_size: int) -> Pcm:
    """Filled up with silence to whole frames, so that every packet lasts as long."""
    wanted = -(-len(sound.samples) // 2 * rate // sound.rate // frame_size) + 1
    samples = -(-wanted * frame_size * sound.rate // rate)
    return Pcm(sound.samples.ljust(samples * 2, b"\0"), sound.rate)


def _encoder(av: Any, rate: int, frame_ms: int) -> Any:
    codec = av.CodecContext.create("libopus", "w")
    codec.sample_rate = rate
    codec.layout = "mono"
    codec.format = "s16"
    codec.bit_rate = BITS_PER_SECOND
    codec.options = {"frame_duration": str(frame_ms), "application": "voip"}
    codec.open()
    return codec


def _frame(av: Any, sound: Pcm) -> Any:
    frame = av.AudioFrame(format="s16", layout="mono", samples=len(sound.samples) // 2)
    frame.planes[0].update(sound.samples)
    frame.sample_rate = sound.rate
    return frame


def _samples(frame: Any) -> bytes:
    return bytes(frame.planes[0])[: frame.samples * 2]


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise NoVoice(
            "PyAV is not installed.", hint='Install Clarion with "clarion[voice]".'
        ) from error
    return av
