"""Linear models over hashed features of a text: small, quick, trained from the corpora here."""

from clarion.language.learned.weights import Weights, load

__all__ = ["Weights", "load"]
