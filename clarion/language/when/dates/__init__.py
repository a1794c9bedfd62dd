"""Days as they are said and written, in both languages and in figures."""
