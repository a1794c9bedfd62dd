"""Which part of a request each word belongs to, and whether they wish for a confirmation.

A linear chain, read from weights, looks at the words around each word, at its clause, and at the
times that were read; a word is a Chinese letter, a Latin word, a number or a mark. Pure, and the
same in training. The weights of a clue travel in one integer, 20 bits each, so that one addition
adds them all. A wish in sure words needs no learning.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby, pairwise
from operator import add
from typing import NamedTuple

from clarion.language.when.model import Span
from clarion.language.when.tokens import TABLE

WHEN, CONTENT, ASKING, CONFIRM, NO_CONFIRM, URGENCY, WHO, REST, BETWEEN = "tcafnlwxo"
KINDS = "tcafnlwxo"  # BETWEEN is the punctuation that parts the others


@dataclass(frozen=True, slots=True)
class Part:
    kind: str
    start: int
    end: int


WORDS = re.compile(r"[a-z\u00e0-\u024f]+(?:'[a-z]+)?|\d+|[^\s\w]|\w")
MARK = re.compile(r"[^\w]")
ENDS_CLAUSE = frozenset('，,。.;；!！?？:：、…~-—()（）【】[]"“”')
HAN = re.compile("[\u3400-\u9fff]")
LITTLE = frozenset("我你他她的了一是在不也就都要再到个，。,.")  # said again without a meaning
WORDS_MAX = 1_000  # of a text; what follows belongs to the last part


class ClueWords(NamedTuple):
    """The words of a text as they are compared, where they stand, and what is known of them."""

    said: list[str]
    spans: list[Span]
    known: list[str]
    """Of each word: t inside a time that was read, v inside the words that ask, - neither."""
    clauses: list[Span]
    """First and last word (exclusive) of each clause, in order, without gaps."""

    def is_mark(self, place: int) -> bool:
        return MARK.match(self.said[place]) is not None


def words_of(text: str, times: Iterable[Span] = (), asking: Span | None = None) -> ClueWords:
    folded = text.translate(TABLE)
    said: list[str] = []
    spans: list[Span] = []
    for found in WORDS.finditer(folded):
        word = found[0]
        said.append("0" * min(len(word), 5) if word.isdigit() and len(word) > 2 else word)
        spans.append(found.span())
        if len(said) == WORDS_MAX:
            break
    known = ["-"] * len(said)
    for letter, places in (("v", [asking] if asking else []), ("t", list(times))):
        for begin, end in places:
            for n, (start, stop) in enumerate(spans):
                if start < end and stop > begin:
                    known[n] = letter
    return ClueWords(said, spans, known, _clauses(folded, said, spans))


def _clauses(text: str, said: list[str], spans: list[Span]) -> list[Span]:
    """Parted by marks, and by spaces that people leave between Chinese words."""
    clauses: list[Span] = []
    start = 0
    for n, word in enumerate(said):
        gap = n > start and spans[n][0] > spans[n - 1][1]
        if gap and (HAN.match(word) or HAN.match(said[n - 1])):
            clauses.append((start, n))
            start = n
        if word in ENDS_CLAUSE and n + 1 < len(said):
            clauses.append((start, n + 1))
            start = n + 1
    if said:
        clauses.append((start, len(said)))
    return clauses


def clues(words: ClueWords) -> list[list[str]]:
    """For each word what speaks for its kind."""
    said, known = words.said, words.known
    padded = ["", "", "", *said, "", "", "", ""]
    pairs = [a + "_" + b for a, b in pairwise(padded)]
    triples = [a + "_" + b for a, b in zip(pairs, padded[2:], strict=False)]
    marks = ["", *known, ""]
    before, after = _nearest(known)
    again = _said_again(said)
    found: list[list[str]] = []
    for start, end in words.clauses:
        head, tail = pairs[start + 3], pairs[end + 1]
        for n in range(start, end):
            i = n + 3
            here = known[n]
            found.append(
                [
                    "1" + padded[i],
                    "2" + padded[i - 1],
                    "3" + padded[i + 1],
                    "4" + padded[i - 2],
                    "5" + padded[i + 2],
                    "6" + pairs[i - 2],
                    "7" + pairs[i - 1],
                    "8" + pairs[i],
                    "9" + pairs[i + 1],
                    "A" + triples[i - 2],
                    "B" + triples[i - 1],
                    "C" + triples[i],
                    "D" + pairs[i - 3],
                    "E" + pairs[i + 2],
                    "K" + marks[n] + here + marks[n + 2],
                    "L" + here + padded[i],
                    "M" + here + before[n] + after[n],
                    "N" + str(min(n - start, 4)) + str(min(end - n, 4)),
                    "R" + again[n],
                    "S" + again[n] + padded[i + 1],
                    "P" + head,
                    "Q" + tail,
                ]
            )
    return found


def _said_again(said: Sequence[str]) -> list[str]:
    """Of each word whether it was said before or will be: 吃药 … 吃了 is how wishes sound."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for n, word in enumerate(said):
        first.setdefault(word, n)
        last[word] = n
    return [
        ""
        if word in LITTLE or (word.isascii() and len(word) < 4)
        else ("b" if first[word] < n else "") + ("l" if last[word] > n else "")
        for n, word in enumerate(said)
    ]


