"""Which models there are: from their corpora to their weights. `make train` makes them all."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from clarion.language.learned.corpus import Example, examples, fingerprint
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
class Model:
    """`see` makes the features of an example, `right` names the classes that would be right."""

    name: str
    folders: tuple[str, ...]
    key: tuple[str, ...]
    """The fields that decide whether an example is kept aside."""
    classes: tuple[str, ...]
    plan: Plan
    see: Callable[[Example], Sequence[int]]
    right: Callable[[Example], Sequence[str]]
    feared: Mapping[str, float] = field(default_factory=dict)
    """The classes that must not be heard by mistake; see `fit`."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """By table: how much an example of it counts, if not once."""

    def taught(self) -> list[Example]:
        return [e for f in self.folders for e in examples(f) if not e.is_aside(*self.key)]

    def train(self, taught: Sequence[Example] | None = None) -> bytes:
        taught = self.taught() if taught is None else taught
        about = {
            "examples": len(taught),
            "corpora": fingerprint(self.folders),
            "probe": self.probe(taught),
        }
        return self._fitted(taught, self.plan, about)

    def probe(self, taught: Sequence[Example]) -> str:
        """A digest of a far smaller training: it shows whether `make train` would differ."""
        few = taught[:: max(1, len(taught) // PROBED)]
        return hashlib.sha256(
            self._fitted(few, replace(self.plan, epochs=1, times=1), {})
        ).hexdigest()[:16]

    def _fitted(self, taught: Sequence[Example], plan: Plan, about: Mapping[str, object]) -> bytes:
        features = [self.see(example) for example in taught]
        feared = np.array([self.feared.get(name, 0.0) for name in self.classes])
        counts = np.array([self.counts.get(example.file, 1.0) for example in taught])
        known = common(features, plan.seen)
        lessons = Lessons(rows_of(features, known), self.allowed(taught), counts)
        known = telling(lessons, known, plan, feared)
        lessons = replace(lessons, rows=rows_of(features, known))
        table, bias = fit(lessons, len(known), plan, feared)
        return packed(known, table, bias, self.classes, plan, about)

    def allowed(self, taught: Sequence[Example]) -> Floats:
        places = {name: at for at, name in enumerate(self.classes)}
        out = np.zeros((len(taught), len(self.classes)))
        for at, example in enumerate(taught):
            for name in self.right(example):
                out[at, places[name]] = 1
        return out


def _see_utterance(example: Example) -> list[int]:
    scene, _, about = example.fields["context"].partition(":")
    return utterance_features(example.fields["utterance"], scene, about)


def _intent(example: Example) -> list[str]:
    said = example.fields["intent"]
    return [said if said in INTENTS else said.partition("+")[0]]


def _see_reply(example: Example) -> list[int]:
    return reply_features(example.fields["reply"], example.fields["content"])


def _kind(example: Example) -> Sequence[str]:
    """Where only the label is known, any of its kinds would be right."""
    kind = example.fields["kind"]
    return (kind,) if kind else KINDS[example.fields["label"]]


MODELS = (
    Model(
        name="answers",
        folders=("replies",),
        key=("content", "reply"),
        classes=tuple(kind for kinds in KINDS.values() for kind in kinds),
        plan=Plan(epochs=8, seen=4, kept=220_000),
        see=_see_reply,
        right=_kind,
        feared=dict.fromkeys(KINDS["C"], 3.0),
        counts=dict.fromkeys(BY_GUIDELINES, 1.5) | {"early": 3.0, "spanish": 6.0},
    ),
    Model(
        name="intents",
        folders=("utterances",),
        key=("context", "utterance"),
        classes=INTENTS,
        plan=Plan(epochs=16, drop=0.5, seen=3, times=6, kept=120_000),
        see=_see_utterance,
        right=_intent,
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
