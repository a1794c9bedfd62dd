"""Chinese clauses to stances: patterns over letters, in the order in which they are believed.

Doubt, questions and denial stand before completion, completion before agreement, so that a word
of assent counts only when nothing in its clause takes it back.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from clarion.language.answer import kinds as k
from clarion.language.answer.scan import Clause
from clarion.language.answer.stance import POSITIVE, Reading, Stance
from clarion.language.answer.task import Task

S = Stance

# (stance, name of the rule, pattern over letters); the letters are in kinds.py.
_TABLE: Final = (
    (S.ELSEWHERE, "talks to somebody or something else", r"w"),
    # Rhetoric turns the words round, so it is read before negation and questions.
    (S.NOTHING, "denies refusing", r"%B(?!.*[LQ])|NBV"),
    (
        S.DONE,
        "was it not done?",
        r"%[^LRTBWE]*(?:V[^LTRB]*P|D)[^u]*[Ql嘛]|t[^LTRB]*%[^LTRB]*(?:VO?P|D)|%[AJ]*t[^LRTB]*(?:VO?P|D)",
    ),
    (S.DONE, "it is not that it was not done", r"%N[OJt0]*[VD]"),
    (S.PUT_OFF, "was it not put off?", r"%.*L"),
    (S.DONE, "how could it not be done?", r"jN[^LE]*(?:[VgDP]|$)"),
    (S.PROMISED, "how could I not?", r"j[^LE]*B[^LE]*[Vg]"),
    (S.AGREED, "how could I forget?", r"^[^U]*[jN][tYJ]*!(?![^LE]*[NL])"),
    (S.NOT_DONE, "who says it was done?", r"j[OJt0]*(?:VO?P|D)"),
    (S.DOUBTED, "did or did not", r"H[^N]*(?:VO?P|D)[^N]*N"),
    (S.DOUBTED, "does not know", r"K|!.*(?:VNV|VPN|Q)|VNV.*!"),
    (
        S.PUT_OFF,
        "asks for a delay under a condition",
        r"i.*[ce].*[LRTMCWF]|i.*[LRTMC].*[ceq]|i.*M.*r",
    ),
    (S.SUPPOSED, "speaks of a case", r"i|^[xz]aJ[VI]"),
    (S.NOT_NEEDED, "somebody said it is not needed", r"p[^VOD]*s.*(?:Z|[BX]V[OP]*$)|p[^VODs]*Z"),
    (S.QUOTED, "reports what somebody said", r"p[^VOD]*s"),
    # Asking leave.
    (S.PUT_OFF, "asks for a delay", r"(?=.*[ce])(?=.*[LWRTMCF])|E.*L.*Q"),
    (S.REFUSED, "asks to be let off", r"(?=.*[ceq])(?=.*(?:BV|X|S))|XO?VO?Q|BVO?BQ"),
    (S.NOT_NEEDED, "supposes it is not needed", r"Z.*[cq]"),
    (S.REFUSED, "scorns it", r"VQV|(?:[lEZ]|N[xz])VQO?$"),
    # Questions.
    (S.AGREED, "agrees and asks", r"^[aA]*A(?=[^Q]{2})[^QNBXLEZSRTWMFH]*Q"),
    (S.ASKED, "asks", r"Q|[PDV]N[lq]*$|(?:^|[^N])VO?NVO?|(?:^|[^B])VO?BVO?$|^[Oxzp]+l$|[VD]P?c$"),
    # Part of it.
    (S.NOT_DONE, "the rest is not done", r"2|u.*N|N.*u.*[VD]|u.*[BX!]"),
    (S.PUT_OFF, "the rest is for later", r"u.*[LRTW]|[LRTW].*u.*V"),
    # Doing it at once makes good what was not done.
    (S.AT_ONCE, "not yet, but at once", r"[N!][^LTWEX]*I(?!.*[LTWRE])"),
    (S.MAYBE, "hopes not to forget", r"U.*!"),
    (S.NOT_DONE, "forgot", r"!"),
    (S.DONE, "done, no more reminding", r"(?:VO?P|D)O?[^NBXLHuqEyp]*[SZ]"),
    (S.STOP, "asks for silence", r"S"),
    (S.STOP, "is not to be hurried", r"#"),
    (S.NOTHING, "no obstacle any more", r"BE|tE$"),
    (S.PROMISED, "no way round it", r"B[OV]V?B$"),
    (S.NOT_NEEDED, "not needed", r"Z"),
    (S.UNABLE, "busy with something else", r"[I0][^VOgDP]*[xz][^VOg]*l$"),
    (S.UNABLE, "an obstacle", r"E|6|NOP|O[tJ]*NP?[l]?$|O[^VPD]*N[xz]|N[xz]O"),
    (S.PUT_OFF, "later, perhaps", r"U.*[LM]|L.*U"),
    (S.MAYBE, "promises nothing", r"U"),
    (S.REFUSED, "refuses", r"X"),
    (S.REQUEST, "asks for another reminder", r"1|[CMT]h?.*r[Oo]*[xztTz5]"),
    (S.PUT_OFF, "asks to be reminded later", r"[LMCTh].*r|r.*[LM]|r.*C$"),
    (S.REFUSED, "refuses", r"B[OtJ0Yo]*(?:V|g|D|$|[qlP])"),
    # Past times and lengths are no delay.
    (
        S.DONE,
        "was done some time ago",
        r"^[^HUuzpyxNBLQWRF]*(?:M[Gt]|[tCT7])[^HUuzpyxNBLQWRFY]*(?:V[O的P]|D)[^uzqLBN]*$|MG[tJ]*V$",
    ),
    (S.PUT_OFF, "when something else is done", r"(?:D|^P)[JRYtI]*VO?[lq]?$"),
    (S.DONE, "done for that long", r"^[^HNBLQuxzpWRF]*VO?PM[l]?$"),
    (S.NOT_DONE, "not done, perhaps", r"H[^N]*N[tOYIJ0uMAo]*(?:V(?!z)|g|D|P|l|q|$)"),
    (S.NOT_DONE, "not done", r"N[tOYIJ0uMAo]*(?:V(?!z)|g|D|P|l|q|$)"),
    (S.PUT_OFF, "later", r"L"),
    (S.PUT_OFF, "waits for something", r"W"),
    (
        S.PUT_OFF,
        "something else first",
        r"F(?!V|[O]V|I)|[xzE]P[^A]*[JIRT]|VP[xz][^A]*[JIR]?.*V$|Mh.*[JVRI]|h[JRY]*[VI]|[xz][^P]*J[VI]|[xz]P.*V$",
    ),
    (S.PUT_OFF, "after something else", r"(?<!I)7(?!.*(?:P|的|D)$).*[VRJI]"),
    (S.PUT_OFF, "then, not now", r"R(?=[VODql]|$)|R.*V$"),
    (S.PUT_OFF, "on another day or hour", r"[TMC](?=[RJYOqhTCMIlA]*(?:V[OR]*[ql的]?|D)?$)"),
    (S.PUT_OFF, "in a while", r"^[AaH]*Mh?[qlJ]*$|MJ?7$|[Ph]M$|^[AaJ]*h[qlJR]*$"),
    # Completion.
    (S.NOTHING, "names a time that is past", r"^[HatJ]*[MC][hq]*[Gt][lq]*$"),
    (S.DOUBTED, "done, perhaps", r"H.*(?:VO?P|D|V的)|(?:V[O]?P|D)[^N]*[Hq]|^[aAJ]*H"),
    (S.PARTLY, "partly done", r"u.*[VD]|[VD].*u|^u"),
    (S.OTHER_DAY, "done another time", r"y.*(?:VO?P|D|V)|(?:VP|D).*y"),
    (S.OTHER_DAY, "a habit", r"&"),
    (S.OTHER_DAY, "it was another one", r"^[Oa]*[ty7T]+的$"),
    (S.OTHER_PERSON, "it was somebody else's", r"^[Oa]*p+的$"),
    (
        S.OTHER_PERSON,
        "done by or for somebody else",
        r"p的O?.*(?:VO?P|D)|p[^oO]*(?:VO?P|D|V的)(?!.*o)",
    ),
    (S.DONE, "done by somebody for me", r"p.*o[^zxu]*(?:V[OP的]|D)|o[^zxu]*(?:VO?P|D)"),
    (S.NOTHING, "it is time to", r"8"),
    (S.OTHER_PERSON, "somebody else is to do it", r"p[^oD]*(?:[VgI]|Y)(?!.*(?:P|的))"),
    (S.PROMISED, "is going to", r"^[AatJ0k]*YO*VO?P[lq]?$"),
    (
        S.OTHER_THING,
        "did something else",
        r"z[JtOoA]*(?:VO?P|D)|VP[nv]*(?:z|x(?!O))|VPOz$|V[xz]P?|DP?[nv]*[xz](?!.*O)",
    ),
    (S.DONE, "done", r"^[^xzHuqyp&]*(?:VO?P|D|VP?O?D|VDO?)|O.*(?:VO?P|VD)|^[^zHuqyp]*D$(?<!xD)"),
    (S.OTHER_THING, "did something unknown", r"x(?:VO?P|D)"),
    # Under way, promised, agreed.
    (S.AT_ONCE, "under way", r"^[^HQpuTLxz]*(?:g[^xz]*|VOl)$|^[^HQpuTL]*g[lO的P]*$"),
    (
        S.AT_ONCE,
        "at once",
        r"^[^xzTLWRFNBHpQ]*I[VODJqlPAak的Y0It@FRm]*$|I[^TLWRNBHzp]*[VO]|[0F]J?V[Oq]*$|^0$|FV|^[Aa]+.*I$|I$(?<!zI)",
    ),
    (S.PROMISED, "promises", r"Y[JIA0otY]*V[^zxp]*$|^[AaY0tI的Jk]*Y的?$"),
    (S.PROMISED, "does it", r"^[AaJ0]*V{1,2}[的q]?$"),
    (S.GRUMBLED, "mocks or complains", r"^[@ktJ0]*@[@kJlq]*$"),
    (S.AGREED, "agrees", r"^[aAekYIt0Jql的P]*[Ae][aAekYIt0Jql的@OP]*$"),
    (S.AGREED, "agrees, and more", r"^[aAk]*A[^ceQw]"),
    (S.MILDLY_AGREED, "agrees", r"^a[aklqt的JP]*$"),
    (S.THANKED, "thanks", r"^[^@xzw]*k(?!的?[xz])[^@]*$"),
    (S.REQUEST, "asks a favour", r"[r1]"),
    (S.GRUMBLED, "mocks or complains", r"@"),
)
RULES: Final = tuple((stance, rule, re.compile(pattern)) for stance, rule, pattern in _TABLE)

# Rules that have read a negation as the yes it is; every other yes has to be free of them.
TURNED: Final = frozenset(
    (
        "was it not done?", "it is not that it was not done", "how could it not be done?",
        "how could I not?", "how could I forget?", "not yet, but at once", "no way round it",
        "done, no more reminding", "agrees and asks",
    )
)  # fmt: skip
_AGAINST = re.compile(r"[NBXEKUHQL!i2Wm]")
_KNOWS = re.compile(
    r"(?:知道|晓得|明白|收到|清楚|懂|记住|记得|记着|记下|有数)(?:了|啦|的|呢|咯|喽|嘞)?[啊呀哦哈]?$"
)
_BACK = re.compile(r"已|刚.*(?:[回出进下上过]来|[出进下上过]去)$")
_NOT_READY = re.compile(r"^[xzOp]+N[xz][Pl]*$")
_TAKE_OBJECTS = frozenset(("收到", "已收到", "听到", "听见", "记着", "安排", "执行"))
_NEGATES = re.compile(r"[zpNBXLEZSQHUKi%]")
_BETWEEN = re.compile(r"(?<=[VOxzTPDptNn7])9")
_WITH_ME = re.compile(r"我[和跟同与]|[和跟同与]我")
_AROUND = re.compile(r"3[xzv]*")
_NAMED_TIME = re.compile(r"[xzVOPEt6]*5")
_FOREIGN = frozenset((k.ANYTHING, k.OTHER))
_DID = re.compile(r"V[OP]*[P的]|D")
_GOES = re.compile(r"gP|s[^VD]*Y")  # somebody has gone to do it, or says so: no result yet


def read_clause(clause: Clause, task: Task) -> Reading:
    letters = _for_task(clause, task)
    contrasts = letters.startswith(k.BUT)
    corrects = letters.startswith(k.CORRECTS)
    letters = letters.lstrip("bm")
    stance, rule = _first(letters)
    if stance is S.NOTHING and not _NEGATES.search(letters) and _KNOWS.search(clause.text):
        stance, rule = S.AGREED, "has understood"
    if rule == "agrees, and more" and _takes_object(clause):
        stance, rule = S.OTHER_THING, "received or heard something else"
    if stance is S.NOTHING and _NOT_READY.search(letters) and "还" in clause.text:
        stance, rule = S.UNABLE, "something is not ready yet"
    if stance in POSITIVE and _tells_you(clause):
        stance, rule = S.OTHER_PERSON, "it is for you to do"
    if letters.endswith("tV") and _BACK.search(clause.text) and stance in (S.NOTHING, S.PROMISED):
        stance, rule = S.DONE, "already done"
    if stance is S.NOTHING and clause.text.endswith("完"):
        stance, rule = S.PUT_OFF, "when something is over"
    return Reading(
        stance,
        rule,
        clause.text,
        corrects=corrects,
        contrasts=contrasts,
        mentions_task=any(letter in letters for letter in "VO"),
        bare=letters in ("N", "B", "Nl", "X", "%"),
        foreign=any(letter in letters for letter in "xz"),
    )


def _takes_object(clause: Clause) -> bool:
    """收到工资了: what was received is not the reminder."""
    known = [word for word in clause.words if word.kind != k.FILLER]
    return len(known) > 1 and known[0].text in _TAKE_OBJECTS and known[1].kind in _FOREIGN


def _tells_you(clause: Clause) -> bool:
    """要吃你吃: the doer is not the speaker."""
    known = [word for word in clause.words if word.text not in ("去", "来", "自己")]
    return any(
        word.text in ("你", "您", "你们") and after.kind.startswith((k.VERB, k.DOING))
        for word, after in pairwise(known)
    )


def _for_task(clause: Clause, task: Task) -> str:
    """Letters as this task reads them: who may do it, whether last week counts."""
    letters = _whose(clause, task)
    if task.once:
        letters = letters.replace(k.OTHER_DAY, k.RECENT)
    letters = letters.replace(k.WEATHER, k.UNABLE if task.outdoors else k.ANYTHING)
    letters = letters.replace(k.SETS_OUT, k.AT_ONCE if task.outdoors else k.ANYTHING)
    letters = _AROUND.sub("", letters)
    if k.WHEN in letters:
        letters = _NAMED_TIME.sub("t" if letters[-1] in "P的D" else "T", letters)
    if k.AWAY in letters and _DID.search(letters):
        letters = letters.replace(k.AWAY, "")
    if k.OR_RATHER in letters:
        letters = _BETWEEN.sub("Q", letters).replace(k.OR_RATHER, "")
    if task.loose:
        letters = re.sub("x(?=[tOo]*V)", "", letters)
    return letters + "嘛" if "%" in letters and "嘛" in clause.text else letters


def _whose(clause: Clause, task: Task) -> str:
    """Without people whose doing counts, who are only called, or who did it with the speaker."""
    letters = clause.letters
    if k.PERSON not in letters:
        return letters
    if len(clause.words) > 1 and clause.words[0].kind == k.PERSON:
        letters = letters[1:] if clause.words[1].text[0] in "我俺咱" else letters  # 爸我这就吃
    if "都" in clause.text and _WITH_ME.search(clause.text):
        return letters.replace(k.PERSON, "")
    if task.shareable and _DID.search(letters) and not _GOES.search(letters):
        return letters.replace(k.PERSON + k.FOR_ME, "").replace(k.PERSON, "")
    return letters


@lru_cache(maxsize=4096)  # clauses are short strings of few letters, so they repeat
def _first(letters: str) -> tuple[Stance, str]:
    for stance, rule, pattern in RULES:
        if pattern.search(letters):
            if stance in POSITIVE and rule not in TURNED and _AGAINST.search(letters):
                return S.NOTHING, "agrees and takes it back"
            return stance, rule
    return S.NOTHING, "says nothing about the task"
