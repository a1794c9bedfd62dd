"""The Chinese words of time: each simplified spelling with its kind and value.

Kinds are shared with English, so that the grammar reads 明天 and "tomorrow" alike. A guard is
what must not follow a word: 3号 is a day of the month, 3号楼 a building.
"""

from typing import Any

from clarion.language.when.calendar import FESTIVALS_ZH
from clarion.language.when.stream import Routine
from clarion.language.when.words import words as listed

# Longer words that contain a shorter one of time: 早上好 greets, 今日头条 is a newspaper.
IDLE = listed(
    """
    五月天 当晚会 今日头条 明天系 后天性 当午 第二天性 晚安 早安 午安 下午茶 上下午 晚饭 早饭 午饭
    晚餐 早餐 午餐 晚班 早班 夜班 夜宵 晚会 早会 午睡 午休 早操 早读 晚自习 晚霞 晚宴 早市 夜市
    早教 早就 早已 早日 一点点 一点儿 有一点 有点 差一点 差点 早一点 早点 快一点 快点 慢一点
    多一点 少一点 好一点 大一点 小一点 高一点 低一点 一点都 一点也 一点不 一点没 轻一点 近一点
    远一点 喝一点 吃一点 一点钱 一点小 一天到晚 三天两头 一下 一起 统一 唯一 万一 之一 其一 一样
    一直 一日之计 一年之计 一日千里 一日三秋 一日不见 天天向上 年年有余 年年有鱼 朝九晚五 昨日重现
    明日黄花 一时半会 一时半刻 一时之间 五四运动 五四精神 三更灯火 黎明前 黎明时分的曙光 七年之痒
    十年树木 百年树人 一万年 三年五载 三分钟热度 五分钟热度 日复一日 年复一年 夜以继日 日以继夜
    今非昔比 来日方长 度日如年 一刻不停 一刻也 分分秒秒 争分夺秒 五一广场 五一路 五一大道 八一路
    八一广场 三八红旗 三八线 黄昏恋 春天的故事 月月红 十五的月亮 迟早 不夜城 今生今世 一周岁 半路
    半山 三天打鱼 两天晒网 一些 一定 一边 一旦 一声 一般 半天没 一半 另一半 多半 半价 半夜鸡叫
    天气 天然 天津 后台 后面 后果 后续 前台 前面 前往 前进 提前告知 时候 时间 时间表 小时候 时代
    及时 按时 临时 随时 同时 时刻 当时 时装 平时 定时 到时候 计时 倒计时 周围 周边 周到 周全 周转
    周年 周报 周刊 周期 月亮 月饼 月经 年级 年龄 年纪 年糕 年货 年会 年薪 年终奖 不过 通过 经过
    超过 难过 过去 过来 过敏 过期 过年 过节 过程 度过 路过 错过 见过 过生日 到期 到家 到达 号码
    号召 账号 口号 信号 型号 编号 挂号 日程 日常 日志 日报 日本 日子 生日 节日快乐 中外 内外
    以外的 点名 点菜 点餐 点赞 点击 点心 点评 点头 重点 地点 观点 缺点 优点 起点 终点 特点 景点
    站点 网点 热点 焦点 分店 分行 分工 分公司 分数 分手 分享 部分 充分 百分 积分 学分 缘分 身份
    月份牌 不和 和平 和谐 起床 起来 起飞 刻意 立刻起 深刻 雕刻 时刻表 半成品 半决赛 一日游 二日游
    三日游 一日三餐 日均 除法 除湿 大气 大号 小号 中号 每次 每人 每位 共同 公共 只要 只有 只是
    不只 就是 就要 就诊 成就 就业 总共有 重复率 未来科技 未来城 从来 自己 自行 自助 自动 自由
    今日份 明日复明日 明日何其多 昨夜星辰 昨夜西风 今夜无眠 今夜无人 今朝有酒 今朝醉 此时无声
    早睡早起 早晚温差 早晚高峰 年年岁岁 岁岁年年 月月年年 七七事变 一二九运动 九一八事变
    二月河 三月兔 日日夜夜 三月不知 七夕青鸟 百日咳 百日宴 周六福 周三多 周大福 月月舒 后天养成
    一时糊涂 一时兴起 一时冲动 一时疏忽 晚间新闻 早间新闻 午间新闻 晨间新闻
    一日之寒 一日之功 一日之长 一日为师 周五福 周生生 一点一滴 一点一点 周一综合症 周一综合征
    八月长安 周末画报 零点乐队 明日香 一月三舟 后天失调 后天培养 后天形成 后天因素 后天环境 前天线
    周六夜现场 每周质量报告 十点读书 早知今日 下午场 上午场 午夜场 早场 晚场 夜场
    晚点名 每人每天 开学季 上午茶 但是 可是 正月里来 一月又一月 明天是新的一天 逆天改命
    上午班 下午班 早春 白露为霜 隔日如隔 五日京兆 半月板 前半生 后半生
    今日特价 今日特惠 今日菜单 今日运势 今日油价 今日金价 今日限行 今日歌单
    今日说法 今日资讯 今日关注 今日影评 今日要闻 今日热点 明日方舟 明日之星 明日之后 明日之子
    明日帝国 昨日世界 昨日之歌 后天免疫 后天努力 明天会更好 明天的太阳 明天你好 早晚要 早晚都
    现在几点 今天星期几 今天礼拜几 今天周几 今天几号 明天星期几 明天几号 什么时候开饭
    明天又是新的一天 有朝一日 明日边缘
    不记得 还记得 记不记得 每日优鲜 自来水 由于 从前 从不 从而 自从前 有关 相关 来自 亲自 各自己
    """
)
# Too vague to ring at: the person is asked.
VAGUE = listed(
    """
    一会儿 一会 待会儿 待会 等会儿 等会 等一下 等下 稍后 稍候 改天 改日 过阵子 过段时间
    过一段时间 过几天 过些天 过些日子 晚点 晚一点 晚些 晚些时候 晚点儿 哪天 有空的时候
    有空时 不久后 不久之后 过会儿 过会 过一会儿 过一会 择日 找时间 抽空 方便的时候
    尽快 回家路上 几天后 几小时后 片刻后 一阵子 一段时间后 空了 闲了
    得空 抽时间 某天 某个时间 到时候再说 一会儿后 一会后 一下下 空闲时 不忙的时候
    改明儿 赶明儿 夜啲 晏啲 迟啲 不定期 隔三差五 隔三岔五 三不五时 每隔一阵子 每隔一会儿
    """
)
# As vague, but said as often of nothing that is to ring: they need somebody who asks.
IDLY_VAGUE = listed("最近 近期 将来 什么时候 有空 偶尔 片刻 不久 回头 时不时 有时间 有机会")
# Some day of a few: with an hour the day is asked for, else both.
VAGUE_DAYS = listed(
    "任意一天 任何一天 随便哪天 这两天 这几天 近两天 近几天 这些天 这几日 这两日 这阵子 这段时间"
)
# Told by something that happens at no fixed hour: the person is asked when it is.
EVENTS = listed(
    """
    下班后 下班前 放学后 到家后 回家后 上班前 上课前 出门前 下课后 散会后 会后 下班时 下班的时候
    放学时 到家时 到家的时候 回家的时候 放工后 放工之后 放工 返工前 返到屋企
    天亮前 天亮之前 天亮后 天黑前 天黑之前 天黑后
    每天日落 每天日出 日落时 日出时
    日出前 日落前 日落后 太阳下山前 太阳下山时 太阳下山后 太阳落山时 太阳落山后 天黑时 天亮时
    """
)


