"""The way to people and programs outside: Apprise addresses and webhooks."""