def shared_clues(words: ClueWords) -> list[list[str]]:
    """For each clause what speaks for the kind of all its words; the last list: of every word."""
    found: list[list[str]] = []
    seen = ""
    last = len(words.clauses) - 1
    for n, (start, end) in enumerate(words.clauses):
        inside = words.said[start:end]
        known = "".join(sorted(set(words.known[start:end])))
        clause = ["u" + word for word in inside]
        clause += ["v" + a + "_" + b for a, b in pairwise(inside)]
        clause += ["k" + known, "l" + seen + "/" + known]
        clause += [f"e{min(n, 3)}{min(last - n, 2)}{known}", f"f{min(len(inside), 6)}"]
        found.append(clause)
        seen = "".join(sorted(set(seen + known) - {"-"}))
    all_known = "".join(sorted(set(words.known)))
    first, last_said = words.said[0], words.said[-1]
    found.append(
        [
            "s" + all_known,
            "t" + all_known + last_said,
            "r" + first,
            "q" + "_".join(words.said[:2]),
        ]
    )
    return found


def _nearest(known: Sequence[str]) -> tuple[list[str], list[str]]:
    """For each word the last time or asking before it, and the first after it."""
    return _last_seen(known), _last_seen(known[::-1])[::-1]


def _last_seen(known: Sequence[str]) -> list[str]:
    seen, last = [], ""
    for letter in known:
        seen.append(last)
        last = letter if letter != "-" else last
    return seen


KINDS_N = len(KINDS)
LANE = 20  # bits; weights are small, and a thousand of them must not reach the next lane
# One lane a kind for being in a part of it, and one more for beginning one.
NAMES = KINDS + KINDS.upper()
LANES = range(0, LANE * len(NAMES), LANE)
MASK = (1 << LANE) - 1
HALF = 1 << (LANE - 1)
OFFSET = sum(HALF << lane for lane in LANES)
NEVER = -(10**9)
BETWEEN_AT = KINDS.index(BETWEEN)
START = "^"
_WEIGHT = re.compile(r"([a-zA-Z])(-?\d+)")


def lanes(total: int) -> list[int]:
    """The sums of all lanes out of one integer."""
    total += OFFSET
    return [((total >> lane) & MASK) - HALF for lane in LANES]


class Tagger:
    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights
        after = [lanes(weights.get(f"={kind}", 0))[:KINDS_N] for kind in KINDS]
        self._before = list(zip(*after, strict=True))  # of each kind what may come before it
        self._first = lanes(weights.get(f"={START}", 0))[:KINDS_N]

    def parts(
        self,
        text: str,
        times: Iterable[Span] = (),
        asking: Span | None = None,
        *,
        rings: bool = False,
    ) -> list[Part]:
        """In order, with marks and spaces inside of them but not around them.

        `rings`: the times came to an instant, so their words are no content.
        """
        words = words_of(text, times, asking)
        kinds = self.kinds(words)
        if rings:
            kinds = [
                WHEN if known == "t" and kind == CONTENT else kind
                for known, kind in zip(words.known, kinds, strict=True)
            ]
        found = []
        for kind, run in groupby(range(len(kinds)), key=kinds.__getitem__):
            places = list(run)
            if kind != BETWEEN:
                found.append(Part(kind, words.spans[places[0]][0], words.spans[places[-1]][1]))
        return found

    def kinds(self, words: ClueWords) -> list[str]:
        """The kind of each word."""
        if not words.said:
            return []
        weights = self._weights
        one_each = [[weights.get(clue, 0) for clue in own] for own in clues(words)]
        many = [[weights.get(clue, 0) for clue in common] for common in shared_clues(words)]
        return self.path(sums(words, one_each, many))

    def path(self, scores: Sequence[list[int]]) -> list[str]:
        """The likeliest row of kinds (Viterbi)."""
        score = scores[0]
        total = [a + b + c for a, b, c in zip(self._first, score, score[KINDS_N:], strict=False)]
        back: list[list[int]] = []
        for score in scores[1:]:
            came: list[int] = []
            reached: list[int] = []
            for kind, before in enumerate(self._before):
                changed = list(map(add, total, before))
                change = max(changed)
                begun = change + score[KINDS_N + kind]
                if begun > total[kind]:
                    came.append(changed.index(change))
                    reached.append(begun + score[kind])
                else:
                    came.append(kind)
                    reached.append(total[kind] + score[kind])
            back.append(came)
            total = reached
        at = total.index(max(total))
        path = [at]
        for came in reversed(back):
            at = came[at]
            path.append(at)
        return [KINDS[at] for at in reversed(path)]


