"""Linear models over hashed features of a text: small, quick, trained from the corpora here."""

from clarion.language.learned.weights import Linear, load

__all__ = ["Linear", "load"]