# Days that nobody told: an hour beside them says nothing of which.
EVENT_DAYS = listed("生日那天 生日当天 生日前一天 纪念日那天")


KIN = listed(
    """
    妈妈 爸爸 老妈 老爸 妈 爸 爷爷 奶奶 姥姥 姥爷 外公 外婆 老公 老婆 媳妇 丈夫 妻子 儿子 女儿
    孩子 孩子们 宝宝 哥哥 姐姐 弟弟 妹妹 哥 姐 大哥 大姐 叔叔 阿姨 舅舅 姑姑 老师 老板 同事 同学
    大家 全家 家人 爸妈 父母 父亲 母亲 先生 太太 他 她 他们 她们 老人 室友 媽媽
    """
)
SELF = listed("我 我们 咱 咱们 俺 本人")
ASK_SELF = listed(
    "提醒 提 叫 喊 通知 告诉 催 呼叫 提示 告知 唤醒 叫醒 叫起 喊醒 吼 戳 嘱咐 督促 敲 呼"
)
ASK_OTHERS = listed("提醒 叫 喊 通知 告诉 催 叫醒 嘱咐 督促 告知")


def chinese_verbs() -> dict[str, tuple[str, str | None]]:
    """Each spelling with its kind: `verb` with whom (None: oneself), or `recall` (记得)."""
    words: dict[str, tuple[str, str | None]] = {}
    for ask in ASK_SELF:
        for me in SELF:
            for soft in ("", "一下", "一声", "一下子"):
                words[ask + me + soft] = ("verb", None)
    words.update({"叫醒": ("verb", None), "唤醒": ("verb", None), "提醒": ("verb", None)})
    words.update({"提醒一下": ("verb", None), "提个醒": ("verb", None)})
    words.update({"给我提个醒": ("verb", None), "给个提醒": ("verb", None)})
    for ask in ASK_OTHERS:
        for who in KIN:
            words[ask + who] = ("verb", who)
            words[ask + who + "一下"] = ("verb", who)
            for joint in ("我", "咱"):
                words[ask + joint + who] = ("verb", joint + who)
    for recall in (
        "记得",
        "别忘了",
        "别忘",
        "不要忘了",
        "不要忘记",
        "别忘记",
        "勿忘",
        "记着",
        "务必记得",
        "千万别忘了",
    ):
        words[recall] = ("recall", None)
        words[recall + "提醒我"] = ("verb", None)
    return words


