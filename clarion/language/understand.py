"""What somebody means by an utterance, whatever is going on: answer, create, cancel, distress, ...

A learned model chooses among the intents; a few sure rules stand over it where a mistake would
cost most: nobody who calls for help is taken for a chat.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clarion.language.answer.reader import read as read_answer
from clarion.language.details import detail_of
from clarion.language.learned import load
from clarion.language.learned.features import utterance_features
from clarion.language.script import fold

INTENTS: Final = (
    "answer", "create", "list", "cancel", "change", "snooze", "stop", "repeat", "fill", "correct",
    "undo", "help", "distress", "greet", "chat", "aside",
)  # fmt: skip
# Said in earnest by nobody who is well; 我昨天摔了一跤 is told, not called.
_CALLS_FOR_HELP: Final = re.compile(
    r"救命|救救我|快来人|来人啊|(?<!昨天)(?<!以前)我?(?:摔|跌|滑)(?:倒|落地|在地上|在了?地)|"
    r"摔得?起不来|"
    r"起不来了.*(?:摔|疼|动不了)|动不了了|胸口.{0,4}(?:疼|痛|闷|压)|心口.{0,4}(?:疼|痛)|"
    r"(?:喘|透|抖)(?:不上|不过|唔到|不了)(?:来)?气|唔抖得气|呼吸不了|不能呼吸|呼吸困难|"
    r"叫不醒|推都?不醒|煤气味|叫救护车|[打叫](?:120|一二零|幺二零|110|一一零|119)|叫白车|着火了|煤气漏|漏煤气|中风了|心脏病(?:发|"
    r"犯)|不想活了(?!.*哈)|"
    r"\bhelp me\b(?! (?:with|to|set|remember|find|out with))|\bi(?:'ve|"
    r" have)? (?:just )?(?:fell|fallen)\b"
    r"(?! asleep| behind| for| in love)|\bchest (?:pain|hurts|is (?:tight|killing))|"
    r"\bpain in my chest|"
    r"\bmy chest\b.{0,12}\b(?:hurt|pain|tight|crush)|can'?t breathe|cannot breathe|"
    r"can'?t get up\b.*\bfloor|"
    r"\bcan'?t get (?:my|a) breath|\bcall (?:an ambulance|911|999|112|000)\b|\bheart attack\b|"
    r"\bhaving a stroke|"
    r"\bsmell(?:ing)? gas\b|\bwon'?t wake up\b|can'?t wake (?:him|her|them)\b|"
    r"\bhouse is on fire|\bthere'?s a fire\b|\bbleeding (?:badly|a lot|out|heavily)|"
    r"won'?t stop bleeding|"
    r"\bpassed out\b|\bspeech.{0,12}slurred|\bthe whole (?:bottle|strip|pack)\b|"
    r"\b(?:i'm|i am) hurt\b|\bnobody knows where\b|一整[瓶板盒](?:都|全)?[吃吞喝]|"
    r"[吃吞喝]了(?:一整[瓶板盒]|(?:十[几多]|[几两二三四五]十)[片粒颗](?!饼|面包))|我?怕?我?要死了$|说胡话|躺在?地上|"
    r"(?:没|停)了?呼吸|呼吸停|[他她]又?要?打我(?!电话|的)|(?:快|给我|帮我)?叫(?:个)?(?:医生|大夫|护士)来?$|"
    r"谁?来?扶我一[下把]|有没有人[啊哪呐]$|[头脑]袋?要炸了(?!似)|"
    r"\bworst headache\b|\bcarbon monoxide\b.*\b(?:alarm|going)|\bbeen knocked (?:down|over)\b|"
    r"\bbeen an accident\b|"
    r"\b(?:man|men|lads?|guys?|someone|somebody|stranger)\b.{0,16}\bwith a (?:knife|gun)\b|"
    r"\bsome(?:one|body)(?:'s| is) breaking in|有人(?:拿|持|举)着?[刀枪](?!削|切)|"
    r"(?:小偷|贼|坏人|歹徒)进(?:来|屋|家|门)|"
    r"\b(?:kill|hurt) myself\b|\bwant to die\b|\btook too many\b|\boverdose"
)
# 提醒我别摔倒了 warns of a fall, and nobody fell.
_ONLY_WARNED_OF: Final = re.compile(
    r"(?:别|不要|小心|注意|当心|防止|以免|免得|没有?)[^，。,.]{0,2}(?:摔|跌|滑)(?:倒|落地|在地上|在了?地)"
)
_ASKS_TO_BE_TOLD: Final = re.compile(r"提醒(?:我|一下)|叫我|\bremind me\b")
_SURE: Final = 0.5  # of distress in a sentence that asks to be reminded
_LIKELY: Final = 0.09  # of distress: a question too many costs less than a fall nobody heard of


@dataclass(frozen=True, slots=True)
class Situation:
    """What is going on when something is said."""

    ringing: str | None = None
    """The content of what rings or waits for an answer."""
    asked: str | None = None
    """Clarion's own last question."""
    said: str | None = None
    """The last thing that Clarion said."""

    def scene(self) -> tuple[str, str]:
        """A question of ours comes first, then what rings, then what we said last."""
        if self.asked is not None:
            return "asked", self.asked
        if self.ringing is not None:
            return "ring", self.ringing
        return ("after", self.said) if self.said is not None else ("idle", "")


