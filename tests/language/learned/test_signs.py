"""How a reply stands to its content, as the models see it."""

import pytest

from clarion.language.learned.features import coverage, signs
from clarion.language.learned.tokens import prepared


@pytest.mark.parametrize(
    ("reply", "content", "expected"),
    [
        ("吃了", "吃药", "part first "),
        ("药吃了", "吃药", "all first last"),
        ("emailed them", "call the bank", "none  "),
        ("fed the cat", "feed the cat", "all first last"),
    ],
)
def test_what_of_the_content_is_named(reply: str, content: str, expected: str) -> None:
    assert coverage(prepared(reply), content) == expected


@pytest.mark.parametrize(
    ("reply", "content", "sign"),
    [
        ("早上的吃了", "吃早上的药", "morning same"),
        ("早上的吃了", "吃晚上的药", "morning other"),
        ("给我妈量过了", "量血压", "person other"),
        ("喝了一杯", "别喝酒", "negated"),
        ("药吃了", "吃药和量血压", "several"),
        ("三十六度八", "量血压", "value other"),
    ],
)
def test_a_sign_tells_what_a_single_word_cannot(reply: str, content: str, sign: str) -> None:
    assert sign in signs(reply, content)


def test_plain_words_to_a_plain_content_have_no_sign() -> None:
    assert signs("好的", "吃药") == []
