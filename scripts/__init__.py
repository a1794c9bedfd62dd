"""Chores of the project, run by hand or by make."""
