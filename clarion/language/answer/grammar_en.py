"""English replies: words written out, cut into clauses, and read in the order of belief."""

import re
from functools import lru_cache
from typing import Final

from clarion.language.answer import kinds as k
from clarion.language.answer import moments_en, words_en, words_en_more
from clarion.language.answer.contractions import CONTRACTIONS
from clarion.language.answer.lexicon import Lexicon, table
from clarion.language.answer.scan import CHINESE, CLAUSES_MAX, Clause, Word, clause
from clarion.language.answer.stance import POSITIVE, Reading, Stance
from clarion.language.answer.task import Task
from clarion.language.when.wordlist import words as listed

S = Stance
ENGLISH: Final = Lexicon(table((words_en.PHRASES, words_en_more.PHRASES), separator=";"))

_TOKEN = re.compile(
    r"[a-z]+(?:'[a-z]+)?|'[a-z]+|\d+(?:[:.]\d+)?(?:km?\b)?|\?|[,.;!…—\n\"()]|\s-+\s|[^\s\w',.]"
)
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_BREAK: Final = frozenset(',.;!…—\n"()-')
_MERIDIEM = re.compile(r"\b([ap])\.\s?m\b\.?")
_AUXILIARIES: Final = frozenset(
    listed("do does did have has had is are am was were will would can could should shall may must")
)
_DETERMINERS: Final = frozenset(("this", "that", "these", "those", "one", "mine"))
_FOREIGN: Final = frozenset((k.ANYTHING, k.OTHER))
_DID: Final = re.compile(r"[dD]")
_OPENS: Final = frozenset((k.BUT, k.CORRECTS))
_ASKS_MORE: Final = frozenset((k.ASKS_FAVOUR, k.OTHER_FAVOUR))
_AGREES: Final = frozenset((k.ACK, k.MILD_ACK, k.THANKS, k.FILLER))

