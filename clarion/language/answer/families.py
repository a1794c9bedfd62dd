"""Kinds of task: by which verbs people report them, and whether somebody else may do them.

A reminder's content finds its family by its words. What no family knows is still read: the
content's own verb and object are always part of the task.
"""

from clarion.language.answer.family import Family

CHINESE: tuple[Family, ...] = (
    Family(
        signs=(
            "药 胰岛素? 钙片 维生素 胶囊 冲剂 口服液 鱼油 叶酸 降压 降糖 阿司匹林 二甲双胍 "
            "中药 保健品 益生菌 药片"
        ),
        verbs=(
            "吃 服 服用 吞 咽 喝 送服 含 嚼 磕 嗑 闷 灌 干 食 炫 送 塞 造 take eat 倒水 接水 "
            "拿药 取药 找药"
        ),
        things=(
            "药 药片 药丸 药丸子 药片儿 胶囊 片 片儿 颗 粒 丸 这片 这颗 那片 那颗 一片 两片 "
            "三片 一颗 两颗 一粒 两粒 三粒 四粒 一把 一包 一袋 一支 一顿药 白片 小白片 "
            "早上的药 晚上的药 中午的药 今天的药 今天的 这次的 这顿的 "
            "药水 冲剂 中药 西药 维生素 钙片 降压药 降压的 降糖药 嘴里 嘴 肚子里 肚里 "
        ),
        finished=(
            "在嘴里了 到嘴里了 下肚 下肚了 下肚啦 进肚 进肚了 进肚子了 进肚子里了 到肚子里了 "
            "在肚子里了 "
            "已经在肚子里了 落肚 落肚了 入口了 吞下去了 咽下去 吞下去 咽下去了 咽下去啦 "
            "吞下去啦 进嘴 进嘴了 一口闷 一口闷了 一仰脖咽了 咽了下去 吞了下去 送下去了 "
            "服下去了 服下去 服下了 服下 吃进去了 喝下去了 灌下去了 药已入口 吃下去了 "
            "吃下去啦 食咗 食左 食完 食咗啦 食咗药 送进嘴里了 送嘴里了 塞嘴里了 扔嘴里了"
        ),
        sounds="迟 持 池 尺 齿 痴 赤 乞 辞 次 此 刺 呲 翅",
    ),
    Family(
        signs="胰岛素 打针 针 注射 疫苗",
        verbs="打 注射 扎 推 注 戳",
        things="针 胰岛素 一针 两针 这针 这一针 那针 针剂 肚皮 单位 药",
        finished="打上了 扎上了 扎完了 推完了 推进去了 打进去了",
        sounds="搭 达 大",
    ),
    Family(
        signs="喝水 喝 水杯 热水 温水 牛奶 豆浆 中药汤 汤 茶",
        verbs="喝 饮 干 闷 灌 补 抿",
        things=(
            "水 一杯 一杯水 两杯 两杯水 这杯 一大杯 一瓶 一壶 温水 白开水 开水 热水 凉白开 "
            "白水 整杯 满满一杯 三杯 一大杯水 一瓶水 一杯温水 水水"
        ),
        finished=(
            "杯子空了 杯子都空了 见底了 下肚 下肚了 干了 干杯 一饮而尽 喝干了 喝光了 喝完了 "
            "喝个精光 一口闷 一口闷了 "
            "饮咗 饮咗水 饮左 喝下去了 灌下去了"
        ),
        sounds="和 合 河 何 呵 核",
    ),
    Family(
        signs="血压",
        verbs="量 测 测量 查 检查 测过 绑",
        things="血压 血压计 高压 低压 袖带 数 数值",
        sounds="亮 两 凉 良 晾",
        loose=True,
        measures="pressure",
    ),
    Family(
        signs="血糖",
        verbs="测 量 测量 查 扎 验",
        things="血糖 手指 血 空腹 餐后 数值 指尖",
        sounds="侧 册 策 厕 撤 亮 两",
        loose=True,
        measures="glucose",
    ),
    Family(
        signs="体温 发烧 温度",
        verbs="量 测 测量 试",
        things="体温 温度 体温计 烧",
        sounds="亮 两 凉 侧 策 册",
        loose=True,
        measures="temperature",
    ),
    Family(
        signs="体重 重",
        verbs="称 量 测 秤 上秤 过秤",
        things="体重 秤 重量 斤 公斤",
        sounds="撑 成 程 亮",
        loose=True,
        measures="weight",
    ),
    Family(
        signs="心率 脉搏 心跳",
        verbs="测 量 数 摸",
        things="心率 脉搏 心跳",
        sounds="侧 亮",
        loose=True,
        measures="pulse",
    ),
    Family(
        signs="血氧",
        verbs="测 量 夹",
        things="血氧 血氧仪",
        sounds="侧 亮",
        loose=True,
        measures="oxygen",
    ),
    Family(
        signs="浇花 浇水 浇 绿萝 盆栽 多肉",
        verbs="浇 浇灌 淋 洒 灌 浇水",
        things=(
            "花 水 盆 花花草草 绿植 植物 盆栽 多肉 绿萝 兰花 阳台的花 阳台的 一盆 两盆 几盆花 菜 草"
        ),
        finished="浇透了 浇上了 浇上水了 淋咗",
        sounds="教 交 胶 焦 脚",
        shareable=True,
        loose=True,
    ),
    Family(
        signs="喂 猫 狗粮 猫粮 鱼食 喂鱼 喂狗 喂鸡",
        verbs="喂 倒 添 投喂 加 放",
        things=(
            "猫 猫粮 粮 狗 狗粮 鱼 鱼食 鱼粮 食 猫咪 猫猫 主子 喵 毛孩子 罐头 它 它们 咪咪 鸡 "
            "兔子 宝宝 孩子"
        ),
        finished="罐头开好了 开好了 添满了 自己吃了 喂饱了 喂得饱饱的 吃上了 在吃了",
        sounds="为 位 未 胃 微",
        shareable=True,
        loose=True,
    ),
    Family(
        signs="遛狗 遛 溜狗",
        verbs="遛 溜 牵 带出去",
        things="狗 狗子 狗狗 毛孩子 它 旺财 一圈 弯",
        finished="遛完弯了 遛回来了",
        sounds="溜 留 流 六",
        shareable=True,
        loose=True,
        outdoors=True,
    ),
    Family(
        signs="垃圾",
        verbs="倒 扔 丢 提 拎 带 收走 收",
        things="垃圾 垃圾袋 垃圾桶 厨余 袋子 桶",
        finished="扔下去了 丢下去了 拎下去了 扔掉了 扔了 倒掉了 提下去了 带下去了 丢咗",
        sounds="到 道 导",
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs=(
            "电费 水费 房租 燃气费 物业费 话费 学费 信用卡 花呗 房贷 网费 缴费 交费 费 账单 "
            "社保 罚款 贷款 还款 还钱 租金"
        ),
        verbs="交 缴 付 还 充 转 打 给 结 付款 缴费 划 扣",
        things=(
            "支付宝 支付宝上 微信 微信上 网上 手机上 手机银行 费 钱 电费 水费 房租 租 租金 "
            "燃气费 物业费 话费 信用卡 卡 花呗 账单 账 款 贷 房东 这个月 这个月的 本月 本月的 "
            "欠款 学费"
        ),
        finished=(
            "预存了 预交了 交清了 缴清了 还清了 付清了 结清了 自动扣了 自动扣款了 自动扣款 "
            "扣了 已经扣了 扣过了 绑了自动扣 转过去了 转给房东了 打过去了 付咗 交咗 还咗 "
            "缴好了 已缴 已交 已付 已还 已缴费 已付款"
        ),
        sounds="教 叫 脚 浇 焦 浮 傅 环 换",
        shareable=True,
        once=True,
    ),
    Family(
        signs="快递 包裹 取件 外卖 取货",
        verbs="取 拿 领 收 搬 提 去取 去拿 签收 签",
        things="快递 包裹 件 货 东西 驿站 快件 箱子",
        finished=(
            "送上门了 送到家了 送到门口了 送来了 取回来 拿回来 取回来了 拿回来了 拿到手了 "
            "到手了 在家了 签收了 领回来了 已签收 取到了 拿到了 攞咗 搬回来了 拎回来了"
        ),
        sounds="去 曲 娶 趣 那 哪",
        shareable=True,
        once=True,
        outdoors=True,
    ),
    Family(
        signs="寄 合同 邮寄 发货 文件 邮件 报告 提交 回复 发邮件 交报告",
        verbs="寄 发 邮 寄送 送 交 提交 递 上交 回 回复 发送 投",
        things="合同 文件 邮件 快递 信 包裹 报告 材料 资料 件 表 单子",
        finished=(
            "寄出去了 寄出了 寄走了 发出去了 发出了 发走了 发过去了 交上去了 提交上去了 "
            "已寄出 已发送 已提交 回过去了"
        ),
        sounds="记 计 季 继 及 纪",
        shareable=True,
        once=True,
    ),
    Family(
        signs="买 采购 超市 订票 抢票 预约 挂号 订餐 订",
        verbs="买 采购 购 下单 订 定 预约 约 挂 抢 带",
        things="菜 牛奶 票 号 东西 单 鸡蛋 米 油 位子 位置 餐 药",
        finished=(
            "买回来了 买到了 下单了 订好了 约上了 约好了 挂上了 挂上号了 抢到了 已下单 已预约 "
            "到手了"
        ),
        sounds="卖 麦 迈 定",
        shareable=True,
        once=True,
        outdoors=True,
    ),
    Family(
        signs="电话 打给 回电 联系",
        verbs="打 回 拨 联系 通 通话 视频 聊",
        things="电话 视频 妈 妈妈 我妈 爸 爸爸 她 他 号码 那边 奶奶 爷爷 客户 老师 老妈",
        finished=(
            "打过电话了 打通了 聊过了 聊完了 通过电话了 通过话了 刚挂 刚挂了 刚挂断 刚通完话 "
            "撂下电话 撂了电话 挂了电话 放下电话 挂断电话 说上话了 打过去了 打咗 聊了半天 "
            "聊了好久 聊了半小时 聊了一会儿"
        ),
        sounds="搭 达",
    ),
    Family(
        signs="接孩子 接娃 接 放学 接机 接人 接站",
        verbs="接 去接 接到 接上",
        things="孩子 娃 娃儿 宝宝 儿子 女儿 闺女 人 放学 学校 他 她",
        finished=(
            "等着了 在等着了 在门口等着 到校门口了 接到了 接上了 接回来了 接回家了 接到家了 "
            "到家了 已经到家了 接咗"
        ),
        sounds="街 节 结 借 姐",
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs=(
            "开会 会议 例会 面试 上课 复查 体检 看医生 看牙 约会 聚会 出门 出发 上班 赴约 "
            "值班 参加 看病 考试 报到"
        ),
        verbs="开 去 参加 到 来 进 上 出发 看 赴 查 检查 参会",
        things="会 会议 会议室 腾讯会议 现场 线上会议 医院 课 教室 诊室 公司",
        finished=(
            "进会了 进会议室了 入会了 已入会 上线了 到场了 已到场 到了 已经到了 到现场了 "
            "刚回来 从医院回来 从医院回来了 开上了 在会议室了 已经在会议室了 已经在会议室 "
            "开完了 开完会了 看完了 参加了"
        ),
        sounds="凯 揩",
        once=True,
        outdoors=True,
    ),
    Family(
        signs="睡觉 睡 休息 午睡 上床 早睡",
        verbs="睡 休息 上床 躺 躺下 歇",
        things="觉 床 被窝 床上 午觉",
        finished=(
            "眼睛闭上了 眼睛都闭上了 闭上眼了 闭眼了 灯都关了 灯关了 晚安 睡了 要睡了 准备睡了 "
            "睡下了 躺下了 已经躺下了 躺床上了 "
            "上床了 在床上了 已经在床上了 关灯了 进被窝了 已经钻被窝了 钻被窝了 睡着了 困了 "
            "这就睡 安歇了 瞓咗"
        ),
        sounds="税 谁 水",
    ),
    Family(
        signs="起床 起来 早起",
        verbs="起 起床 起来 下床 醒",
        things="床 身",
        finished=(
            "坐起来了 坐起来 起了 起来了 起床了 醒了 已经醒了 已经起了 起啦 下床了 早醒了 "
            "早起来了 在刷牙了 在洗漱了 已经在刷牙了 已经在洗漱了 洗漱呢 洗脸呢 起身咗 起咗身"
        ),
        undone="还躺着 还在床上 还在被窝里 在被窝里 被窝里呢 还睡着",
        sounds="企 启 骑",
    ),
    Family(
        signs=(
            "康复操 康复 锻炼 运动 健身 跑步 散步 瑜伽 拉伸 操 俯卧撑 仰卧起坐 太极 广播体操 "
            "走路 深蹲 打太极 跳绳 训练 八段锦 眼保健操"
        ),
        verbs="做 练 锻炼 运动 跑 走 健身 拉伸 跳 打 散 遛弯 动",
        things=(
            "操 康复操 步 身体 一组 两组 三组 全套 一套 一遍 两遍 瑜伽 太极 圈 公里 一圈 运动 "
            "动作 拳 筋骨 八段锦 四组 五组"
        ),
        finished=(
            "跑完步了 散完步了 刚跑回来 跑回来了 走回来了 练完了 动过了 出过汗了 一身汗 "
            "活动开了 做咗 走够步数了"
        ),
        sounds="坐 作 座 练 恋",
        outdoors=True,
    ),
    Family(
        signs="作业 写 日记 论文 周报 报告 背单词 练字 读书 看书 学习 复习 预习 练琴 背 英语",
        verbs="写 做 背 读 看 学 复习 预习 练 弹 抄 画 赶 交",
        things="作业 日记 论文 周报 报告 单词 字 书 琴 题 卷子 课文 功课 习题 英语 数学 语文",
        finished=(
            "交给老师了 交了 写完了 写好了 交上去了 背完了 看完了 做完了 练完了 都写完了 写咗"
        ),
        sounds="些 鞋 泻 谢 卸",
    ),
    Family(
        signs="洗 被子 衣服 晾 碗 收衣服 叠 拖地 扫地 打扫 收拾 整理 擦 吸尘 家务 床单",
        verbs="洗 晾 晒 收 叠 拖 扫 打扫 收拾 整理 擦 刷 吸 刷洗 清理 挂 铺 换 甩",
        things=(
            "被子 衣服 碗 被套 床单 衣裳 地 屋子 房间 桌子 厨房 卫生间 洗衣机 阳台 锅 筷子 "
            "衣物 屋 家 卫生"
        ),
        finished=(
            "晾上了 晾出去了 晾起来了 挂上了 挂出去了 洗好晾上了 丢洗衣机了 扔洗衣机了 "
            "扔洗衣机里了 在洗衣机里转着呢 在洗了 收进来了 收回来了 洗干净了 扫干净了 "
            "拖干净了 拖干净 收拾干净了 洗咗"
        ),
        sounds="喜 息 西 系 亮 凉 量 脱 托",
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs="锁门 关门 关窗 关火 关煤气 关灯 关空调 关 锁 燃气 断电 拔插头",
        verbs="锁 关 反锁 拧 拔 断 带上 关上 灭 熄",
        things="门 窗 窗户 火 灯 煤气 燃气 阀门 空调 大门 插头 电 水龙头",
        finished="锁好了 锁上了 关好了 关上了 反锁了 关严了 关死了 拧紧了 锁咗 关咗",
        undone="开着 还开着 亮着 还亮着 敞着 还敞着 大敞着 虚掩着",
        sounds="所 索 缩 官 观",
        shareable=True,
    ),
    Family(
        signs="施肥 修剪 换盆 除草 松土",
        verbs="施 上 撒 追 浇 剪 修剪 换 除",
        things="肥 肥料 花 花肥 草 盆",
        finished="施上了 撒上了 上过肥了",
        sounds="师 失 诗",
        shareable=True,
        loose=True,
    ),
    Family(
        signs=(
            "纱布 换药 敷料 创可贴 滴眼药水 眼药水 滴眼液 涂药 擦药 敷面膜 换 抹药膏 药膏 "
            "护手霜 戴口罩 敷"
        ),
        verbs="换 滴 涂 擦 抹 敷 贴 上 点 戴 缠 包 包扎",
        things="纱布 药 药膏 眼药水 膏药 敷料 伤口 绷带 眼睛 面膜 新的 电池 滤芯 口罩 口子",
        finished=(
            "换上了 换上新的了 包好了 包扎好了 缠好了 贴上了 涂上了 抹上了 滴上了 敷上了 换咗"
        ),
        sounds="患 幻 焕 缓 低 滴 涂",
    ),
    Family(
        signs="带 拿 证件 雨伞 钥匙 身份证 书包 口罩 护照",
        verbs="带 拿 装 放 塞 揣",
        things="证件 身份证 护照 伞 雨伞 钥匙 证 包里 书包里 包 口袋 手机 水杯",
        finished=(
            "带上了 带着呢 带着了 装好了 装包里了 放包里了 揣兜里了 塞包里了 放好了 在包里了 "
            "在包里 已经在包里了 拿上了 拿着呢"
        ),
        sounds="代 袋 待 戴",
    ),
    Family(
        signs="吃饭 早饭 午饭 晚饭 早餐 午餐 晚餐 水果 加餐 吃",
        verbs="吃 用 食 干饭 造 嗦 炫",
        things=(
            "饭 早饭 午饭 晚饭 早餐 午餐 晚餐 早点 中饭 面 包子 粥 米饭 水果 苹果 香蕉 两碗 "
            "一碗 饱 饭饭 饺子 面条 外卖 猪脚饭"
        ),
        finished="吃饱了 饱了 吃撑了 吃过饭了 干完饭了 食咗饭 吃得饱饱的 吃罢了",
        sounds="迟 持 池 尺",
    ),
    Family(
        signs="刷牙 洗澡 洗脸 洗头 泡脚 洗漱 剪指甲 理发 刮胡子 护肤",
        verbs="刷 洗 冲 泡 洗漱 剪 理 刮",
        things="牙 澡 脸 头 脚 手 指甲 头发 胡子 凉 热水澡",
        finished="洗白白了 冲完凉 冲过凉了 刷得干干净净 冲咗凉",
        sounds="耍 喜 西",
    ),
    Family(
        signs="充电 手机充电 充",
        verbs="充 插 充电",
        things="电 手机 电车 电瓶车 充电器 上",
        finished="充上了 插上了 充上电了 充满了 满电了 在充了 充着呢",
        sounds="冲 虫",
        shareable=True,
    ),
    Family(
        signs="打卡 签到 签字 上报 填表 投票 登记 申请 报名 续费 年检 办",
        verbs="打 签 填 报 投 登记 申请 报名 续 办 弄 填写 填报",
        things="卡 到 字 表 名 费 手续 单 证",
        finished="打上了 签上了 填完了 报上了 报上名了 办下来了",
        once=True,
        loose=True,
    ),
)
