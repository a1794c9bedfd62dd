"""Things that are tasks of their own: the lights are off, but the stove was to be.

Each line is one set of rivals. When a content names one of them, a reply about another is about
something else; a content that names none of them means any. Words joined by / are one thing.
"""

import re

_CHINESE = (
    "血压 血糖 体温 体重 心率/脉搏/心跳 血氧 身高 腰围 尿酸",
    "猫/猫咪/猫猫/咪咪 狗/狗狗/狗子/小狗 鱼/金鱼 鸡 兔子 鸟 乌龟",
    "电费/电 水费 房租/租金 燃气费/煤气费 物业费 话费 信用卡 花呗 学费 网费 房贷 社保",
    "被子/被套 衣服/衣裳/衣物 碗/碗筷/筷子 床单 地板 桌子 厨房 卫生间 窗帘 鞋/鞋子",
    "洗衣服/洗 晾/晒",
    "门/大门/房门 窗/窗户 火/煤气/燃气/阀门/灶 灯 空调 插头 水龙头 车/车门 电视 电脑 暖气",
    "证件/身份证/证 护照 伞/雨伞 钥匙 手机 水杯 书包 口罩 医保卡",
    "早饭/早餐/早点 午饭/午餐/中饭 晚饭/晚餐 水果",
    "刷牙/牙 洗澡/澡 洗脸/脸 洗头/头发 洗脚/泡脚 指甲 胡子 碗",
)
_CALLED = (
    "妈妈/妈/我妈/老妈 爸爸/爸/我爸/老爸 奶奶 爷爷 客户 老师 儿子 女儿/闺女 老板 医生/大夫",
    "mom/mum/mother/to mom/to mum/with mom;dad/father/to dad;grandma;doctor;bank;dentist;"
    "daughter;son;sister;brother;boss",
)
_ENGLISH = (
    "cat/cats/kitty;dog/dogs/puppy;fish;bird/birds;rabbit;hamster;chickens;baby",
    "rent;electricity/electric bill;water bill;credit card;mortgage;tax/taxes;insurance;phone bill",
    "laundry/clothes;dishes/dishwasher;floor/floors;room;kitchen;bathroom;sheets;car",
    "door/doors;window/windows;oven/stove/gas;lights/light;heater;iron;car;tv;computer",
    "teeth;shower;hair;bath;face",
    "breakfast;lunch;dinner/supper;snack",
)
_CALLS = re.compile(r"电话|打给|联系|视频|\b(?:call|phone|ring|text)\b")
_WHOSE = ("", "the ", "my ", "your ", "a ")


def chinese(content: str) -> list[str]:
    """What a reply in Chinese must not be about."""
    sets = [*_CHINESE, _CALLED[0]] if _CALLS.search(content) else _CHINESE
    return [
        word
        for line in sets
        for word in _others([group.split("/") for group in line.split()], content)
    ]


def english(content: str) -> list[str]:
    """The same in English, with the little words that go before a noun."""
    padded = f" {content} "
    sets = [*_ENGLISH, _CALLED[1]] if _CALLS.search(content) else _ENGLISH
    found: list[str] = []
    for line in sets:
        groups = [[f" {word} " for word in group.split("/")] for group in line.split(";")]
        found += (word.strip() for word in _others(groups, padded))
    return [f"{whose}{word}" for word in found for whose in _WHOSE]


def _others(groups: list[list[str]], content: str) -> list[str]:
    named = [group for group in groups if any(word in content for word in group)]
    return [word for group in groups if group not in named for word in group] if named else []