def sums(
    words: ClueWords, own: Sequence[Iterable[int]], shared: Sequence[Iterable[int]]
) -> list[list[int]]:
    """For each word what its clues, those of its clause and those of the whole add up to."""
    whole = sum(shared[-1])
    scores: list[list[int]] = []
    for (start, end), clause in zip(words.clauses, shared, strict=False):
        common = whole + sum(clause)
        for n in range(start, end):
            score = lanes(common + sum(own[n]))
            if not words.is_mark(n):
                score[BETWEEN_AT] = NEVER
            scores.append(score)
    return scores


@cache
def tagger() -> Tagger:
    """The one that `make train` made."""
    file = resources.files("clarion.language.parts") / "weights.tsv"
    return Tagger(load(file.read_text(encoding="utf-8")))


def load(lines: str) -> dict[str, int]:
    """Each line a clue and its weights by kind: `8吃_药	c31t-12`."""
    weights: dict[str, int] = {}
    shift = dict(zip(NAMES, LANES, strict=True))
    for line in lines.splitlines()[1:]:  # the first says from which corpora
        clue, _, said = line.partition("\t")
        weights[clue] = sum([int(value) << shift[kind] for kind, value in _WEIGHT.findall(said)])
    return weights


# Nobody who says one of these may go unheard, whatever else the sentence has.
SURE_CONFIRM = re.compile(
    r"(?<![提叫喊]醒我)(?<![叫喊]我)(?<!别忘了)(?<!记得)"
    r"(?:务必|一定要?|还要?|并且?|也要?)?"
    r"(?:(?:要|需要?|必须|须|得|等|让|直到|带|有)(?:我|你|他|她|本人)?(?:要|再|来|亲自|手动)?"
    r"(?:[点按]一?[下个]?)?"
    r"(?:确认|確認)(?:一下|才行|才算|才停|为止|為止|哦|的|后再停|后才停|完成|收到)?"
    r"|(?:没|未|不)有?(?:确认|確認)就?(?:一直|继续|接着|反复|别|不要)[^，,。;；!！?？]{0,8})"
    r"(?=$|[，,。;；!！\s）)])"
    r"|\b(?:keep \w+ (?:at )?(?:me )?|(?:don't|do not) (?:stop|quit) )?(?:un)?till? i(?:'ve| have)?"
    r" (?:actually |really )?confirm(?:ed)?(?: it)?\b"
    r"|\bconfirmation (?:is )?(?:needed|required)\b"
    r"|\b(?:needs?|requires?|wait for) (?:a |my )?confirmation\b"
    r"|\bi (?:must|need to|have to) confirm(?: it)?(?=\s*(?:$|[,.;!]))"
    r"|(?:make|be) sure i confirm(?: it)?\b"
    r"|(?:\band )?\b(?:make|be) sure (?:that )?i(?:'ve| have)? (?:really |actually )?"
    r"(?:do|did|done)(?: it| so| that| this)?(?=\s*(?:$|[,.;!?]))",
    re.IGNORECASE,
)
# Wishes in few words, which the words around them drown; only where something is asked for.
SHORT_CONFIRM = re.compile(
    r"(?<!提醒我)(?<!叫我)(?<!记得)(?<!忘了)(?<![不无無没])(?:要|需要?|必须|须|得)"
    r"(?:我|他们?|她们?|佢|本人|收到|现场|大家|逐一|先|再)*"
    r"(?:回执|签收|回[复覆]|应声|答复|覆返|复述|报数)(?:一遍|一声|我)?(?:才行|才算)?(?=$|[，,。;；!！\s])|"
    r"(?:没|冇)有?人(?:[回覆应答理]|回复|回应|应声|签收)(?:我|话)?就(?:再|一直|继续|接着|打|叫|喊|找)|"
    r"(?<!no )(?<!\")\b(?:reply|sign-?off|answer) (?:is )?(?:mandatory|required|needed)\b|"
    r"\b(?:make|have) me (?:answer|reply|confirm)\b|\baccept silence\b|\bkeep (?:on )?at me\b|"
    r"(?<!you )\b(?:pester|nag|badger|hound|chase|hassle) me\b|"
    r"\b(?:no|not|don't) let(?:ting)? me off\b|"
    r"\b(?:gotta|got to|has to|must) confirm(?=\s*(?:$|[,.;!]))|\d(?: ?[ap]m)?,? confirm$",
    re.IGNORECASE,
)
# "Make sure I take my pills" asks for the deed: its words ask, and wish for a confirmation.
SURE_DEED = re.compile(
    r"\b(?:make|be) sure (?:that )?i (?!remember|don't|do not|know|confirm)|\bensure (?:that )?i "
    r"|(?:务必|一定要?)?(?:确保|保证)我(?=.)",
    re.IGNORECASE,
)
SURE_REFUSAL = re.compile(
    r"(?:不用|不需要?|无需|無需|不必|别|不要|免|唔使)(?:我|你|再|点|让我){0,3}(?:確認|确认)(?:了|的)?|"
    r"(?:不用|不必|别|不要|甭|唔使|唔好)再?(?:等|要|叫|让|逼)我?(?:答|回|应)(?:话|应|复|覆|声)?"
    r"(?=$|[，,。;；!！\s])|(?:说|說|讲|講|喊)一?[声聲]就(?:行|得|成|好)(?=$|[，,。;；!！\s])|"
    r"(?:听不见|没听见|[不没](?:应|回|答|理)(?:话|声)?)[^，,。 ]{0,3}"
    r"(?:没事|没关系|不要紧|无所谓|算了|拉倒)|"
    r"我(?:自己|心里)?有[数數]$|我不一定(?:能|会)?[回应答]|"
    r"\b(?:no|without(?: any)?) confirmation(?: (?:needed|required|necessary))?\b|"
    r"\b(?:stop|quit) asking (?:me )?(?:to confirm|for (?:a |my )?confirmation)\b|"
    r"\bno need (?:for me )?to confirm\b|\bconfirmation (?:is )?not (?:needed|required)\b|"
    r"\b(?:i |you )?(?:don't|do not|needn't) (?:need to |have to )?confirm\b|"
    r"\bi(?:'ll| will) not be (?:confirm|answer|reply|respond)ing\b|"
    r"\bi won't be (?:confirm|answer|reply|respond)ing\b|"
    r"\bdon't wait for (?:me|my|an?) (?:to )?(?:answer|reply|respon)",
    re.IGNORECASE,
)


def wish_in(text: str, parts: list[Part]) -> tuple[bool | None, str, list[Span]]:
    """Whether a confirmation is wanted, the words that say so, and what of them is sure."""
    refused = SURE_REFUSAL.search(text)
    if refused:
        return False, refused[0], [refused.span()]
    wanted = SURE_CONFIRM.search(text)
    if wanted:
        return True, wanted[0], [wanted.span()]
    found = {
        kind: [text[part.start : part.end] for part in parts if part.kind == kind]
        for kind in (CONFIRM, NO_CONFIRM)
    }
    yes, no = " ".join(found[CONFIRM]), " ".join(found[NO_CONFIRM])
    asked = any(part.kind == CONTENT for part in parts)
    if not yes and asked and (short := SHORT_CONFIRM.search(text)):
        return True, short[0], [short.span()]
    if not yes and not no:
        deed = SURE_DEED.search(text)
        return (True, deed[0], [deed.span()]) if deed else (None, "", [])
    return (True, yes, []) if len(yes) > len(no) else (False, no, [])
