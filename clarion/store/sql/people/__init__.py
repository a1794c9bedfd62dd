"""People, devices and contacts in the database."""
