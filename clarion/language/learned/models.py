"""Which models there are: from their corpora to their weights. `make train` makes them all."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from clarion.language.learned.corpus import MARKED, Example, examples, fingerprint
from clarion.language.learned.features import reply_features, utterance_features
from clarion.language.learned.train import (
    Floats,
    Lessons,
    Plan,
    common,
    fit,
    packed,
    rows_of,
    telling,
)

HERE = Path(__file__).parent / "weights"
INTENTS = (
    "answer", "create", "list", "cancel", "change", "snooze", "stop", "repeat", "fill", "correct",
    "undo", "help", "distress", "greet", "chat", "aside", "answer+create", "answer+list",
    "answer+cancel", "answer+snooze", "answer+change", "answer+chat", "fill+create", "answer+greet",
)  # fmt: skip

PROBED = 1000  # examples
KINDS = {
    "C": ("done", "doing", "will"),
    "D": ("later", "no", "undone", "cannot"),
    "U": ("asks", "unsure", "partial", "aside", "other"),
}
# Tables written for the guidelines of the labels count more than those that came later. The two
# smallest kinds, old words and Spanish, would be drowned by the rest.
BY_GUIDELINES = (
    "chinese", "english", "everyday", "expressions", "looks_like_yes", "misleading", "personas",
    "voices", "ways_of_yes",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Examples of one folder: `see` makes the features of each, `right` names the classes that
    would be right; where there are none, it teaches nothing.
    """

    folder: str
    key: tuple[str, ...]
    """The fields that decide whether an example is kept aside."""
    see: Callable[[Example], Sequence[int]]
    right: Callable[[Example], Sequence[str]]
    one_in: int = 1
    """Of so many one is taught."""
    without: Collection[str] = ()
    """Tables that are left out."""

    def taught(self) -> "list[Taught]":
        tables = (each for each in examples(self.folder) if each.file not in self.without)
        known = (each for each in tables if not each.is_aside(*self.key) and self.right(each))
        return [Taught(self, example) for example in list(known)[:: self.one_in]]


