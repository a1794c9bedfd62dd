"""English words that ask to be reminded: "wake me up", "set an alarm", "don't let me forget"."""

from clarion.language.when.stream import Pieces, TokenStream, one
from clarion.language.when.words.wordlist import words


def asked(s: TokenStream, i: int) -> Pieces | None:
    """Remind me, wake me up, ping us; "remind" alone asks for somebody else."""
    if s.kinds[i + 1] == "me":
        end = i + 3 if s.tokens[i].raw == "wake" and s.tokens[i + 2].raw == "up" else i + 2
        return one(s, "verb", None, i, end)
    return one(s, "verb", s.tokens[i].raw, i, i + 1) if s.tokens[i].raw == "remind" else None


def made(s: TokenStream, i: int) -> Pieces | None:
    """Set an alarm, create a reminder, start a timer."""
    j = i + 1
    while j < i + 4 and s.kinds[j] in ("a", "the", "gap", "me", "rel_word"):
        j += 1
    return one(s, "verb", "alarm", i, j + 1) if s.kinds[j] == "alarm" else None


def given(s: TokenStream, i: int) -> Pieces | None:
    """Give me a shout, a nudge, a quick ring."""
    j = i + 2
    while j < i + 5 and s.kinds[j] in ("a", "gap") and s.tokens[j].raw not in GIVEN:
        j += 1
    if s.kinds[i + 1] != "me" or s.tokens[j].raw not in GIVEN:
        return None
    return one(s, "verb", None, i, j + 1)


GIVEN = frozenset(
    words(
        "shout nudge ring buzz bell call kick prod poke ping holler knock reminder alarm alert text"
    )
)


def recalled(s: TokenStream, i: int) -> Pieces | None:
    """Don't forget to, don't let me forget to, remember to, let me know."""
    j = i
    if s.kinds[j] == "not":
        j += 1
        if s.kinds[j] == "let" and s.kinds[j + 1] == "me":
            j += 2
        return one(s, "recall", None, i, j + 1) if s.kinds[j] == "forget" else None
    if s.kinds[i] == "let" and s.kinds[i + 1] == "me" and s.tokens[i + 2].raw == "know":
        return one(s, "verb", None, i, i + 3)
    return one(s, "recall", None, i, i + 1) if s.kinds[i] == "remember" else None
