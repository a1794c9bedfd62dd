// @ts-check
/** 中文。与 `en.js` 的键相同，有测试比对。 */

/** @type {Record<string, string>} */
export const zh = {
  menu: "页面", skip: "跳到正文", close: "关闭", save: "保存", edit: "修改", remove: "删除",
  sure: "确定吗？", again: "再试一次", me: "我", now: "现在", today: "今天", tomorrow: "明天",
  yesterday: "昨天",

  "page.today": "今天", "page.ring": "在此响铃", "page.chat": "聊天", "page.people": "家人",
  "page.queue": "队列", "page.dispatch": "调度", "page.health": "状况", "page.all": "全部提醒",
  "page.failed": "这一页打不开。",

  "nav.today": "今天", "nav.ring": "响铃", "nav.chat": "聊天", "nav.people": "家人", "nav.queue": "队列",
  "nav.dispatch": "调度", "nav.health": "状况",

  "language.other": "English", "language.zh": "中文", "language.en": "英文", "theme.toggle": "浅色或深色",

  "offline.lost": "连接断了，眼前的内容可能不是最新的；正在重连…",
  "offline.failed": "Clarion 没有回应，什么都没有改动，请再试一次。",
  "offline.begin": "Clarion 还没有回应。",

  "span.s": "{n} 秒", "span.m": "{n} 分钟", "span.h": "{n} 小时", "span.d": "{n} 天",
  "span.in": "{span}后", "span.ago": "{span}前",

  "hello.night": "夜深了", "hello.morning": "早上好", "hello.noon": "中午好", "hello.afternoon": "下午好",
  "hello.evening": "晚上好", "hello.named": "{hello}，这是{name}的一天",

  "today.summary": "已完成 {done} · 待办 {open} · 错过 {missed}",
  "today.empty": "还没有安排。说出要记住的事和时间，到点会一直响到有人回应。",
  "today.all": "全部提醒，过去的和将来的",

  "say.label": "要记住什么，什么时候", "say.placeholder": "提醒我…", "say.set": "提醒我",
  "say.speak": "说话", "say.unclear": "什么时候？比如：八点、十分钟后、每天早上七点。",
  "say.done": "好的：{when}。",

  "say.example1": "一分钟后提醒我喝水，要确认", "say.example2": "每天早上8点提醒我吃药，要确认",
  "say.example3": "明天下午三点给妈妈打电话",

  "confirm.short": "要确认", "confirm.done": "做完才算", "confirm.long": "会一直问到有人确认",
  "confirm.meaning": "没有人确认就会再次提醒",

  "status.pending": "待提醒", "status.triggered": "正在响", "status.confirmed": "已确认",
  "status.completed": "已提醒", "status.timeout": "没有人回应", "status.cancelled": "已取消",
  "status.failed": "没能送到", "status.again": "会再问一次", "status.due": "到时间了",
  "status.unreached": "从 {at} 起联系不上任何人",

  "all.every": "全部", "all.filter": "看哪些", "all.from": "从何时起", "all.coming": "今天起",
  "all.past": "从头看", "all.fresh": "有变化，点此刷新", "all.count": "共 {n} 条提醒",
  "all.some": "已列出 {n} 条，往下还有",

  "series.title": "重复的提醒", "series.next": "下一次：{at}", "series.paused": "已暂停",
  "series.skip": "跳过一次", "series.pause": "暂停", "series.resume": "继续", "series.end": "结束",
  "series.end_open": "其中 {n} 个正在响或推迟了，也一起结束吗？",

  "verb.confirm": "完成了", "verb.snooze": "{n} 分钟后", "verb.edit": "修改", "verb.cancel": "取消它",
  "done.confirmed": "已确认", "done.snoozed": "好的，稍后再提醒", "done.cancelled": "已取消",
  "done.saved": "已保存",

  "edit.content": "做什么", "edit.at": "什么时候", "edit.asks": "一直问到有人确认",

  "fact.reminder.created": "{by}设定，时间：{at}", "fact.reminder.updated": "{by}修改了它",
  "fact.reminder.triggered": "呼叫{device}，第 {n} 次", "fact.ring.moved": "转到{device}",
  "fact.ring.delivered": "已送到{device}", "fact.ring.heard": "已听到",
  "fact.ring.answered": "“{text}”：{label}", "fact.ring.unreachable": "联系不上{device}",
  "fact.reminder.promised": "{by}说马上就做", "fact.reminder.checked": "又问了做好没有",
  "fact.help.called": "发出了求助",
  "fact.reminder.asked_again": "回答不清楚，又问了一次", "fact.reminder.snoozed": "{by}推迟到 {at}",
  "fact.reminder.retried": "第 {n} 次没有等到确认，{at} 再问",
  "fact.reminder.waits": "没有设备在线，等它回来",
  "fact.reminder.reached": "等到了：{device}",
  "fact.reminder.guarantee_lost": "现在没有人能听到",
  "fact.reminder.guarantee_restored": "又有人能听到了",
  "fact.ring.sent": "已发往{device}",
  "fact.reminder.held": "免打扰时间，留到 {at}",
  "fact.reminder.confirmed": "{by}确认了", "fact.reminder.completed": "已提醒到",
  "fact.reminder.timeout": "问了 {n} 次，没有人确认", "fact.reminder.failed": "没能送到：{reason}",
  "fact.reminder.cancelled": "{by}取消了", "fact.reminder.escalated": "开始通知联系人",
  "fact.contact.told": "已通知{name}", "fact.reminder.digest": "汇总了等待中的提醒",
  "fact.contact.not_told": "没能通知到{name}，会再试", "fact.contact.took": "{name}在处理，到 {at}",
  "fact.contact.cannot": "{name}来不了，通知下一位", "fact.contact.reached": "消息已送到{name}",
  "fact.contact.reached.opened": "{name}打开了消息",

  "fact.short.reminder.confirmed": "已确认 ✓", "fact.short.reminder.completed": "已提醒 ✓",
  "fact.short.reminder.snoozed": "稍后再提醒", "fact.short.reminder.cancelled": "已取消",
  "fact.short.reminder.timeout": "没有人回应，会通知联系人", "fact.short.reminder.failed": "没能送到",
  "fact.short.reminder.retried": "会再问一次",

  "answer.confirmed": "确认了", "answer.denied": "还没有", "answer.unclear": "听不明白",
  "by.clarion": "Clarion ", "by.console": "控制台", "by.admin": "管理员", "by.user": "本人", "by.automatic": "Clarion ", "by.series": "重复提醒",

  "why.device_offline_too_long": "设备太久不在线", "why.unconfirmed": "没有人确认",
  "why.done": "说做完了", "why.heard": "说知道了", "why.distress": "发出了求助",
  "why.missed": "那时响不了，错过了", "why.digest": "已在汇总里说过",
  "why.no_device": "没有设备", "why.denied": "回答说不", "why.snoozed": "推迟了", "why.skipped": "跳过一次",
  "why.paused": "暂停了", "why.series_ended": "不再重复", "why.tested_contact": "测试",

  "ring.on": "在这里响铃", "ring.off": "这里不再响铃", "ring.done": "完成了", "ring.later": "10 分钟后",
  "ring.send": "发送", "ring.type": "输入回答",
  "ring.for": "为谁响", "ring.conversation": "对话", "ring.no_line": "连接断了，正在重连。",
  "ring.unmute": "打开声音", "ring.here_now": "从现在起这个浏览器会响，请留着这一页。",

  "ring.explain": "这个浏览器会像一台设备：页面开着，它就会响铃、说话、听您回答。",
  "ring.privacy": "说话用的是浏览器自带的语音识别，声音可能会发给浏览器厂商。",

  "ring.state.off": "这里不会响铃。", "ring.state.joining": "正在连接…",
  "ring.state.ready": "准备好了：会为{name}响铃。", "ring.state.lost": "连接断了，正在重连…",
  "ring.state.elsewhere": "会为{name}响铃：由这个浏览器的另一个标签页保持连接。", "ring.state.ringing": "正在为{name}响铃。",

  "browser.name": "浏览器", "device.some": "一台设备", "kind.xiaozhi": "语音设备",
  "kind.mqtt": "MQTT 设备", "kind.telegram": "Telegram", "kind.chat": "控制台聊天",
  "kind.browser": "浏览器", "kind.terminal": "终端", "kind.webhook": "Webhook", "kind.notify": "通知",

  "chat.explain": "像在 Telegram 里一样说话：提要求、回答，或者用 /vip、/queue 这样的命令。",
  "chat.none": "还没有人说话。", "chat.type": "说点什么", "chat.which": "哪个聊天",
  "chat.example1": "/help", "chat.example2": "/queue", "chat.example3": "5分钟后提醒我活动一下",

  "people.explain": "您照顾谁，在哪里响铃，没有人回应时通知谁。", "people.add": "添加家人",
  "people.none": "还没有人。先设一个提醒，或者添加家人。", "people.chats": "活跃的聊天（{n}）",
  "people.login": "登录链接", "person.choose": "家人", "person.name": "称呼", "person.zone": "时区",
  "person.language": "语言", "person.remove_sure": "删除{name}和所有相关内容吗？",
  "login.explain": "15 分钟内用这个地址可以以{name}的身份登录一次：",

  "quiet.hours": "免打扰 {hours}", "quiet.none": "没有免打扰时间", "quiet.begins": "免打扰开始",
  "quiet.ends": "结束", "quiet.explain": "免打扰时间里只有紧急的会响，其余等结束时一并告诉。",

  "devices.title": "在哪里响", "devices.none": "还没有设备。打开“在此响铃”，或者启动一台语音设备。",
  "devices.add": "添加设备", "device.online": "在线", "device.seen": "{away}在线过",
  "device.never": "从未上线",
  "device.proved": "{away}响过", "device.test": "试一下", "device.off": "已停用", "device.kind": "类型", "device.name": "名称",
  "device.address": "地址",
  "device.address_hint": "怎样找到它：聊天编号、Apprise 地址或 webhook。语音设备不用填。",
  "device.order": "顺序（小的先响）", "device.enabled": "使用中",

  "page.setup": "五个问题，设置好",
  "setup.offer": "还没有设置。五个问题，就能在您听得到的地方响。", "setup.explain": "这个浏览器知道的，已经填好了。", "setup.name": "1. 您的名字",
  "setup.language": "2. 您的语言", "setup.zone": "3. 您的时区", "setup.next": "下一步", "setup.ring": "4. 让这个浏览器响铃",
  "setup.ring_explain": "现在试响一次，听到后请点“完成了”。", "setup.ring_test": "现在响", "setup.answer": "正在响：请回答。",
  "setup.contact": "5. 您没有回应时通知谁", "setup.contact_explain": "对方现在会收到一条测试消息，点链接就算回答。",
  "setup.contact_name": "对方的名字", "setup.contact_test": "保存并发送测试",
  "setup.told": "测试已发出。对方回答后会显示在这里，以后显示在名字旁边。", "setup.works": "可以用：已经回答。",
  "setup.fails": "没有人回答，或者送不到。", "setup.done": "完成", "contact.proved": "{away}答过测试", "contact.untested": "还没试过",

  "contacts.title": "没有人回应时通知", "contacts.none": "还没有联系人。等不到确认时会通知联系人。",
  "contacts.add": "添加联系人", "contact.after": "前一位之后 {span}", "contact.at_once": "立刻",
  "contact.address": "地址",
  "contact.address_hint": "device:<id>、chat:<id>，或任何 Apprise 地址，如 ntfy://topic",
  "contact.order": "顺序", "contact.delay": "前一位之后几分钟",

  "codes.title": "等您确认的新设备", "codes.explain": "请核对设备屏幕上显示的号码。",
  "codes.asked": "{away}提出", "codes.accept": "是我们的", "codes.refuse": "拒绝",
  "codes.done": "设备已加入",

  "queue.explain": "以后要做的事都在这里排队：要紧的先处理，等得久也算数，谁都不会一直等下去。",
  "queue.next": "接下来", "queue.nothing": "没有任务在等，来了马上处理。", "queue.hour": "最近一小时",
  "queue.slots": "工位使用情况", "queue.depth": "在等的", "queue.age": "最久等了",
  "queue.oldest": "等了 {span}", "queue.at_once": "不用等", "queue.running": "{n} 件在做",
  "queue.later": "{n} 件未到时间",

  "slots.ordinary": "普通工位：{slots} 个，忙 {busy} 个",
  "slots.reserved": "紧急专用：{slots} 个，忙 {busy} 个", "level.critical": "紧急", "level.high": "VIP",
  "level.normal": "普通", "level.bulk": "批量",

  "rules.title": "聊天和优先级", "rules.explain": "拖动，或输入 0 到 100。已经在排队的立刻重新排。",
  "rules.none": "还没有聊天规则，去聊天里说句话吧。", "rules.drag": "拖动{what}的优先级",
  "rules.type": "输入{what}的优先级", "rules.to": "转发到 {to}", "rules.nowhere": "不转发", "rules.dead": "目前收不到：{to}",
  "rules.waiting": "{n} 条在等", "rules.on": "启用", "rules.saved": "已保存：{what}",
  "rules.bad": "优先级是 0 到 100 的数字，或 vip。",

  "dead.title": "失败的任务", "dead.none": "没有失败的任务。", "dead.tries": "试了 {n} 次",
  "dead.error": "错误信息和任务内容", "dead.replay": "再试一次", "dead.drop": "丢弃",
  "dead.sure": "永远丢弃这个任务吗？", "dead.replayed": "重新排队了", "dead.dropped": "已丢弃",

  "dispatch.explain": "发生了什么，谁能去，谁在路上。一支队伍绝不会同时派给两处。",
  "dispatch.none": "没有事件。可在上面上报；程序通过接口上报。", "dispatch.events": "事件",
  "dispatch.map": "地图", "dispatch.out": "在路上或不在岗",
  "map.label": "地图：{teams} 支队伍，{events} 个事件",

  "severity.low": "轻微", "severity.medium": "一般", "severity.high": "严重", "severity.critical": "危急",
  "event.open": "待处理", "event.proposed": "等待批准", "event.short": "人手不够",
  "event.sent": "已派出，待确认", "event.covered": "已安排", "event.closed": "已结束", "event.cancelled": "已取消",

  "team.standby": "待命", "team.deployed": "在路上", "team.unavailable": "不在岗", "team.held": "占用中",
  "team.verb.complete": "归队", "team.verb.decline": "不去", "team.verb.breakdown": "出故障",
  "team.verb.standby": "恢复待命", "call.waiting": "待呼叫", "call.calling": "正在呼叫",
  "call.accepted": "已接受", "call.declined": "已拒绝", "call.unanswered": "没有回应",
  "call.uncalled": "请另行通知",

  "cap.firefighting": "灭火", "cap.medical": "医疗", "cap.water_rescue": "水上救援",
  "cap.evacuation": "疏散", "cap.search": "搜救", "cap.heavy_machinery": "重型机械",
  "cap.extrication": "破拆", "cap.hazmat": "危化处置",

  "holds.title": "等待决定而占用的队伍", "holds.none": "没有队伍被占用。",
  "dispatch.nobody_out": "没有：所有队伍都在待命。",
  "holds.by": "为{event}，{away}到期",

  "scheme.title": "{event}的方案", "scheme.plan": "推荐队伍", "scheme.close": "结束事件",
  "scheme.needs": "需要 {needs}", "scheme.none": "还没有方案。", "scheme.approve": "批准，派出",
  "scheme.instead": "改派这组",
  "scheme.reject": "否决", "scheme.held": "{away}前决定", "scheme.best.optimal": "最优（已证明）",
  "scheme.best.feasible": "目前最好", "scheme.best.heuristic": "可行", "scheme.other": "备选 {n}",
  "scheme.score": "分", "scheme.covered": "满足 {n}%", "scheme.eta": "{span}内全部到达",
  "scheme.cost": "成本 {n}", "scheme.short": "缺 {what} × {n}", "scheme.asked": "正在做方案",
  "scheme.approved": "已批准，正在呼叫", "scheme.rejected": "已否决", "scheme.closed": "已结束",

  "scheme.status.proposed": "待批准", "scheme.status.committed": "已派出",
  "scheme.status.rejected": "已否决", "scheme.status.lapsed": "已过期",
  "scheme.status.empty": "找不到队伍",

  "health.well": "一切正常", "health.degraded": "降级运行：有一项服务连不上，工作照常进行",
  "health.unready": "尚未就绪：必需的服务连不上",

  "chart.rung": "每分钟响铃", "chart.confirmed": "每分钟确认", "chart.missed": "每分钟错过",
  "chart.dead": "失败的任务",

  "alerts.title": "需要注意", "alerts.none": "没有需要留意的。", "alerts.look": "看看",

  "calendar.title": "{name}这些天过得怎样", "calendar.title.me": "您这些天过得怎样",
  "calendar.share": "十三周里 {total} 次，完成 {done}（其中迟到 {late}），错过 {missed}",
  "calendar.nothing": "还没有到期的提醒。", "calendar.done": "完成", "calendar.late": "迟到",
  "calendar.missed": "错过", "calendar.free": "没有安排",
  "calendar.day": "完成 {done}，迟到 {late}，错过 {missed}", "calendar.label": "最近 {n} 天的日历",

  "weekday.0": "一", "weekday.2": "三", "weekday.4": "五", "weekday.6": "日",

  "log.title": "发生过的一切", "log.search": "搜索记录", "log.older": "更早的", "log.none": "没有找到。",
};
