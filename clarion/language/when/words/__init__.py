"""The words of time in each language, and numbers."""