WORDS: dict[str, tuple[str, Any]] = {}
GUARDS: dict[str, str] = {}


def _add(kind: str, value: Any, words: str, guard: str = "") -> None:
    for word in words.split():
        WORDS[word] = (kind, value)
        if guard:
            GUARDS[word] = guard


def _days() -> None:
    names = {
        -3: "大前天 大前日",
        -2: "前天 前日 前儿",
        -1: "昨天 昨日 昨儿 昨儿个 寻日 琴日",
        0: "今天 今日 今儿 今儿个 当天 本日 即日 当日 今个儿",
        1: "明天 明日 明儿 明儿个 次日 翌日 第二天 转天 明个儿 听日",
        2: "后天 后日 后儿 后儿个 第三天",
        3: "大后天 大后日 大后儿 大后儿个",
        4: "大大后天",
    }
    for offset, words in names.items():
        _add("day", (offset, None), words)
    parts = {"morning": "早 早上 早晨 晨", "noon": "午 中午", "evening": "晚 晚上 夜 夜里 晚间"}
    parts |= {"forenoon": "上午", "afternoon": "下午"}
    for offset, stem in ((-1, "昨"), (0, "今"), (1, "明"), (0, "当")):
        for part, words in parts.items():
            for word in words.split():
                _add("day", (offset, part), stem + word)
    _add("day", (0, "dawn"), "今日凌晨")
    _add("day", (0, "morning"), "今朝")
    _add("day", (1, "morning"), "听朝")
    _add("day", (1, "evening"), "听晚")
    _add("day", (-1, "evening"), "寻晚 琴晚")
    _add("day", (2, "evening"), "后晚", "[上点些饭餐间]")
    _add("days_on", (1, 2), "明后天 明后两天 明后 明后日")
    _add("days_on", (0, 1), "今明两天 今明 今明两日 今天明天")
    _add("days_on", (0, 1, 2), "今明后三天")
    GUARDS["明后"] = "."
    GUARDS["今明"] = "."
    GUARDS["当天"] = "(?:往返|来回)"
    GUARDS["当晚"] = GUARDS["当早"] = "[上会]"
    del WORDS["当午"], WORDS["当夜"], WORDS["当晨"], WORDS["当早"]


def _parts() -> None:
    _add("part", "dawn", "凌晨 拂晓 黎明 破晓 清晨时分 五更")
    _add("part", "early", "清晨 清早 大清早 一大清早 一大早 一早 大早上 侵晨")
    _add("part", "morning", "早上 早晨 早间 晨间 早起 朝早 朝头早", "好")
    _add("part", "forenoon", "上午 午前 前晌 前半晌", "好")
    _add("part", "noon", "中午 正午 午间 晌午 当午 正晌午 大中午", "好")
    _add("part", "afternoon", "下午 午后 后晌 后半晌 下昼 晏昼 下半天", "[好茶]")
    _add("part", "dusk", "傍晚 黄昏 傍黑 日落时分 傍晚时分")
    _add("part", "evening", "晚上 晚间 夜晚 夜间 夜里 入夜 夜晚间 大晚上 晚黑 夜晚黑", "好")
    _add("part", "late", "深夜 深更半夜 前半夜 上半夜")
    _add("part", "night", "半夜 午夜 子夜 大半夜 后半夜 下半夜 三更半夜 半夜三更 半夜里")
    _add("short_part", "morning", "早 晨")
    _add("short_part", "evening", "晚 夜")
    _add("short_part", "noon", "午")


