"""All outgoing calls go through here: the checked address is the one that is called."""
