"""The alphabet of the answer grammar: every word of a reply becomes one of these letters.

A clause is then a short string such as `tVPO` (刚 吃 了 药) and a rule is a pattern over it. One
letter a meaning, the same in Chinese and English; the lexicons are data, the rules are few.
"""

VERB = "V"  # a verb of this task: 吃, take
PAST = "d"  # the same, told as past: took, taken
DOING = "g"  # the same, under way: taking
THING = "O"  # what the task is about: 药, pills, it
FINISHED = "D"  # finished by itself: 搞定, done
PERFECT = "P"  # 了 过 完
SHI_DE = "的"  # 的 after a verb: 早上吃的
NOT_YET = "N"  # 没, have not
WILL_NOT = "B"  # 不, will not
REFUSAL = "X"  # 我拒绝, no way
LATER = "L"  # 等会儿, later
WAIT = "W"  # waits for an event: 等我, until
AGAIN = "R"  # 再
FIRST = "F"  # 先, first
THEN = "J"  # 就, 才
FUTURE = "T"  # 明天, tonight
RECENT = "t"  # 刚才, this morning
OTHER_DAY = "y"  # 昨天, last week
NOW = "0"  # 现在
SPAN = "M"  # 十分钟, half an hour
CLOCK = "C"  # 八点, at eight
AGO = "G"  # 前, ago
HENCE = "h"  # 后, from now
ASKS = "Q"  # 吗 什么 几, what, do you
ASKS_LEAVE = "c"  # 行不行, can we, is it ok if
MAY = "e"  # 可以: agrees when alone, asks when a question follows
SOFT = "q"  # 吧
NE = "l"  # 呢
HEDGE = "H"  # 好像, I think
ACK = "A"  # 好的, got it
MILD_ACK = "a"  # 好, 嗯, yes: also used on the telephone
THANKS = "k"
AT_ONCE = "I"  # 马上, right away
PROMISE = "Y"  # 一定会, I will
TRIES = "U"  # 尽量, we'll see
UNKNOWING = "K"  # 不知道, 没听清
STOP = "S"  # 别提醒了, shut up
NOT_NEEDED = "Z"  # 不用, no need
UNABLE = "E"  # 没空, driving
CORRECTS = "m"  # 不对, I mean
GIVES_UP = "~"  # 算了: a refusal, or a change of mind when something follows
BUT = "b"
PERSON = "p"  # somebody else
FOR_ME = "o"  # 帮我, for me
SAYS = "s"
IF = "i"
PART = "u"  # 一半, some of
ASKS_FAVOUR = "r"  # 提醒我, play
OTHER_FAVOUR = "1"  # 放首歌, add milk to the list
REMAINS = "2"  # 还差, one more to go
OTHER = "z"  # something that is not this task: 早饭, the weather
ELSEWHERE = "w"  # said to the telephone, another device, the television
NUMBER = "n"
UNIT = "v"
DOUBTS_NO = "j"  # 怎么可能, 哪能: turns what follows round
IS_NOT = "%"  # 不是
FORGETS = "!"
HABIT = "&"  # 每天, always
GRUMBLE = "@"  # 好烦
ANYTHING = "x"  # not in any lexicon
FILLER = "f"  # 我 啊 the: says nothing here