RELATIVE = {
    -2: "上上 上上个",
    -1: "上 上个 上一 上一个 去",
    0: "这 这个 本 当 这一 此 今个",
    1: "下 下个 下一 下一个 次 来 来临",
    2: "下下 下下个",
    3: "下下下 下下下个",
}
UNITS = {"week": "周 星期 礼拜", "month": "月 月份", "quarter": "季度 季"}


def _relative() -> None:
    for n, stems in RELATIVE.items():
        for stem in stems.split():
            for unit, names in UNITS.items():
                for name in names.split():
                    _add("rel", (unit, n), stem + name)
            for prefix in ("周", "星期", "礼拜"):
                for day, name in enumerate("一二三四五六日"):
                    _add("weekday_of", (n, day), stem + prefix + name, "[次遍趟回]")
                _add("weekday_of", (n, 6), stem + prefix + "天", "气")
                GUARDS[stem + prefix + "日"] = "[程常志报子期]"
            for name in ("周末", "星期末", "礼拜末", "双休日"):
                _add("weekend", n, stem + name)
    for word in ("去周", "去月", "此月", "来周", "次季", "当季", "去季", "去季度", "来季"):
        WORDS.pop(word, None)
    GUARDS.update({"这周": "围", "上周": "围", "这月": "亮", "下月": "球", "本季": "度"})
    GUARDS.update(dict.fromkeys(("这个月", "上个月", "下个月"), "[饼亮球牙嫂]"))
    years = {-2: "前年", -1: "去年 上年 上一年", 0: "今年 本年 本年度 今年度 这一年 当年"}
    years |= {1: "明年 来年 次年 下一年 下年 明年度 出年", 2: "后年", 3: "大后年"}
    for n, words in years.items():
        _add("rel", ("year", n), words)
    _add("rel", ("decade", 1), "下个十年")


def _weeks() -> None:
    later = "[次遍趟回]|餐厅|乐队(?!排练|演出|有|要)"
    for prefix in ("周", "星期", "礼拜"):
        for n, name in enumerate("一二三四五六日"):
            _add("weekday", n, prefix + name, later)
        for n in range(7):
            _add("weekday", n, f"{prefix}{n + 1}", r"[\d次遍趟回:.]")
        _add("weekday", 6, prefix + "天", "气|乐队(?!排练|演出|有|要)")
        _add("weekend", None, prefix + "末", "愉快")
        GUARDS[prefix + "日"] = "[程常志报子期]"
    for n, name in enumerate("一二三四五六日"):  # 拜六朝早; 拜一拜
        _add(
            "weekday",
            n,
            f"拜{name}",
            "(?![早朝晏夜晚提叫]|[上中下]午|下昼|拜[二三四五六日][早朝晏夜晚提叫上中下拜]|$)",
        )
    _add("weekend", None, "双休日 双休 周休 周休二日")
    _add("offday", False, "非工作日 休息日 公休日 不上班的日子")
    _add("offday", True, "法定休息日 法定非工作日")
    _add("workday", False, "工作日 平日 上班日 周内 工作天 平常日子")
    _add("workday", True, "法定工作日 上班的日子 官方工作日 交易日")
    _add("leaving", None, "下班 放学 下课 到家 回家 放工 收工")
    _add("that_week", None, "那周 那一周 那星期 那个星期 那个礼拜 那礼拜", "[一二三四五六日天末]")
    _add("holiday_off", None, "节假日 法定节假日 放假 假日 公众假期 法定假日 节日 假期 连假")


def _festivals() -> None:
    for name, words in FESTIVALS_ZH.items():
        _add("festival", name, words)
    GUARDS.update({"年夜": "饭", "元宵": "(?:馅|汤)", "腊八": "[粥蒜]", "新春": "[快佳对]"})
    GUARDS.update({"大雪": "[纷天地封]", "小雪": "[人球]", "圣诞": "[树帽老快礼卡]"})
    GUARDS.update({"中秋": "[月快]", "元旦": "[快]", "春节": "(?:快乐|联欢)", "小年": "[轻糕]"})
    GUARDS["国庆"] = "(?:快乐|阅兵|路|街|村)"
    GUARDS["清明"] = "上河"
    GUARDS["九一八"] = "(?:事变|大街|广场|博物馆)"
    GUARDS["二月二"] = GUARDS["三月三"] = "[十号日]"  # 二月二十: the first of two figures


