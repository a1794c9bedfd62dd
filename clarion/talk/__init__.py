"""Turns what people say into actions and replies, the same for every door."""
