"""Everything that leaves goes through here: the address that was checked is the one called."""