def _units() -> None:
    _add("unit", "second", "秒 秒钟")
    _add("unit", "minute", "分钟 分鈡")
    _add("fen", "minute", "分", "[店行公数手享]|工(?!作)")
    _add("fen_half", None, "分半钟")
    _add("unit", "ke", "刻钟")
    _add("ke", None, "刻")
    _add("unit", "hour", "小时 个小时 钟头 个钟头 个钟 个把小时")
    _add("hour_and_half", None, "个半钟 个半钟头")
    _add("clock_marks", 5, "个字")
    _add("clock_marks", 15, "个骨 个骨钟")
    _add("hand_on", None, "踏 搭正 踏正", "[青步板入上进]")
    _add("hand_on", None, "搭", "(?![一二三四五六七八九十半])|[一二三四五六七八九十]+[号路点个]")
    _add("unit", "day", "天 个日夜", "[气然津地花使才空]")
    _add("unit", "week", "周 星期 礼拜 个星期 个礼拜 个周", "[年围边岁到全转刊长游期报会]")
    for weeks in ("个星期", "个礼拜", "个周"):  # 第二个周一: the day's name, not a week and a one
        GUARDS[weeks] += "|末|[一二三四五六日天](?![次个天年月遍趟回])"
    _add("unit", "month", "个月 个多月")
    GUARDS["个月"] = "[底末]"  # 定个|月底
    _add("month", None, "月 月份", "[饼经嫂亮球牙圆]")
    _add("unit", "quarter", "季度 个季度", "假村")
    _add("year", None, "年 年度", "[级纪龄糕货终会薪轻味检审假夜]")
    _add("unit", "decade", "个世纪")
    _add("ri", None, "日", "[程常志报本子游元语式均光照月鲜]|谈$|不[读见食]")
    _add("hao", None, "号", _NOT_A_DAY)
    _add("point", None, "点 点钟 时 点整 点正 时整 时正 点钟整")
    GUARDS["点整"] = "点"  # 四点|整点
    GUARDS["时"] = "[候间代装差尚刻速限区长期空光局事]"
    _add("half", None, "半 ½")
    _add("loosely", None, "来", "(?!分钟|秒|个|小时|天|周|星期|礼拜|年|点)")
    _add("ge", None, "个", "[税案]")
    _add("cha", None, "差 还差 欠 缺")
    _add("past", None, "过")


def _edges() -> None:
    _add("edge", ("month", "end"), "月底 月末 月尾")
    _add("edge", ("month", "start"), "月初 月头")
    _add("edge", ("month", "mid"), "月中 月半")
    _add("edge", ("month", "late"), "下旬 月下旬")
    _add("edge", ("month", "middle"), "中旬 月中旬")
    _add("edge", ("month", "early"), "上旬 月上旬")
    _add("edge", ("year", "end"), "年底 年末 年终 年尾 岁末")
    _add("edge", ("year", "start"), "年初 年头 岁首")
    _add("edge", ("year", "mid"), "年中")
    _add("edge", ("quarter", "end"), "季度末 季末 季度底 季底")
    _add("edge", ("quarter", "start"), "季度初 季初")
    _add("edge", ("week", "start"), "周初")
    _add("edge", ("plain", "end"), "底 末", "下(?![午昼晝])|[片子]")
    _add("edge", ("plain", "start"), "初", "[中高恋审步级稿衷心夏秋冬春]")
    GUARDS["年终"] = "[奖总]"
    GUARDS["月初"] = GUARDS["年初"] = r"[一二三四五六七八九十]|[1-9](?!\d?(?:[:点]|\d[:点]))"
    GUARDS["月头"] = "一?个"  # 每个月|头一个周一
    GUARDS["月中"] = "[旬心]"
    GUARDS["年中"] = "[秋午国小大]"
    for month, words in ((3, "春天 春季"), (6, "夏天 夏季"), (9, "秋天 秋季"), (12, "冬天 冬季")):
        _add("season", month, words)
    _add("half_year", 1, "上半年")
    _add("half_year", 2, "下半年")


