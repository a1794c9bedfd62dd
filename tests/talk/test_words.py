"""Nothing that Clarion says may sound like a yes unless something was written."""

import pytest

from clarion.talk.words import CLAIMS, PLAIN, claim, sounds_like_yes


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_plain_sentence_sounds_like_a_yes(language: str) -> None:
    assert [key for key, text in PLAIN[language].items() if sounds_like_yes(text)] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_claim_needs_its_proof(language: str) -> None:
    assert claim("silent", language, ["rem_1"])
    with pytest.raises(AssertionError, match="was not done"):
        claim("silent", language, [])


def test_both_languages_have_the_same_sentences() -> None:
    assert CLAIMS["zh"].keys() == CLAIMS["en"].keys()
    assert PLAIN["zh"].keys() == PLAIN["en"].keys()


@pytest.mark.parametrize(
    "said",
    [
        "好的，我八点提醒你吃药",
        "没问题，已经帮您取消了",
        "Sure, I'll remind you at eight.",
        "Done! Your alarm has been set.",
        "I've moved it to nine.",
    ],
)
def test_what_sounds_like_a_yes_is_heard_as_one(said: str) -> None:
    assert sounds_like_yes(said)


@pytest.mark.parametrize("said", ["药有点苦，喝口水吧。", "It is bitter. Drink some water."])
def test_plain_talk_is_let_through(said: str) -> None:
    assert not sounds_like_yes(said)
