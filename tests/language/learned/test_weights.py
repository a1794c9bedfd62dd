import math

import numpy as np
import pytest

from clarion.language.answer.reader import likeliest
from clarion.language.learned import Linear, load
from clarion.language.learned.corpus import Example, examples, fingerprint
from clarion.language.learned.features import reply_features
from clarion.language.learned.models import MODELS, Model
from clarion.language.learned.train import (
    Floats,
    Lessons,
    Plan,
    Rows,
    chances,
    common,
    fit,
    packed,
    rows_of,
)

YES, NO = [11, 12, 13], [21, 22, 13]
PLAN = Plan(epochs=20, drop=0)


def taught(times: int = 2) -> tuple[list[int], Rows, Floats, Floats]:
    said = [YES, NO] * times
    known = common(said, PLAN.seen)
    rows = rows_of(said, known)
    lessons = Lessons(rows, np.eye(2)[[0, 1] * times], np.ones(2 * times))
    return known, rows, *fit(lessons, len(known), PLAN)


def kept(known: list[int], table: Floats, bias: Floats) -> bytes:
    return packed(known, table, bias, ("yes", "no"), PLAN, {})


def test_what_was_taught_is_known() -> None:
    known, _, *fitted = taught()

    weights = Linear(kept(known, *fitted))

    assert weights.chances(YES)["yes"] > 0.9
    assert weights.chances(NO)["no"] > 0.9


def test_rounded_weights_say_what_the_exact_ones_say() -> None:
    known, rows, *fitted = taught()

    exact = chances(rows, *fitted)[0][0]

    assert math.isclose(Linear(kept(known, *fitted)).chances(YES)["yes"], exact, abs_tol=0.02)


def test_a_text_with_very_many_features_is_scored_like_any_other() -> None:
    known, _, *fitted = taught()

    assert Linear(kept(known, *fitted)).chances(YES * 500)["yes"] > 0.9


def test_what_no_example_or_only_one_had_says_nothing() -> None:
    known, _, *fitted = taught()
    weights = Linear(kept(known, *fitted))

    assert common([YES, NO], 2) == [13]
    assert weights.chances([*YES, 99]) == weights.chances(YES)
    assert weights.chances([99]) == weights.chances([])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_shipped_weights_were_trained_on_the_corpora_as_they_are(model: Model) -> None:
    about = load(model.name).about

    assert about["corpora"] == fingerprint(model.folders), "run `make train`"
    assert about["plan"]["seed"] == model.plan.seed


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_small_training_gives_what_it_gave_when_the_weights_were_made(model: Model) -> None:
    """The whole one takes minutes: `make train ARGS=--check` compares every byte."""
    assert load(model.name).about["probe"] == model.probe(model.taught()), "run `make train`"


def test_training_twice_gives_the_same_bytes() -> None:
    (known, _, *once), (_, _, *again) = taught(), taught()

    assert kept(known, *once) == kept(known, *again)


@pytest.mark.timeout(120)  # two small trainings, on a machine that may be busy
def test_a_third_language_is_its_lines_and_nothing_else() -> None:
    """With the Spanish lines a model reads Spanish that it never saw; without them it does not."""
    model = next(model for model in MODELS if model.name == "answers")
    lines = model.taught()
    spanish = [each for each in lines if each.example.file == "spanish"]
    others = [each for each in lines if each.example.file != "spanish"][::40]
    key = model.sources[0].key
    aside = [e for e in examples("replies") if e.file == "spanish" and e.is_aside(*key)]

    with_it, without = (
        share_right(Linear(model.train(some)), aside) for some in ([*others, *spanish], others)
    )

    assert with_it >= 0.65
    assert with_it >= without + 0.1


def share_right(weights: Linear, replies: list[Example]) -> float:
    heard = (
        likeliest(weights.chances(reply_features(each.fields["reply"], each.fields["content"])))
        for each in replies
    )
    right = [
        label[0] == each.fields["label"] for (label, _), each in zip(heard, replies, strict=True)
    ]
    return sum(right) / len(right)