_NOT_A_DAY = (
    "(?:登机|高速|[出入]口|泳道|跑道|航道|机位|车厢|[楼桌厅仓床码召称令牌柜坑井塔碑窗]|线(?![上下])|馆|门(?!诊)|店(?!庆)|机(?![票场])|院(?!庆)|"
    "库(?!存)|房(?![租贷产东])|车(?![票展贷险检])|球|员|航站|站台|选手|公路|文件|病房|会议|电池|"
    "包[间厢]|教室|实验|台[阶机]|男|女|种子|嘉宾|候选|当铺|技师|人物|台风|飓风|嫌疑|病人|患者|决议|命令|议案|作品|钻井|陵|墓|特工|首长|公馆|别墅|院|基地|风球|字)"
)


def _lunar() -> None:
    _add("lunar", None, "农历 阴历 旧历 夏历 农历的 古历 老历")
    _add("solar", None, "公历 阳历 新历 西历 公元")
    _add("named_month", 1, "元月 元月份")
    _add("lunar_month", 1, "正月")
    _add("lunar_month", 11, "冬月")
    _add("lunar_month", 12, "腊月 蜡月")
    _add("leap", None, "闰")
    _add("chu", None, "初", "[中高恋审步级稿衷心夏秋冬春次]")
    _add("new_year_day", None, "大年 年")
    del WORDS["年"]
    _add("year", None, "年", "[级纪龄糕货终会薪轻味检审假夜]")


def _links() -> None:
    _add(
        "after",
        None,
        "后 以后 之后 过后 后的 以后的 之后的 后头 后嘅 之后嘅 以后嘅",
        "[天来台院门果期续面悔边者代卫背半勤]",
    )
    _add(
        "before", None, "前 以前 之前 前的", "(?:[天台面后进途辈往年夫男女妻任同景列行置]|提(?!醒))"
    )
    _add("within", None, "内 以内 之内", "[容部存衣科]")
    _add(
        "pass",
        None,
        "过 再过 过多 再等 等 再 等到 隔个 过了 再隔",
        "[年会期节生于几来见级敏程度去]",
    )
    _add("lead", None, "提前 提早 预先提前 早 提前个", "")
    WORDS["早"] = ("short_part", "morning")
    _add("from", None, "从 自 自从 打从 由", "[来此己行助动由前不未而中没头小业学]")
    _add("start", None, "开始 起 起始 起步 往后 算起 为始", "[床来身飞码草诉点立伏]")
    GUARDS["开始"] = ""
    _add("to", None, "到 至 到了")
    GUARDS["到"] = "[达底货期账家站点时场岗处位医公学超楼车店机办银府]"
    GUARDS["至"] = "[少于今]"
    _add("until", None, "直到 截止到 截至 截止 到截止 一直到 持续到 结束于 直至 为期到")
    _add("until_end", None, "为止 止 结束 截止日")
    _add("and", None, "和 与 及 以及 还有 跟 、 加 加上 并 且 又 同", "")
    GUARDS["又"] = "(?![零一二两三四五六七八九十半\\d])"
    GUARDS["同"] = "[学事时样步意志一]"
    GUARDS["和"], GUARDS["与"] = "[平谐尚气睦]", "[会否]"
    GUARDS["并"] = GUARDS["且"] = GUARDS["加"] = "."
    _add("or", None, "或 或者 还是 要么 其他天 其它天 其余天 其他日子 其他时候 其他时间")
    _add("each", None, "各 分别 都 各自", "")
    _add(
        "except",
        None,
        "除了 除 除去 不包括 不含 跳过 略过 排除 除开 不算 不算上 除咗",
        "[夕非法湿]",
    )
    _add("except_end", None, "除外 以外 之外 外 不用 不提醒 不响 休息", "[卖套出面婆公国地]")
    _add("total", None, "一共 共 总共 只 仅 重复 合计 共计 就 总计 一共提醒 只提醒 共提醒 重复提醒")
    _add("num", 110, "十一二")  # of the clock: eleven or twelve
    _add("open_lead", None, "你看着", "(?!提醒|[叫喊])")
    _add("times", None, "次 遍 回 趟", "[要日月数]")
    GUARDS["回"] = "[家来去国公答复电学]"
    _add("last_for", None, "连续 持续 坚持 接下来 未来 接连 连着 一连 为期 维持 往后 今后 此后 这")
    WORDS["往后"] = ("last_for", None)
    WORDS.pop("这")
    _add("moved_on", None, "往后推 往后延 顺延 推后 推迟 往后顺延 再往后")


