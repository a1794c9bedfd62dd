"""Turns what a speaker said of themselves into what is said to them: my pills, your pills."""

import re

_TO_YOU = {
    "my": "your",
    "mine": "yours",
    "me": "you",
    "myself": "yourself",
    "i": "you",
    "i'm": "you're",
    "i've": "you've",
    "i'll": "you'll",
    "i'd": "you'd",
    "our": "your",
    "ours": "yours",
}
_SELF = re.compile(
    r"\b(?P<be>i (?:am|was)|am i|was i)\b|(?<![\w'.])(?:"
    + "|".join(sorted(_TO_YOU, key=len, reverse=True))
    + r")(?![\w'@]|\.\w)",
    re.IGNORECASE,
)
_BE = {"i am": "you are", "i was": "you were", "am i": "are you", "was i": "were you"}


def to_listener(content: str, lang: str) -> str:
    """English only, and only whole words: "take my pills" is "take your pills"."""
    if lang == "zh" or not content.isascii():
        return content
    return _SELF.sub(_turned, content.replace("\u2019", "'"))


def _turned(found: re.Match[str]) -> str:
    said = found[0]
    if said == "i" and found.end() == len(found.string):
        return said  # vitamin i
    you = _BE[said.lower()] if found["be"] else _TO_YOU[said.lower()]
    return you[0].upper() + you[1:] if said[0].isupper() and found.start() == 0 else you
