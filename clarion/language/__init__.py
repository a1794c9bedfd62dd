"""Words in, meaning out; meaning in, words out. Pure."""
