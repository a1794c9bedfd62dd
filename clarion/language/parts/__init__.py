"""Which words of a request say when, what, whom, how urgent, and whether to ask back: learned."""
