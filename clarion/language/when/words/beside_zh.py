"""What stands beside a Chinese word of time and tells whether it is one."""

import re

# 2点建议 and 三点水 are no times, nor is 二十点五度; 一点 is often "a little".
NO_CLOCK = re.compile(
    r"[零一二三四五六七八九十\d]{1,3}分[就才都没不]?(?:及格|合格|达标|过线|满分|的?成绩)|"
    "几[秒毫度米公元块克斤升倍个]|建议|意见|要求|内容|问题|理由|原因|想法|希望(?!我)|经验|看法|体会|好处|坏处|式|水(?![费壶电果])|血|区别|优势|积分|经验值|伤害|人气|热度|体力|血量|能量|魔法|"
    "要(?:注意|说|讲|补充|强调)|"
    "[我你他她](?:不同意|不明白|没想|想说|想问|觉得|认为)|是一[种个款]|游戏|规则|说明|思考|启示|共识|方案|透视|一线|档|之间(?:[的线距连直]|$)|支撑|成一|共线|怎么玩|方向|方位|梅花|扑克|纸牌|疑问|不足|注意|收获|感受|结论|共圆|共面"
)
LITTLE = re.compile(
    "点|儿|都|也|不|没|钱|小|水|吃|菜|盐|糖|事|东西|心|用|零食|力|时间|希望|帮助|进步|意思"
)
MEASURE = re.compile(
    "度|元|块|米|%|倍|折|公|千|升|岁|万|亿|厘|毫|斤|吨|分之|英|平|个点|个百分|个亿|个万|个G|号楼|克|秒|寸|毛|角|"
    "包邮|成(?!功)|级|码|环|磅|码|瓦|安|伏|兆|赫|帕|卡|里"
)
# What is done late in the day: 6点下班 is in the evening, though nobody said so.
LATE_IN_DAY = re.compile("下班|放学|放工|收工|吃?晚[饭餐自]|聚餐|打烊|收摊")
# Words of time that are names and pictures as often: they need a day, an hour or a wish.
POETIC = frozenset(
    [
        "黎明",
        "拂晓",
        "破晓",
        "黄昏",
        "午夜",
        "子夜",
        "五更",
        "午后",
        "早起",
        "入夜",
        "深夜",
        "三更半夜",
        "半夜三更",
        "深更半夜",
        "大半夜",
    ]
)
COUNTED = re.compile(
    "[个名位斤块元页瓶只盒片粒件条本张米份杯人辆台套箱袋包斤颗岁圈章集]|公里|道题|%|号[楼线]"
)
# What is said behind a time by somebody who means it. A month or a festival that stands before
# anything else, with nobody to be told, is the name of a thing: 十月革命, 谷雨茶, 重阳糕.
FOLLOWS_A_TIME = re.compile(
    "[我你他她它咱您去来要有会开回到买做办结出上下放考的在就将可能应该需必记提叫给把让和与及为同全还再"
    "吃喝睡起洗打交付取寄送接飞坐看见约写发报修换查签搬走跑练学休旅游带参完举召正止"
    r"，。,.、！!？?~()\-—份号期当那这前后早晚凌中第长小假黄\d ]"
)
