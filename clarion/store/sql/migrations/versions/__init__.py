"""The changes of layout, in order."""
