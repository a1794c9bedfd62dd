"""Clarion calls the right one, at the right time, in the right order, until someone answers."""

__version__ = "0.2.0"
