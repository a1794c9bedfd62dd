"""Which models there are: from their corpora to their weights. `make train` makes them all."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clarion.language.learned.corpus import Example, examples, fingerprint
from clarion.language.learned.features import utterance_features
from clarion.language.learned.train import Floats, Plan, fit, packed, rows_of

HERE = Path(__file__).parent / "weights"
INTENTS = (
    "answer", "create", "list", "cancel", "change", "snooze", "stop", "repeat", "fill", "correct",
    "undo", "help", "distress", "greet", "chat", "aside", "answer+create", "answer+list",
    "answer+cancel", "answer+snooze", "answer+change", "answer+chat", "fill+create", "answer+greet",
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

    def taught(self) -> list[Example]:
        return [e for f in self.folders for e in examples(f) if not e.is_aside(*self.key)]

    def train(self, taught: Sequence[Example] | None = None) -> bytes:
        taught = self.taught() if taught is None else taught
        rows = rows_of([self.see(example) for example in taught], self.plan.bits)
        table, bias = fit(rows, self.allowed(taught), self.plan)
        about = {"examples": len(taught), "corpora": fingerprint(self.folders)}
        return packed(table, bias, self.classes, self.plan, about)

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


MODELS = (
    Model(
        name="intents",
        folders=("utterances",),
        key=("context", "utterance"),
        classes=INTENTS,
        plan=Plan(bits=14, epochs=12),
        see=_see_utterance,
        right=_intent,
    ),
)


def main() -> None:
    """Train the named models, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args().names
    for model in MODELS:
        if not chosen or model.name in chosen:
            data = model.train()
            (HERE / f"{model.name}.bin").write_bytes(data)
            sys.stdout.write(f"{model.name}: {len(data)} bytes\n")


if __name__ == "__main__":
    main()