@dataclass(frozen=True, slots=True)
class Taught:
    source: Source
    example: Example


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    sources: tuple[Source, ...]
    classes: tuple[str, ...]
    plan: Plan
    feared: Mapping[str, float] = field(default_factory=dict)
    """The classes that must not be heard by mistake; see `fit`."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """By table: how much an example of it counts, if not once."""

    @property
    def folders(self) -> list[str]:
        return [source.folder for source in self.sources]

    def taught(self) -> list[Taught]:
        return [lesson for source in self.sources for lesson in source.taught()]

    def train(self, taught: Sequence[Taught] | None = None) -> bytes:
        taught = self.taught() if taught is None else taught
        about = {
            "examples": len(taught),
            "corpora": fingerprint(self.folders),
            "probe": self.probe(taught),
        }
        return self._fitted(taught, self.plan, about)

    def probe(self, taught: Sequence[Taught]) -> str:
        """A digest of a far smaller training: it shows whether `make train` would differ."""
        few = taught[:: max(1, len(taught) // PROBED)]
        return hashlib.sha256(
            self._fitted(few, replace(self.plan, epochs=1, times=1), {})
        ).hexdigest()[:16]

    def _fitted(self, taught: Sequence[Taught], plan: Plan, about: Mapping[str, object]) -> bytes:
        features = [one.source.see(one.example) for one in taught]
        feared = np.array([self.feared.get(name, 0.0) for name in self.classes])
        counts = np.array([self.counts.get(one.example.file, 1.0) for one in taught])
        known = common(features, plan.seen)
        lessons = Lessons(rows_of(features, known), self.allowed(taught), counts)
        known = telling(lessons, known, plan, feared)
        lessons = replace(lessons, rows=rows_of(features, known))
        table, bias = fit(lessons, len(known), plan, feared)
        return packed(known, table, bias, self.classes, plan, about)

    def allowed(self, taught: Sequence[Taught]) -> Floats:
        places = {name: at for at, name in enumerate(self.classes)}
        out = np.zeros((len(taught), len(self.classes)))
        for at, one in enumerate(taught):
            for name in one.source.right(one.example):
                out[at, places[name]] = 1
        return out


def _see_utterance(example: Example) -> list[int]:
    scene, _, about = example.fields["context"].partition(":")
    return utterance_features(example.fields["utterance"], scene, about)


def _intent(example: Example) -> list[str]:
    said = example.fields["intent"]
    return [said if said in INTENTS else said.partition("+")[0]]


def _see_answer(example: Example) -> list[int]:
    return utterance_features(example.fields["reply"], "ring", example.fields["content"])


# What a reply may be taken for, whatever its kind: never a call for help.
_REPLY = tuple(intent for intent in INTENTS if intent != "distress")
# Whoever says what became of it wants nothing set, changed or listed.
_TELLS = tuple(
    intent for intent in _REPLY
    if intent not in ("create", "list", "change", "fill", "correct", "undo", "help", "answer+list")
)  # fmt: skip


def _intent_of_reply(example: Example) -> Sequence[str]:
    kind = example.fields["kind"]
    if kind in ("", "aside") or example.file == "spanish":
        return ()
    return _TELLS if kind in ("done", "doing", "undone", "partial") else _REPLY


_NO_REQUEST = tuple(intent for intent in INTENTS if "create" not in intent)


def _see_request(example: Example) -> list[int]:
    return utterance_features(MARKED.sub(r"\2", example.fields["marked"]), "idle", "")


def _intent_of_request(example: Example) -> Sequence[str]:
    return ("create",) if "[c " in example.fields["marked"] else _NO_REQUEST


def _see_reply(example: Example) -> list[int]:
    return reply_features(example.fields["reply"], example.fields["content"])


def _kind(example: Example) -> Sequence[str]:
    """Where only the label is known, any of its kinds would be right."""
    kind = example.fields["kind"]
    return (kind,) if kind else KINDS[example.fields["label"]]


# With these among them the model of intents missed three more calls for help.
ONLY_ANSWERS = (
    "daily_en", "daily_zh", "misleading_en", "misleading_zh", "near_misses", "personas_en",
    "personas_zh", "results",
)  # fmt: skip
REPLIES = Source("replies", ("content", "reply"), _see_reply, _kind)
MODELS = (
    Model(
        name="answers",
        sources=(REPLIES,),
        classes=tuple(kind for kinds in KINDS.values() for kind in kinds),
        plan=Plan(epochs=16, shrink=3e-4, seen=4, kept=250_000),
        feared=dict.fromkeys(KINDS["C"], 3.0),
        counts=dict.fromkeys(BY_GUIDELINES, 1.5) | {"early": 3.0, "spanish": 6.0},
    ),
    Model(
        name="intents",
        sources=(
            Source("utterances", ("context", "utterance"), _see_utterance, _intent),
            # Not the intent itself, for "no" or "what?" may be several: what they are not.
            Source("replies", REPLIES.key, _see_answer, _intent_of_reply, 4, ONLY_ANSWERS),
            Source("requests", ("marked",), _see_request, _intent_of_request, one_in=2),
        ),
        classes=INTENTS,
        plan=Plan(epochs=16, drop=0.5, seen=3, times=4, kept=160_000),
    ),
)


def main() -> None:
    """Train the named models, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    asked = parser.parse_args()
    for model in MODELS:
        if asked.names and model.name not in asked.names:
            continue
        data, path = model.train(), HERE / f"{model.name}.bin"
        if asked.check and data != path.read_bytes():
            raise SystemExit(f"{model.name}: not what is there")
        path.write_bytes(data)
        sys.stdout.write(f"{model.name}: {len(data)} bytes\n")


if __name__ == "__main__":
    main()