def _ordinals() -> None:
    _add("first", None, "首个 头一个 头个")
    _add("nth_day", (1, 7), "首日 头一天")
    _add("nth_day", (-1, 7), "末日", "[来论]")
    _add("shift_day", -1, "头天 头一晚 前一晚 前一夜 前一日 早一日 早一天 前夕 前夜")
    _add("ordinal", None, "第")
    _add("ordinal_back", None, "倒数第")
    _add("last", None, "最后 最末 倒数第一 最后的")
    _add("several", None, "几 好几 若干 个把")
    _add("about", None, "大约 大概 约 差不多 左右 上下 前后 前一点")
    GUARDS["约"] = "."
    GUARDS["前后"] = GUARDS["上下"] = "[班楼级午]"


def _rhythms() -> None:
    for days in (3, 4, 5, 6, 7):
        _add("these_days", days, f"这{days}天 这{'三四五六七'[days - 3]}天")
    _add("every", None, "每 每个 每逢 每到 每当 每一 每一个 逢 凡是", "[次人逢]")
    GUARDS["逢"] = "[年人迎]"
    _add("every_gap", None, "每隔 隔 每间隔 间隔", "[壁离间阂膜音热]")
    _add("everyday", 1, "天天 每天 每日 日日 每一天 逐日 每天都")
    _add("everyday", 1, "每朝 朝朝", "[每代廷暮]")
    _add("everyday", 2, "隔日 隔天 每隔一天 每隔一日 隔一天 隔一日 每隔1天 隔1天")
    _add("parity", 1, "单号 单日 单数日 奇数日 单号日 逢单", "[据票线游位]")
    _add("parity", 0, "双号 双日 双数日 偶数日 双号日 逢双", "[据票线游位]")
    _add("every_week", 1, "单周", "[^的周星礼]")
    _add("every_week", 2, "隔周 每隔一周 每隔一个星期 双周 隔一周")
    _add("every_year", 1, "年年 每年 每一年")
    _add("every_month", 1, "月月")
    _add("next_hour", None, "下个整点 下一个整点 下一整点")
    _add("every_hour", None, "整点 每个整点 每小时整点 每到整点 逢整点 整点时")
    GUARDS["月月"] = GUARDS["年年"] = "[底初末中终]"


def _rest() -> None:
    _add("then", None, "然后 接着 随后 紧接着")
    _add("glue", "just", "就")
    _add("glue", "of", "的")
    _add("glue", None, "在 于 是 到时 那天 那日 这天 那一天 的那天 的时候 期间 当中 准时")
    _add("glue", None, "整 吧 呢 刚好 正好 一到 到点 时分")
    _add("about", None, "多", "(?![提叫喊，,。的]|$|分钟|秒|个|小时|天|周|星期|礼拜|年)")
    _add("day", (0, None), "当日")
    _add("same_hour", None, "这个时候 这个时间 同一时间 这时候 这个点 这个点儿 这个钟点 同样时间")
    GUARDS["这个点"] = "[子评赞击心]"
    _add("now", None, "现在 而家 立刻 立即 马上 此刻 此时 当前 这会儿 目前 现在就 此时此刻 即刻")
    _add("parts", ("morning", "noon", "evening"), "早中晚 早午晚 早、中、晚 早上中午晚上")
    _add("parts", ("morning", "evening"), "早晚 早晚各 一早一晚 早上和晚上 早上晚上 早、晚")
    _add("clock_word", (0, 0), "子时")
    _add("not", None, "不用 不要 别 不是 不在 不必 甭 不需要 无需 唔使 唔好")
    _add(
        "correct",
        None,
        "唔系 不 不对 不是 哦不 噢不 啊不 不不 不不不 不对不对 错了 说错了 算了 更正",
    )
    _add("correct", "instead", "改成 改到 改为 改在 还是改 应该是 我是说 其实是")
    _add("correct", "instead", "算了还是 算了，还是")
    WORDS["不是"] = ("correct", None)
    GUARDS["不"] = "(?=[^，,、。 ])"
    GUARDS["不用"] = ""
    _add("glue", None, "系", "[统列]")
    _add("glue", None, "先 也 可以 那就", "(?!不|别|甭|唔|休)")
    GUARDS["外"] = "[卖套出面婆公国地]"
    GUARDS["别"] = "[人墅的名忘扭针]"


