"""Times of day: how they are spoken and written, and which hour is meant."""
