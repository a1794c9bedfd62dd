"""Times of day as each language says them."""
