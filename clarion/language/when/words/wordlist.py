"""A list of words as one line of text: shorter to read than a list of strings."""


def words(text: str) -> list[str]:
    return text.split()
