"""What a reminder's content is about, as far as its wording needs it."""

import re
from typing import Final

from clarion.language.learned.tokens import stem, words_of
from clarion.language.script import HAN, fold
from clarion.language.when.words.wordlist import words

_TIME_FIRST: Final = re.compile(
    r"^(?:请|记得|记着|别忘了?|不要忘记|该|要|去|来|得|准时|按时|每[天晚早周月]|今[天晚早]|明[天晚早]|后天|"
    r"早上|晚上|上午|下午|中午|睡前|饭后|饭前|下班后?|"
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点半?|:\d\d))+"
)
_VERBS_ZH: Final = frozenset(
    "丢买交付倒做充关写冲刮刷剪发取叠吃吞喂喝回寄带开弹戴打扔扫抄投报抹拖拿挂换接搬擦收敷晒晾服查泡注洗浇测涂滴"
    "灌熄画看睡称签练缴背补订读贴跑跳还送遛量铺锁领食饮验"
)
_PAIRS_ZH: Final = frozenset(
    words(
        "锻炼 检查 打扫 整理 复习 预习 预约 缴纳 参加 更换 准备 提交 测量 收拾 联系 回复 关闭 "
        "充电 练习 背诵 打卡 签到 服用 注射 采购 修剪 登记 申请 报名 清理 下单 挂号 出发 学习 "
        "休息 运动 健身 起床 拉伸 反锁 填写 发送 取消 更新 备份 汇报 审批 续费 投票 领取 归还 "
        "清洗 冥想 散步 跑步 消毒 洗漱"
    )
)
_VERBS_EN: Final = frozenset(
    words(
        "take do eat drink feed give go get pay send buy bring write read run swim call walk "
        "water lock wash check brush fix turn clean charge close open put pick practice "
        "practise make book order change measure test apply stretch exercise study review "
        "submit finish return renew sign email text reply visit move lift rest sleep wake "
        "meet prepare pack mail empty fold sweep mop vacuum iron"
    )
)


def is_action(content: str) -> bool:
    """A plain thing to do (吃药, take your pills), not a note with a time or a subject."""
    folded = fold(content)
    if not HAN(folded):
        return folded.split(" ", 1)[0] in _VERBS_EN and len(folded) <= 30
    if len(folded) > 12 or _TIME_FIRST.match(folded):
        return False
    return folded[:2] in _PAIRS_ZH or folded[0] in _VERBS_ZH


def names_task(text: str, content: str) -> bool:
    """Whether a folded text speaks of this content: its words, or the thing it is about."""
    folded = fold(content)
    if folded in text:
        return True
    if HAN(folded):
        core = _TIME_FIRST.sub("", folded) or folded
        thing = core[2 if core[:2] in _PAIRS_ZH else 1 :]
        return (thing if len(thing) > 1 or (thing and is_action(content)) else core) in text
    said = {stem(word) for word in re.findall(r"[a-z]+", text)}
    things = {word for word in words_of(folded) if word not in {stem(v) for v in _VERBS_EN}}
    return bool(things or words_of(folded)) and (things or words_of(folded)) <= said
