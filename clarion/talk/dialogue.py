"""A dialogue: what it remembers between two sentences, and one exchange of it.

An exchange is one sentence and its handling: who speaks, what rings, what was done and asked. What
is remembered is plain values, one row per chat or device.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.ids import DeviceId, UserId
from clarion.language.readback import spoken_recurrence
from clarion.language.script import language_of
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.model import Actor, User
from clarion.reminders.model import CLOCKS, Reminder, ReminderStatus, Series
from clarion.reminders.ports import RingId
from clarion.talk import words

TURNS_MAX = 10
LETTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: `role` is `user` or `assistant`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of ours that waits for an answer: the slot that the next words may fill."""

    slot: str
    """`when` a reminder is meant; `which` one; whether `once` or for ever; `what` to remind of."""
    text: str
    """The question, as it was asked."""
    request: str = ""
    """The sentence that could not be carried out yet."""
    choices: tuple[str, ...] = ()
    """Ids, in the order in which they were named."""


@dataclass(frozen=True, slots=True)
class Act:
    """One action, with what is needed to undo it."""

    verb: str
    """`set`, `changed`, `cancelled`, `confirmed`."""
    id: str
    before: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hints:
    """What words like "that one" may refer to."""

    ringing: str = ""
    recent: tuple[str, ...] = ()
    """What was last set or changed, the newest last."""
    listed: tuple[str, ...] = ()
    """What was last read out, in that order."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    question: Question | None = None
    said: str = ""
    """What Clarion said last."""
    acts: tuple[Act, ...] = ()
    """What the last sentence that did anything did."""
    listed: tuple[str, ...] = ()
    """Reminders in the order in which they were read out."""
    turns: tuple[Said, ...] = ()

    @property
    def last(self) -> Act | None:
        """What was set or changed last; None when nothing was, or several at once."""
        made = [act for act in self.acts if act.verb in ("set", "changed")]
        return made[0] if len({act.id for act in made}) == 1 else None

    def after(self, heard: str, said: str) -> "Dialogue":
        turns = (*self.turns, Said("user", heard[:LETTERS_MAX]))
        if said:
            turns = (*turns, Said("assistant", said[:LETTERS_MAX]))
        return replace(self, turns=turns[-TURNS_MAX:], said=said or self.said)


EMPTY = Dialogue()


def dump(dialogue: Dialogue) -> dict[str, Any]:
    return asdict(dialogue)


def load(kept: Mapping[str, Any]) -> Dialogue:
    question = kept.get("question")
    return Dialogue(
        question=Question(**{**question, "choices": tuple(question["choices"])})
        if question
        else None,
        said=kept.get("said", ""),
        acts=tuple(Act(**act) for act in kept.get("acts", ())),
        listed=tuple(kept.get("listed", ())),
        turns=tuple(Said(**turn) for turn in kept.get("turns", ())),
    )


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks, and where. What they ask for is done with their rights."""

    actor: Actor
    user_id: UserId
    device_id: DeviceId | None
    """Where they speak, and are reminded; None: wherever they are found."""
    place: str
    """Where the talk is remembered: a device, a chat, or one person in a group."""
    in_group: bool = False
    """Among several people, to whom the reminders of this place belong together."""
    said_at: datetime | None = None
    """When it was sent, where that is known."""
    key: str = ""
    """The name of what was said: said again under the same name, it is done once."""


@dataclass(slots=True)
class Exchange:
    speaker: Speaker
    user: User
    text: str
    now: datetime
    dialogue: Dialogue
    ringing: Reminder | None = None
    ring_id: RingId | None = None
    told: RingId | None = None
    """What the door says they were told last; `ring_id` is what they answer."""
    intents: tuple[str, ...] = ()
    """What the reader took the words for, and how sure it was."""
    sure: float = 0.0
    proof: list[str] = field(default_factory=list)
    """Ids of what this sentence has written."""
    acts: list[Act] = field(default_factory=list)
    question: Question | None = None
    listed: tuple[str, ...] = ()
    chatted: bool = False
    """A language model spoke, about whatever it was."""
    warned: str = ""
    """That nobody can hear it: said once, however many things were set."""
    language: str = ""

    def __post_init__(self) -> None:
        # "9" is said in the language of the question.
        self.language = language_of(self.text, language_of(self.dialogue.said, self.user.language))

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.user.zone)

    @property
    def is_open(self) -> bool:
        """A reminder waits for an answer; a plain one that has ended does not."""
        done = (ReminderStatus.COMPLETED, ReminderStatus.CONFIRMED, ReminderStatus.CANCELLED)
        return self.ringing is not None and self.ringing.status not in done

    @property
    def hints(self) -> Hints:
        return Hints(
            ringing=self.ringing.id if self.ringing else "",
            recent=tuple(act.id for act in self.dialogue.acts if act.verb != "cancelled"),
            listed=self.dialogue.listed,
        )

    def did(self, verb: str, id_: str, **before: object) -> None:
        self.proof.append(id_)
        self.acts.append(Act(verb, id_, before))

    def unchanged(self, before: Reminder, after: Reminder) -> str:
        """What to say when nothing had to change; empty when something was written."""
        if after.version != before.version:
            return ""
        return self.say("same", when=self.time_of(after.trigger_at), content=after.content)

    def moved(self, after: Reminder) -> str:
        key = "moved_clock" if after.content in CLOCKS else "moved"
        return self.claim(key, when=self.time_of(after.trigger_at), content=after.content)

    def say(self, key: str, **fields: object) -> str:
        return words.say(key, self.language, **fields)

    def claim(self, key: str, **fields: object) -> str:
        return words.claim(key, self.language, self.proof, **fields)

    def each(self, content: str, said: str) -> str:
        """What is said back to one of several, by its name: 吃药：记下了。"""
        return words.each(content, said, self.language)

    def ask(self, slot: str, text: str, *, request: str = "", choices: Sequence[str] = ()) -> str:
        self.question = Question(slot, text, request or self.text, tuple(choices))
        return text

    def time_of(self, at: datetime) -> str:
        return words.say_time(at.astimezone(self.zone), self.now, self.language)

    def rhythm_of(self, series: Series) -> str:
        """每天早上6点半: of what repeats, the next time alone would say too little."""
        rule = Recurrence.load(series.rule)
        return spoken_recurrence(rule, self.language, self.now, home=self.zone)

    def items(self, reminders: Sequence[Reminder]) -> str:
        return words.listed(
            [f"{self.time_of(one.trigger_at)} {one.content}" for one in reminders], self.language
        )

    def names(self, reminders: Sequence[Reminder]) -> str:
        return self.joined([one.content for one in reminders])

    def joined(self, names: Sequence[str]) -> str:
        return ("、" if self.language == "zh" else ", ").join(names)


def kept(one: Reminder) -> dict[str, Any]:
    """The fields needed to set it again."""
    return {
        "content": one.content,
        "trigger_at": one.trigger_at.isoformat(),
        "device_id": one.device_id,
        "confirmation": asdict(one.confirmation),
        "base": one.base,
    }
