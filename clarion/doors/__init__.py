"""How the world talks to us and is answered."""