# A time told by a person's day: 晚饭后, 睡前.
_ROUTINES = {
    "breakfast": "早饭 早餐 吃早饭 吃早餐",
    "lunch": "午饭 午餐 中饭 吃午饭 吃午餐 吃中饭",
    "dinner": "晚饭 晚餐 吃晚饭 吃晚餐",
    "meal": "饭 餐 吃饭 用餐 食饭",
    "meals": "三餐 一日三餐 每餐 每顿饭 每次吃饭",
    "waking": "起床 醒来 睡醒 睡醒觉",
    "sleeping": "睡 睡觉 临睡 入睡 上床 上床睡觉 瞓觉 训觉",
}
_SIDES = {-1: "前 之前 以前", 0: "时 的时候", 1: "后 之后 以后 过后"}
_NO_ROUTINES = {
    "餐时",
    "饭时",
    "餐的时候",
    "饭的时候",
    "睡后",
    "睡时",
    "睡以后",
    "睡以前",
    "睡过后",
}
_MORE_ROUTINES = {
    "饭点": Routine("meal", 0),
    "饭后的": Routine("meal", 1),
    "吃完饭": Routine("meal", 1),
    "食完饭": Routine("meal", 1),
    "吃完早饭": Routine("breakfast", 1),
    "吃完午饭": Routine("lunch", 1),
    "吃完晚饭": Routine("dinner", 1),
    "醒了之后": Routine("waking", 1),
}
ROUTINE_WORDS: dict[str, Routine] = {
    word + behind: Routine(name, side)
    for name, said in _ROUTINES.items()
    for word in said.split()
    for side, ends in _SIDES.items()
    for behind in ends.split()
    if word + behind not in _NO_ROUTINES and (name, side) != ("sleeping", 1)
} | _MORE_ROUTINES
# 睡觉时间 is a noun, and so is 餐前菜.
NOT_BEHIND_ROUTINES = {0: "间", -1: "[菜面台]", 1: "[面勤来台]"}


def _idle() -> None:
    for word in IDLY_VAGUE:
        WORDS[word] = ("idly_vague", None)
    for kind, idle in (("skip", IDLE), ("vague", VAGUE), ("event", EVENTS)):
        for word in idle:
            WORDS.setdefault(word, (kind, None))
    for word in EVENT_DAYS:
        WORDS.setdefault(word, ("event", Routine("day", 0)))
    for word, routine in ROUTINE_WORDS.items():
        WORDS.setdefault(word, ("event", routine))
        GUARDS[word] = NOT_BEHIND_ROUTINES[routine.side]
    _add("vague", "day", " ".join(VAGUE_DAYS))
    GUARDS["一下下"] = "午|周|个|班|月|星|礼"  # 记一下|下午五点
    GUARDS["一下"] = "午"
    GUARDS["双周"] = "[刊报薪]"
    GUARDS["次日"], GUARDS["第二天"], GUARDS["前日"] = "达", "[堂性]", "本"
    GUARDS["第三天"] = "堂"
    GUARDS["昨日"] = GUARDS["明日"] = GUARDS["今日"] = "之"
    GUARDS["晚点"] = "[了率]"
    GUARDS["一点点"] = "[名菜餐火灯]"  # 下午一点|点名
    GUARDS["十点读书"] = "."
    GUARDS["分工"] = "作"  # 七点十分|工作日
    GUARDS["早晚"] = "(?:要还|会(?!议)|得)"


def _fix_not() -> None:
    """不用 both opens a negation (不用今天) and closes an exception (周末不用)."""
    WORDS["不用"] = ("not", None)
    WORDS["不要"] = ("not", None)
    for stem in ("不用", "不要", "别", "不必", "甭", "不需要", "无需", "唔使", "唔好", "先不"):
        for ring in ("叫", "响", "喊", "提醒", "提", "通知", "吵", "打扰"):
            _add("not", "ring", stem + ring, "(?![，,。；;！!？?了]|$)")
            _add("not", "ring", f"{stem}{ring}我 {stem}再{ring}我 {stem}{ring}了")


for _fill in (
    _days,
    _parts,
    _relative,
    _weeks,
    _festivals,
    _units,
    _edges,
    _lunar,
    _links,
    _ordinals,
    _rhythms,
    _rest,
    _idle,
    _fix_not,
):
    _fill()
