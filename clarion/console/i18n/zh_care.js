// @ts-check
/** Contacts by hand, in Chinese. */

/** @type {Record<string, string>} */
export const zhCare = {
  "lines.up": "上移",
  "lines.remove": "移除",
  "days.add": "添加日期",
  "days.first": "第一天",
  "days.last": "最后一天",
  "ways.title": "方式（按这个顺序）",
  "ways.after": "没有回音几分钟后用这个方式",
  "ways.explain": "第二个数字：没有回音几分钟以后才用这个方式。一个方式都没有：会得到一个可以转交的链接。",
  "ways.add": "添加方式",
  "contact.when_not": "什么时候不找，用什么语言",
  "contact.quiet_explain": "在对方的免打扰时段和外出的日子，先叫别人；紧急或没有别人时照样叫。",
  "contact.away": "外出",
  "contact.gone": "外出到 {last}",
  "contact.language_theirs": "由对方在页面上选择",
  "oncall.holidays": "假日",
  "oncall.holiday_members": "假日由谁轮流（一天一换）",
  "oncall.overrides": "谁代班",
  "policy.only": "叫哪些人（都不选：所有人）",
  "policy.warn": "一天之内的事如果没人能听到，告诉第一位联系人",
  "policy.warn_hint": "能响的设备回来时也说一声。",
  "policy.phone": "给联系人看的电话",
  "policy.address": "给联系人看的地址",
  "policy.shared_hint": "会显示在他们的页面上；不填就不显示。",
};
