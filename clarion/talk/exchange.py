"""One sentence and its handling: who speaks, what rings, what was done and asked."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.ids import DeviceId, UserId
from clarion.language.readback import spoken_recurrence
from clarion.language.script import language_of
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.model import Actor, User
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.ports import RingId
from clarion.reminders.setting import CLOCKS
from clarion.talk import words
from clarion.talk.memory import Act, Dialogue, Hints, Question


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


def kept(one: Reminder) -> dict[str, Any]:
    """The fields needed to set it again."""
    return {
        "content": one.content,
        "trigger_at": one.trigger_at.isoformat(),
        "device_id": one.device_id,
        "confirmation": asdict(one.confirmation),
        "base": one.base,
    }
