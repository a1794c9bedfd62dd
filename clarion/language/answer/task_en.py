"""Reads an English content: its verb in all its forms, its thing, and who may do it."""

import re

from clarion.language.answer import kinds as k
from clarion.language.answer import rivals
from clarion.language.answer.families_en import ENGLISH
from clarion.language.answer.family import Family
from clarion.language.answer.verbs_en import IRREGULAR
from clarion.language.when.wordlist import words as listed

_LEAD = re.compile(
    r"^(?:please|remember to|do not forget to|don't forget to|time to|it is time to|it's time to|"
    r"you need to|go and|go ahead and|try to|be sure to|make sure to|at \w+(?: ?[ap]m)?|"
    r"tomorrow|tonight)[ ,:]+"
)
_SMALL = frozenset(
    listed("your my the a an some to for of and his her our their up out off on in at with it")
)
_GENERIC = ("do", "finish", "complete", "handle")
_VOWEL = frozenset("aeiou")


def words_of(content: str) -> tuple[dict[str, str], Family | None]:
    """The task's own words as letters, and its family if any."""
    core = _LEAD.sub("", content)
    parts = re.findall(r"[a-z]+", core) or [core or "do"]
    family = family_of(core)
    things = [part for part in parts[1:] if part not in _SMALL]
    words: dict[str, str] = {}
    if family is not None:
        for thing in family.things.split(";"):
            words |= dict.fromkeys((thing, f"the {thing}", f"my {thing}", f"your {thing}"), k.THING)
    words |= dict.fromkeys(rivals.english(core), k.OTHER)
    words |= dict.fromkeys(things, k.THING)
    words |= dict.fromkeys((" ".join(parts[1:]), " ".join(things)), k.THING)
    for verb in (*_GENERIC, *(family.verbs.split() if family else ()), parts[0]):
        words |= forms(verb)
    if family is not None:
        words |= dict.fromkeys(family.finished.split(";"), k.FINISHED)
    words |= _time_of(content)
    return {word: kind for word, kind in words.items() if word}, family


def is_action(content: str) -> bool:
    """Begins with a verb that we know: "take your pills", not "meeting at three"."""
    verb = content.split(" ", 1)[0]
    return verb in IRREGULAR and len(content) <= 30 and not _LEAD.match(content)


def keys_of(content: str) -> list[str]:
    parts = re.findall(r"[a-z]+", _LEAD.sub("", content))
    return [part for part in parts[1:] if part not in _SMALL] or parts


def family_of(core: str) -> Family | None:
    parts = re.findall(r"[a-z]+", core)
    best: Family | None = None
    most = 0
    for family in ENGLISH:
        signs = family.signs.split()
        # Nouns say more than verbs: "take the dog out" is about the dog.
        score = sum(len(part) + (3 if at else 0) for at, part in enumerate(parts) if part in signs)
        if score > most:
            best, most = family, score
    return best


def forms(verb: str) -> dict[str, str]:
    """Take → take V, took d, taken d, taking g."""
    past = IRREGULAR.get(verb, f"{_stem(verb)}ed").split()
    words = {verb: k.VERB, f"{verb}s": k.VERB}
    words |= {form: k.PAST for form in past if form != verb}
    words[_ing(verb)] = k.DOING
    return words


def _stem(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1]
    if verb.endswith("y") and verb[-2:-1] not in _VOWEL:
        return f"{verb[:-1]}i"
    return verb


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb[:-1]}ing"
    short = (
        len(verb) == 3
        and verb[-1] not in "aeiouwxy"
        and verb[-2] in _VOWEL
        and verb[0] not in _VOWEL
    )
    return f"{verb}{verb[-1]}ing" if short or verb in ("submit", "begin") else f"{verb}ing"


def _time_of(content: str) -> dict[str, str]:
    times = re.findall(r"tomorrow|tonight|at \d{1,2}(?::\d\d)?(?: ?[ap]m)?", content)
    return dict.fromkeys(times, k.FILLER)