# Rules that have read a negation as the yes it is; every other yes has to be free of them.
TURNED: Final = frozenset(
    ("did I not do it?", "cannot forget", "done, though it asks why not", "not yet, but at once",
     "done, no more reminding")
)  # fmt: skip
_AGAINST = re.compile(r"[NBXEKUHQL!i2WcS]")
_TABLE: Final = (
    (S.ELSEWHERE, "talks to somebody or something else", r"w"),
    (S.NOTHING, "asks back", r"j.*N"),
    (S.NOT_DONE, "who says it was done?", r"j.*[Vd]"),
    (S.DONE, "did I not do it?", r"%.*t.*[Vd]|t.*%.*[Vd]|%.*[Vd].*t|^%tQ?$"),
    (S.AGREED, "cannot forget", r"[NBE]!|j!"),
    (S.DOUBTED, "does not know", r"K|!.*Q"),
    (S.PUT_OFF, "names another hour", r"^iC+$"),
    (S.SUPPOSED, "asks about a case", r"^i[^cLTMC]*[VdO].*c.*[xz]"),
    (S.PUT_OFF, "asks for a delay", r"c.*[LWTMCFR]|[LTMC].*c|Q.*c.*L|r.*L"),
    (S.REFUSED, "asks to be let off", r"c.*(?:X|N|Z|S|B)"),
    (S.PUT_OFF, "asks for a delay under a condition", r"i.*[ce].*[LMCT]"),
    (S.SUPPOSED, "speaks of a case", r"i"),
    (S.NOT_NEEDED, "somebody said it is not needed", r"p[^dO]*s.*(?:Z|S|[NB].*V)|p.*Z"),
    (S.QUOTED, "reports what somebody said", r"p[^dO]*s"),
    (S.DONE, "done, though it asks why not", r"^[AaY]*[^HNBKQ]*(?:d|D)[^Q]*Q$(?<=\?)"),
    (S.ASKED, "asks", r"Q|%|^c"),
    (S.NOT_DONE, "the rest is not done", r"2|u.*[NB!]|[NB](?!o).*u"),
    (S.PUT_OFF, "the rest is for later", r"u.*[LTW]"),
    (S.AT_ONCE, "not yet, but at once", r"[N!][^LTWEXBdV]*I(?!.*[LTWE])"),
    (S.NOT_DONE, "forgot", r"!"),
    (S.DONE, "done, no more reminding", r"^[^HNBu]*(?:d[Ot]*|D)[^NBXLHuE]*[SZ]"),
    (S.STOP, "asks for silence", r"S"),
    (S.NOT_DONE, "no, not done", r"^[Xt]+N"),
    (S.NOT_NEEDED, "not needed", r"Z"),
    (S.REFUSED, "refuses", r"X"),
    (S.UNABLE, "an obstacle", r"E"),
    (S.PUT_OFF, "later, perhaps", r"U[^dD]*[LM]"),
    (S.MAYBE, "promises nothing", r"U"),
    (S.REFUSED, "will not", r"B"),
    (S.REQUEST, "asks for something else", r"^[aAkr]*1"),
    (S.REQUEST, "asks for another reminder", r"r[^V]*[CMT].*[xz]|r[^VL]*[xz].*[CMT]"),
    (S.PUT_OFF, "asks to be reminded later", r"r.*[LMCTW]|[LMCT].*r|r.*n$"),
    (S.DONE, "done for that long", r"^[^HNBLQuxzpWFR]*[dD][Ot]*M$"),
    (
        S.DONE,
        "was done some time ago",
        r"^[^HNBULWxzup]*[dD][^HNBULWFxzuq]*(?:M[Gt]|[Ct])[^HNBULWFxzuq]*$",
    ),
    (S.NOT_DONE, "not done, perhaps", r"H[^N]*N[HtOIYA]*(?:[VdDgO]|$)"),
    (S.NOT_DONE, "not done", r"N[HtOIYA]*(?:[VdDgO]|$)|N$"),
    (S.PUT_OFF, "later", r"L"),
    (S.PUT_OFF, "waits for something", r"W(?!.*[dD].*O)|F"),
    (
        S.PUT_OFF,
        "on another day or hour",
        r"^[^dDxz]*[TC]|^[^dDxz]*Mh?[^Gxz]*$|[YV].*[TC]|M[^G]*$(?<!dM)(?<!dOM)|[TC]$(?<!dT)(?<!dOT)(?<!dC)(?<!dOC)(?<!x.)",
    ),
    (S.NOTHING, "it is time to", r"8"),
    (S.DOUBTED, "done, perhaps", r"H"),
    (S.PARTLY, "partly done", r"u"),
    (S.OTHER_DAY, "done another time", r"y.*[dD]|[dD].*y|^O?y$"),
    (S.OTHER_DAY, "a habit", r"&"),
    (S.DONE, "done by somebody for me", r"p.*(?:d|D).*o|po[^NBHQ]*O"),
    (S.OTHER_PERSON, "done by or for somebody else", r"p[^O]*(?:d|D)|(?:d|D)[Ot]*p"),
    (
        S.OTHER_THING,
        "did something else",
        r"d[tA]*(?:[xz]|n(?!$))(?!.*[OD])|z.*d|d[^O]*z|dOz$|D[t]*[xz](?!.*O)",
    ),
    (S.DONE, "done", r"^[^xzHupy&]*D|^[^zHupy&L]*d[tOn]*(?:$|[tMCAkrGOaD])|[tO]d|dO"),
    (S.OTHER_THING, "something unknown was done", r"[dD]"),
    (S.AT_ONCE, "at once", r"I(?!.*[xz])|^[^xz]*g[OIt]*$|[AaY]I|^I(?![^O]*[xz])"),
    (S.PROMISED, "promises", r"Y[tAIO]*(?:V|I)[^xzTLMC]*$"),
    (S.PROMISED, "does it", r"^[AaY]*VO?$"),
    (S.GRUMBLED, "mocks or complains", r"^[@ktz]*@[@kaA]*$"),
    (S.AGREED, "agrees", r"^[aAkOtY@0]*A[aAkOtY@0]*$"),
    (S.AGREED, "agrees, and more", r"^[aAk@]*A"),
    (S.MILDLY_AGREED, "agrees", r"^a[akt]*$"),
    (S.THANKED, "thanks", r"^[^@xz]*k[^@]*$"),
    (S.REQUEST, "asks a favour", r"[r1]"),
    (S.GRUMBLED, "mocks or complains", r"@"),
)
RULES: Final = tuple((stance, rule, re.compile(pattern)) for stance, rule, pattern in _TABLE)


def clauses(text: str, task: Task) -> list[Clause]:
    found: list[Clause] = []
    tokens: list[str] = []
    for token in [*_written_out(text), "."]:
        if token in _BREAK:
            found += _cut(" ".join(tokens), task) if tokens else []
            tokens = []
            continue
        tokens.append(token)
        if token == "?":  # noqa: S105 - a question mark, not a secret
            found += _cut(" ".join(tokens), task)
            tokens = []
    return found[:CLAUSES_MAX]


def _written_out(text: str) -> list[str]:
    text = _MERIDIEM.sub(r"\1m", text)
    out: list[str] = []
    for token in _TOKEN.findall(_STRETCHED.sub(r"\1", _HYPHEN.sub(" ", text))):
        full = CONTRACTIONS.get(token.strip())
        if full is not None:
            out += full.split()
        elif token.endswith("'s"):
            out += (token[:-2], "s")
        else:
            out.append(token.strip() or "-")
    return out


