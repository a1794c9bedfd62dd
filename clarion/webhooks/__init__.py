"""Programs outside are told what happened, signed, until they have taken it."""
