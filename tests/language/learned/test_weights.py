import math

import numpy as np
import pytest

from clarion.language.learned import Linear, load
from clarion.language.learned.corpus import fingerprint
from clarion.language.learned.models import MODELS, Model
from clarion.language.learned.train import Floats, Plan, chances, fit, packed, rows_of

YES, NO = [11, 12, 13], [21, 22, 13]
PLAN = Plan(bits=6, epochs=20, drop=0)


def test_what_was_taught_is_known() -> None:
    rows = rows_of([YES, NO, YES, NO], PLAN.bits)
    table, bias = fit(rows, _of([0, 1, 0, 1]), PLAN)

    weights = Linear(packed(table, bias, ("yes", "no"), PLAN, {}))

    assert weights.chances(YES)["yes"] > 0.9
    assert weights.chances(NO)["no"] > 0.9


def test_rounded_weights_say_what_the_exact_ones_say() -> None:
    rows = rows_of([YES, NO, YES, NO], PLAN.bits)
    table, bias = fit(rows, _of([0, 1, 0, 1]), PLAN)
    weights = Linear(packed(table, bias, ("yes", "no"), PLAN, {}))

    exact = chances(rows, table, bias)[0][0]

    assert math.isclose(weights.chances(YES)["yes"], exact, abs_tol=0.02)


def test_a_text_with_very_many_features_is_scored_like_any_other() -> None:
    rows = rows_of([YES, NO], PLAN.bits)
    table, bias = fit(rows, _of([0, 1]), PLAN)
    weights = Linear(packed(table, bias, ("yes", "no"), PLAN, {}))

    assert weights.chances(YES * 500)["yes"] > 0.9


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
    rows = rows_of([YES, NO, YES, NO], PLAN.bits)
    once, again = (fit(rows, _of([0, 1, 0, 1]), PLAN) for _ in range(2))

    assert packed(*once, ("yes", "no"), PLAN, {}) == packed(*again, ("yes", "no"), PLAN, {})


def _of(classes: list[int]) -> Floats:
    return np.eye(2)[classes]
