"""The routes under /ai: one file a noun."""