def _cut(text: str, task: Task) -> list[Clause]:
    """Clauses of one stretch between stops: "but" and corrections begin a new one."""
    found: list[Clause] = []
    words: list[Word] = []
    place = began = 0
    while place < len(text):
        kind, length = _word_at(text, place, task)
        if words and (kind in _OPENS or (kind in _ASKS_MORE and _only_agrees(words))):
            found.append(clause(text[began:place], words))
            words, began = [], place
        words.append(Word(kind, text[place : place + length], place))
        place += length + 1
    found.append(clause(text[began:], _determined(words)))
    return found


def _only_agrees(words: list[Word]) -> bool:
    """Okay and remind me to call Bob: the agreement stands by itself."""
    return all(word.kind in _AGREES for word in words) and words[0].kind != k.FILLER


def _determined(words: list[Word]) -> list[Word]:
    """The "this" of "this book" points to the book, not to the task."""
    for place in range(1, len(words)):
        if words[place - 1].text == "too" and words[place].kind == k.ANYTHING:
            words[place] = words[place]._replace(kind=k.UNABLE)  # too slippery, too bitter
    return [
        Word(k.FILLER, word.text, word.start)
        if word.text in _DETERMINERS and after is not None and after.kind in _FOREIGN
        else word
        for word, after in zip(words, [*words[1:], None], strict=True)
    ]


def _word_at(text: str, place: int, task: Task) -> tuple[str, int]:
    kind, length = ENGLISH.longest(text, place)
    moment, moment_length = moments_en.at(text, place)
    if moment_length >= length and moment_length:
        kind, length = moment, moment_length
    own, own_length = task.english.longest(text, place)
    if own_length >= length and own_length:
        kind, length = own, own_length
    if length > 1 and text.startswith("i ", place):
        # "i will" must not keep "will not forget" from being heard.
        _, further = ENGLISH.longest(text, place + 2) if place + 2 < len(text) else ("", 0)
        if further + 2 > length:
            return k.FILLER, 1
    if length and text.startswith(" not", place + length):
        kind, length = _before_not(text, place, kind, length)
    end = place + length
    if length and (end == len(text) or text[end] == " "):
        return kind, length
    stop = text.find(" ", place)
    stop = len(text) if stop < 0 else stop
    return _lone(text[place:stop]), stop - place


def _before_not(text: str, place: int, kind: str, length: int) -> tuple[str, int]:
    """An auxiliary belongs to the "not" behind it: "i did" of "i did not" says nothing yet."""
    words = text[place : place + length].split(" ")
    if words[-1] not in _AUXILIARIES:
        return kind, length
    if len(words) > 1:
        return k.FILLER, length - len(words[-1]) - 1
    return ENGLISH.longest(text, place)


def _lone(word: str) -> str:
    """A number, an emoji, or a word that nobody knows."""
    if word[0].isdigit():
        return k.NUMBER
    return CHINESE.words.get(word, k.ANYTHING) if word[0] > "\x7f" else k.ANYTHING


def read_clause(said: Clause, task: Task) -> Reading:
    letters = said.letters
    contrasts, corrects = letters.startswith(k.BUT), letters.startswith(k.CORRECTS)
    letters = letters.lstrip("bm")
    if task.shareable and k.SAYS not in letters:
        letters = letters.replace(k.PERSON, "")
    letters = letters.replace(k.WEATHER, k.UNABLE if task.outdoors else k.ANYTHING)
    if k.AWAY in letters:
        letters = letters.replace(k.AWAY, "" if _DID.search(letters) else k.UNABLE)
    if task.once:
        letters = letters.replace(k.OTHER_DAY, k.RECENT)
    elif _DID.search(letters) and any(word.text.endswith("day") for word in _days(said)):
        letters = letters.replace(k.FUTURE, k.OTHER_DAY)
    stance, rule = _first(letters)
    if stance in POSITIVE and _asks_about(said.words):
        stance, rule = S.ASKED, "asks whether somebody did"
    if stance in POSITIVE and not _DID.search(letters) and moments_en.bare_minutes(said.text):
        stance, rule = S.PUT_OFF, "in so many minutes"
    return Reading(
        stance,
        rule,
        said.text,
        corrects=corrects,
        contrasts=contrasts,
        mentions_task=any(letter in letters for letter in "VdgO"),
        bare=letters in ("N", "X", "XX"),
        foreign=any(letter in letters for letter in "xz"),
    )


def _asks_about(words: list[Word]) -> bool:
    """Has my wife fed her, with no question mark to be heard."""
    return len(words) > 1 and words[0].text in _AUXILIARIES and words[1].kind == k.PERSON


def _days(said: Clause) -> list[Word]:
    return [word for word in said.words if word.kind == k.FUTURE]


@lru_cache(maxsize=4096)  # clauses are short strings of few letters, so they repeat
def _first(letters: str) -> tuple[Stance, str]:
    for stance, rule, pattern in RULES:
        if pattern.search(letters):
            if stance in POSITIVE and rule not in TURNED and _AGAINST.search(letters):
                return S.NOTHING, "agrees and takes it back"
            return stance, rule
    return S.NOTHING, "says nothing about the task"
