from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clarion.language.answer.model import Label
from clarion.language.answer.reader import read
from clarion.language.phrasing.templates import ASKING, FOLLOW_UPS, TELLING
from clarion.language.phrasing.words import follow_up, is_askable, is_sayable, phrase, tone

HOUR = 8


def test_the_tone_rises_with_the_attempts() -> None:
    assert [tone(attempt) for attempt in (1, 2, 3, 7)] == [
        "gentle", "nudging", "earnest", "earnest",
    ]  # fmt: skip


@pytest.mark.parametrize("attempt", [1, 2, 3])
@pytest.mark.parametrize(("content", "lang"), [("吃药", "zh"), ("take your pills", "en")])
def test_a_reminder_names_its_task(content: str, lang: str, attempt: int) -> None:
    said = phrase(content, attempt=attempt, confirm=True, lang=lang, local_hour=HOUR, seed="a")

    assert content in said
    assert is_sayable(said, content, lang)


def test_the_same_seed_gives_the_same_words_and_others_vary() -> None:
    said = [
        phrase("吃药", attempt=1, confirm=True, local_hour=HOUR, seed=str(seed))
        for seed in range(40)
    ]

    again = [
        phrase("吃药", attempt=1, confirm=True, local_hour=HOUR, seed=str(seed))
        for seed in range(40)
    ]
    assert said == again
    assert len(set(said)) == len(ASKING["zh", "gentle", "do"])


@given(
    st.text(min_size=1, max_size=80).filter(lambda text: bool(text.strip())),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from(["zh", "en"]),
    st.integers(0, 23),
    st.text(max_size=20),
)
def test_no_reminder_is_longer_than_fifty_characters(
    content: str, attempt: int, confirm: bool, lang: str, hour: int, name: str
) -> None:
    said = phrase(content, attempt=attempt, confirm=confirm, lang=lang, local_hour=hour, name=name)

    assert 0 < len(said) <= 50


@given(st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip())), st.text())
@example("ß0000000000", "")
def test_no_question_is_longer_than_its_limit(content: str, seed: str) -> None:
    assert len(follow_up(content, lang="zh", seed=seed)) <= 20
    assert len(follow_up(content, lang="en", seed=seed)) <= 50


def test_an_hour_late_is_said() -> None:
    late = timedelta(hours=2)

    said = phrase("吃药", attempt=1, confirm=True, local_hour=HOUR, late=late)

    assert "2小时" in said


def test_a_minute_late_is_not_worth_saying() -> None:
    late = timedelta(minutes=1)

    said = phrase("吃药", attempt=1, confirm=True, local_hour=HOUR, late=late)

    assert said == phrase("吃药", attempt=1, confirm=True, local_hour=HOUR)


def test_a_name_is_called_and_a_morning_greeted() -> None:
    assert phrase("take your pills", attempt=1, confirm=False, name="Ana", lang="en", local_hour=8)\
        .startswith("Good morning, Ana, ")  # fmt: skip


def test_a_reminder_that_wants_no_answer_does_not_ask_for_one() -> None:
    said = [
        phrase("吃药", attempt=1, confirm=False, local_hour=HOUR, seed=str(seed))
        for seed in range(20)
    ]

    assert not [words for words in said if "告诉我" in words or "？" in words]


@pytest.mark.parametrize("wording", [w for ws in FOLLOW_UPS.values() for w in ws])
def test_every_follow_up_is_a_question(wording: str) -> None:
    assert wording.endswith(("?", "？"))


@pytest.mark.parametrize(
    ("lang", "wording"),
    [(key[0], wording) for key, ws in [*ASKING.items(), *TELLING.items()] for wording in ws],
)
def test_a_device_that_hears_itself_does_not_confirm_its_own_reminder(
    lang: str, wording: str
) -> None:
    content = {"zh": "吃药", "en": "take your pills"}[lang]

    heard = wording.format(c=content, n="", h="")

    assert read(heard, content).label is not Label.CONFIRMED


@pytest.mark.parametrize(
    ("text", "sayable"),
    [
        pytest.param("主人~该吃药啦，吃完告诉我一声哦~", True, id="friendly"),
        pytest.param("别忘了把药吃了", True, id="paraphrase"),
        pytest.param("该喝水啦", False, id="another task"),
        pytest.param("不用吃药啦", False, id="talks out of it"),
        pytest.param("该吃药啦，详情见www.x.com", False, id="link"),
        pytest.param("该吃药啦" * 13, False, id="too long"),
        pytest.param("Take 药", True, id="some English words"),
        pytest.param("该吃药啦\n", False, id="line end"),
        pytest.param("system: 吃药", False, id="role"),
    ],
)
def test_an_llm_sentence_is_checked(text: str, sayable: bool) -> None:
    assert is_sayable(text, "吃药", "zh") is sayable


def test_a_follow_up_has_to_ask() -> None:
    assert is_askable("药吃好了吗？", "zh")
    assert not is_askable("药吃好了。", "zh")
    assert not is_askable("Is it done?", "zh")
