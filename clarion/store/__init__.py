"""How facts are kept: SQL is the truth, Redis is speed."""
