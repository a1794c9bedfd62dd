import math

import numpy as np
import pytest

from clarion.language.learned import Weights, load
from clarion.language.learned.corpus import fingerprint
from clarion.language.learned.models import HERE, MODELS, Model
from clarion.language.learned.train import Floats, Plan, chances, fit, packed, rows_of

YES, NO = [11, 12, 13], [21, 22, 13]
PLAN = Plan(bits=6, epochs=20, drop=0)


def test_what_was_taught_is_known() -> None:
    rows = rows_of([YES, NO, YES, NO], PLAN.bits)
    table, bias = fit(rows, _of([0, 1, 0, 1]), PLAN)

    weights = Weights(packed(table, bias, ("yes", "no"), PLAN, {}))

    assert weights.chances(YES)["yes"] > 0.9
    assert weights.chances(NO)["no"] > 0.9


def test_rounded_weights_say_what_the_exact_ones_say() -> None:
    rows = rows_of([YES, NO, YES, NO], PLAN.bits)
    table, bias = fit(rows, _of([0, 1, 0, 1]), PLAN)
    weights = Weights(packed(table, bias, ("yes", "no"), PLAN, {}))

    exact = chances(rows, table, bias)[0][0]

    assert math.isclose(weights.chances(YES)["yes"], exact, abs_tol=0.02)


def test_of_a_very_long_text_only_so_much_is_counted() -> None:
    assert len(load("intents").scores(range(100_000))) == len(load("intents").classes)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_shipped_weights_were_trained_on_the_corpora_as_they_are(model: Model) -> None:
    about = load(model.name).about

    assert about["corpora"] == fingerprint(model.folders), "run `make train`"
    assert about["plan"]["seed"] == model.plan.seed


def test_the_same_corpora_give_the_same_bytes() -> None:
    model = MODELS[0]

    assert model.train() == (HERE / f"{model.name}.bin").read_bytes()


def _of(classes: list[int]) -> Floats:
    return np.eye(2)[classes]
