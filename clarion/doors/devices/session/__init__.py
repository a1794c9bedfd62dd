"""The dialogue with one device as pure code, without a connection."""
