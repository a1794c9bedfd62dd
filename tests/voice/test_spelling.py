"""What is spoken is right, to the digit: phonemes of espeak-ng, and numbers read back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.language.when.words import chinese
from clarion.voice.espeak import LOCK, library
from clarion.voice.spelling import spell, voice_of, voices
from clarion.voice.spelling_en import ONES

PHRASES = Path(__file__).with_name("phrases.tsv")
NOT_SOUND = re.compile(r"[^A-Za-z0-9@&\[\]]")  # stress and pauses


def phrases() -> list[tuple[str, str, str]]:
    rows = [line.split("\t") for line in PHRASES.read_text(encoding="utf-8").splitlines()[1:]]
    return [(language, text, expected) for language, text, expected in rows]


def sound(text: str, language: str) -> str:
    with LOCK:
        parts = [library().phonemes(*part) for part in voices(text, language)]
    return NOT_SOUND.sub("", "".join(parts))


def test_phrases_of_care_sound_as_they_are_meant() -> None:
    wrong = [
        (text, spelled, expected)
        for language, text, expected in phrases()
        if sound(spelled := spell(text, language), voice_of(text, language))
        != sound(expected, voice_of(expected, language))
    ]

    assert not wrong
    assert len(phrases()) >= 200


@pytest.mark.parametrize(
    ("text", "language", "parts"),
    [
        ("Take 吃药 now", "en", [("Take ", "en"), ("吃药", "zh"), (" now", "en")]),
        ("吃 vitamin C", "zh", [("吃", "zh"), (" vitamin C", "en")]),
        ("八点三十分", "zh", [("八点三十分", "zh")]),
        ("吃药", "en", [("吃药", "zh")]),
    ],
)
def test_each_script_has_its_voice(text: str, language: str, parts: list[tuple[str, str]]) -> None:
    assert voices(text, language) == parts


@pytest.mark.parametrize(
    ("text", "language"),
    [("take the pills", "en"), ("吃 vitamin C", "zh"), ("12:30", "zh"), ("0.5ml", "zh")],
)
def test_latin_letters_alone_are_not_mandarin(text: str, language: str) -> None:
    assert voice_of(text, "zh") == language


@given(st.integers(0, 10**8 - 1), st.sampled_from(["毫克", "元", "步"]))
def test_a_whole_amount_keeps_its_value_in_mandarin(value: int, unit: str) -> None:
    said = spell(f"共{value}{unit}", "zh")

    assert chinese(said.removeprefix("共").removesuffix(unit)) == value


@given(st.integers(0, 9_999), st.text("0123456789", min_size=1, max_size=4))
def test_no_digit_after_the_point_is_lost(before: int, after: str) -> None:
    zh, en = spell(f"吃{before}.{after}毫克", "zh"), spell(f"take {before}.{after} mg", "en")

    assert zh.endswith("点" + "".join("零一二三四五六七八九"[int(one)] for one in after) + "毫克")
    assert en.endswith("point " + " ".join(ONES[int(one)] for one in after) + " milligrams")


@given(st.text("0123456789./:-%~ 片粒mg℃室年月日号,+", max_size=24))
def test_no_figure_is_left_to_the_mandarin_voice(text: str) -> None:
    assert not re.search(r"\d", spell("药" + text, "zh"))
