"""The wiring: settings in, a running Clarion out. Alone knows every part.

Each feature has a module here with one function `add_…(parts)` that joins its rules to the edges
and returns what later features need; `build` calls them in order. Nothing here decides anything.
"""
