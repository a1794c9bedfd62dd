"""How a device is found and woken, and which devices are here."""