@dataclass(frozen=True, slots=True)
class Meaning:
    intents: tuple[str, ...]
    """In the order in which they were said."""
    detail: str
    """What it refers to, the new value, the time words: in the speaker's words, "" if none."""
    confidence: float


def understand(text: str, situation: Situation) -> Meaning:
    scene, about = situation.scene()
    folded = fold(text[:300])
    if not any(character.isalnum() for character in folded):
        return Meaning(("aside",), "", 1.0)
    if _CALLS_FOR_HELP.search(_ONLY_WARNED_OF.sub("", folded)):
        return Meaning(("distress",), "", 1.0)
    chances = load("intents").chances(utterance_features(text, scene, about))
    if chances["distress"] >= (_SURE if _ASKS_TO_BE_TOLD.search(folded) else _LIKELY):
        return Meaning(("distress",), "", chances["distress"])
    chosen = max(chances, key=lambda name: chances[name])
    intents = tuple(chosen.split("+"))
    return Meaning(intents, detail_of(text, intents, scene, about), chances[chosen])


def situation_of(context: str) -> Situation:
    """From how the corpora write it: idle, ring:吃药, asked:几点？, after:好的，明天八点."""
    scene, _, about = context.partition(":")
    match scene:
        case "ring":
            return Situation(ringing=about)
        case "asked":
            return Situation(asked=about)
        case "after":
            return Situation(said=about)
        case _:
            return Situation()


def understand_line(line: str) -> str:
    """`{"context", "utterance"}` to `{"intent", "detail", …}`, for many at once.

    Raises ValueError for a line that is not such an object.
    """
    asked = json.loads(line)
    if not isinstance(asked, dict):
        raise ValueError("each line is an object with context and utterance")  # noqa: TRY004 - one kind of error for a bad line
    context, utterance = asked.get("context", "idle"), asked.get("utterance")
    if not isinstance(context, str) or not isinstance(utterance, str):
        raise ValueError("context and utterance are texts")  # noqa: TRY004 - as above
    return json.dumps(as_fields(utterance, situation_of(context)), ensure_ascii=False)


def as_fields(text: str, situation: Situation) -> Mapping[str, Any]:
    """`label` and `kind`: what it says to what rings; None when it is no answer to anything."""
    meaning = understand(text, situation)
    answers = situation.ringing is not None and "answer" in meaning.intents
    answer = read_answer(text, situation.ringing or "") if answers else None
    return {
        "intent": "+".join(meaning.intents),
        "detail": meaning.detail,
        "confidence": round(meaning.confidence, 3),
        "label": answer.label.value if answer else None,
        "kind": answer.kind if answer else None,
    }
