"""Routes about people: users, their devices and contacts, and who takes turns."""
