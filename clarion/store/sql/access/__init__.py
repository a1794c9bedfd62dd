"""Tokens, secrets and repeated requests in the database."""
