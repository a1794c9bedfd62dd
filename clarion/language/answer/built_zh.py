"""Chinese words that are put together by rule: 别催了, 不用再提醒我, 让我再躺一会儿."""

from itertools import product

from clarion.language.answer import kinds as k
from clarion.language.when.wordlist import words

_DO_NOT = words("别 别再 别老 别总 不要 不要再 不许 不准 甭 甭再 莫 莫再 少 勿")
_NO_NEED = words("不用 不用再 不必 不必再 无需 用不着")
_NAG = words("催 念 念叨 吵 吵吵 嚷 嚷嚷 啰嗦 罗嗦 唠叨 叨叨 叨咕 念经 闹 喊 急 着急 操心 瞎操心")
_REMIND = words("提醒 叫 烦 打扰 打搅 管 问 响 播 播报 播放 通知 吼")
_WHOM = ("", "了", "啦", "我", "我了", "我啦", "人", "人了")

_MORE = words("再 让我 让我再 我再 容我 容我再 给我 还想 还要 还得 还想再 还要再 还得再")
_REST = words("睡 躺 眯 歇 玩 看 坐 聊 刷 打 缓 赖 休息 待 忙 等 磨蹭 弄 泡 逛 听 追 晒 烤 吹")
_A_WHILE = words("会 会儿 一会 一会儿 一小会儿 一下 下下 一阵 一阵子 两天 几天 一天")


def _built(*parts: list[str] | tuple[str, ...]) -> str:
    return " ".join("".join(pieces) for pieces in product(*parts))


WORDS: dict[str, str] = {
    k.NAG: _built(_DO_NOT, _NAG, _WHOM),
    k.STOP: _built(_DO_NOT, _REMIND, _WHOM) + " " + _built(_NO_NEED, _REMIND, _WHOM),
    k.LATER: _built(_MORE, _REST, _A_WHILE),
}
