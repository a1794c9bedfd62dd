"""English as it is spoken, to English as it is looked up: won't → will not, gonna → going to."""

from clarion.language.when.wordlist import words

_AUXILIARIES = words("do does did have has had is are was were would could should need must might")
_PRONOUNS = words("i you we they he she it that this there who")
_ASKING = words("what where when how here why")
_ENDINGS = {"'ve": "have", "'ll": "will", "'d": "would", "'re": "are"}
CONTRACTIONS: dict[str, str] = (
    {f"{verb}n{mark}t": f"{verb} not" for verb in _AUXILIARIES for mark in ("'", "")}
    | {f"{who}{end}": f"{who} {full}" for who in _PRONOUNS for end, full in _ENDINGS.items()}
    | {f"{who}'s": f"{who} is" for who in (*_PRONOUNS, *_ASKING)}
    | {
        "won't": "will not", "wont": "will not", "can't": "can not", "cant": "can not",
        "cannot": "can not", "shan't": "shall not", "ain't": "is not", "aint": "is not",
        "i'm": "i am", "im": "i am", "ive": "i have", "youre": "you are", "let's": "let us",
        "lets": "let us", "thats": "that is", "whats": "what is", "gonna": "going to",
        "gotta": "got to", "wanna": "want to", "lemme": "let me", "gimme": "give me",
        "imma": "i am going to", "ima": "i am going to", "ya": "you", "u": "you", "ur": "your",
        "tooken": "taken", "o'clock": "oclock", "ma'am": "ma am", "'em": "them", "em": "them",
        "cuz": "because", "coz": "because", "'cause": "because", "tho": "though", "thru": "through",
        "yall": "you", "y'all": "you", "outta": "out of", "kinda": "kind of", "sorta": "sort of",
        "meds'": "meds", "n": "and", "&": "and", "w/": "with", "bc": "because", "rn": "right now",
        "medecine": "medicine", "medicin": "medicine", "tommorow": "tomorrow",
        "tommorrow": "tomorrow",
        "latter": "later", "alredy": "already", "allready": "already", "mins": "minutes",
    }
)  # fmt: skip
