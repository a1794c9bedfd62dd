"""Subscribers outside are told what happened, signed, and again until they take it."""
