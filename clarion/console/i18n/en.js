// @ts-check
/** English. `zh.js` has the same keys; a test compares the two. */

/** @type {Record<string, string>} */
export const en = {
  menu: "Pages", skip: "Skip to the page", close: "Close", save: "Save", edit: "Edit", remove: "Remove",
  sure: "Are you sure?", again: "Try again", me: "Me", now: "now", today: "Today", tomorrow: "Tomorrow",
  yesterday: "Yesterday",

  "page.today": "Today", "page.ring": "Ring here", "page.chat": "Chat", "page.people": "People",
  "page.queue": "Queue", "page.dispatch": "Dispatch", "page.health": "Health", "page.all": "All reminders",
  "page.setup": "Set up in five questions", "page.failed": "This page could not be loaded.",

  "nav.today": "Today", "nav.ring": "Ring", "nav.chat": "Chat", "nav.people": "People",
  "nav.queue": "Queue", "nav.dispatch": "Dispatch", "nav.health": "Health",

  "language.other": "中文", "language.zh": "Chinese", "language.en": "English",
  "theme.toggle": "Light or dark",

  "offline.lost": "The connection is lost. What you see may be old; trying again…",
  "offline.failed": "Clarion does not answer. Nothing was changed; please try again.",
  "offline.begin": "Clarion does not answer yet.",

  "span.s": "{n} s", "span.m": "{n} min", "span.h": "{n} h", "span.d": "{n} d", "span.in": "in {span}",
  "span.ago": "{span} ago",

  "hello.night": "Good night", "hello.morning": "Good morning", "hello.noon": "Hello",
  "hello.afternoon": "Good afternoon", "hello.evening": "Good evening",
  "hello.named": "{hello}. This is {name}'s day",

  "today.summary": "{done} done · {open} to come · {missed} missed",
  "today.empty": "Nothing is planned. Say what to remember, and when: it will ring until someone answers.",
  "today.all": "All reminders, past and future",

  "say.label": "What to remember, and when", "say.placeholder": "Remind me to…", "say.set": "Remind me",
  "say.speak": "Speak", "say.unclear": "When? For example: at eight, in ten minutes, every day at 7.",
  "say.done": "Set: {when}.",

  "say.example1": "In 1 minute remind me to drink water until I confirm",
  "say.example2": "Every day at 8 am remind me to take my pills until I confirm",
  "say.example3": "Tomorrow at 3 pm call mum",

  "confirm.short": "needs confirmation", "confirm.done": "until done", "confirm.long": "asks until someone confirms",
  "confirm.meaning": "It asks again until someone confirms",

  "status.pending": "to come", "status.triggered": "ringing", "status.confirmed": "confirmed",
  "status.completed": "told", "status.timeout": "nobody answered", "status.cancelled": "cancelled",
  "status.failed": "not reached", "status.again": "asks again", "status.due": "due",
  "status.unreached": "since {at}, nobody reachable",

  "all.every": "All", "all.filter": "Which ones", "all.from": "From when", "all.coming": "From today on",
  "all.past": "From the beginning", "all.fresh": "Something changed: reload",
  "all.count": "Reminders: {n}", "all.some": "{n} so far: scroll for more",

  "series.title": "Repeating", "series.next": "next: {at}", "series.paused": "paused",
  "series.skip": "Skip once", "series.pause": "Pause", "series.resume": "Resume", "series.end": "End",
  "series.end_open": "{n} of its reminders are ringing or snoozed. End these too?",

  "verb.confirm": "Done", "verb.snooze": "{n} min later", "verb.edit": "Edit", "verb.cancel": "Cancel it",
  "done.confirmed": "Confirmed", "done.snoozed": "Snoozed", "done.cancelled": "Cancelled", "done.saved": "Saved",

  "edit.content": "What", "edit.at": "When", "edit.asks": "Ask until someone confirms",

  "fact.reminder.created": "Set by {by} for {at}", "fact.reminder.updated": "Changed by {by}",
  "fact.reminder.triggered": "Calls {device}, call number {n}", "fact.ring.moved": "Moved on to {device}",
  "fact.ring.delivered": "Reached {device}", "fact.ring.heard": "Was heard",
  "fact.ring.answered": "“{text}”: {label}", "fact.ring.unreachable": "{device} could not be reached",
  "fact.reminder.promised": "{by} said: on my way", "fact.reminder.checked": "Asked whether it is done",
  "fact.help.called": "Called for help", "fact.reminder.asked_again": "Asked once more, as the answer was unclear",
  "fact.reminder.snoozed": "Snoozed until {at} by {by}",
  "fact.reminder.retried": "Not confirmed at call {n}; asks again {at}",
  "fact.reminder.waits": "No device is connected; waiting for one", "fact.reminder.reached": "Reached at last: {device}",
  "fact.reminder.guarantee_lost": "Nobody can hear it any more",
  "fact.reminder.guarantee_restored": "Somebody can hear it again", "fact.ring.sent": "Sent to {device}",
  "fact.reminder.held": "Held by quiet hours until {at}", "fact.reminder.confirmed": "Confirmed by {by}",
  "fact.reminder.completed": "Told; nothing more to do", "fact.reminder.timeout": "Nobody confirmed after {n} calls",
  "fact.reminder.failed": "Could not be told: {reason}", "fact.reminder.cancelled": "Cancelled by {by}",
  "fact.reminder.escalated": "Contacts are being told", "fact.contact.told": "{name} was told",
  "fact.contact.not_told": "{name} could not be told; trying again", "fact.contact.took": "{name} is on it until {at}",
  "fact.contact.cannot": "{name} can't; the next one is told", "fact.contact.reached": "The message reached {name}",
  "fact.contact.reached.opened": "{name} opened the message",
  "fact.reminder.digest": "Collected the waiting reminders",

  "fact.short.reminder.confirmed": "Confirmed ✓", "fact.short.reminder.completed": "Told ✓",
  "fact.short.reminder.snoozed": "Snoozed", "fact.short.reminder.cancelled": "Cancelled",
  "fact.short.reminder.timeout": "Nobody answered: your contacts are told",
  "fact.short.reminder.failed": "Could not be told", "fact.short.reminder.retried": "It will ask again",

  "answer.confirmed": "a yes", "answer.denied": "not yet", "answer.unclear": "unclear",
  "by.clarion": "Clarion", "by.console": "the console", "by.admin": "an administrator",
  "by.user": "themselves", "by.automatic": "Clarion", "by.series": "its series",

  "why.device_offline_too_long": "no device was reachable for too long",
  "why.unconfirmed": "nobody confirmed",
  "why.done": "they said it is done", "why.heard": "they said they know", "why.distress": "called for help", "why.missed": "it was missed while nothing could ring",
  "why.digest": "told in a summary", "why.no_device": "there was no device", "why.denied": "they said no", "why.snoozed": "snoozed",
  "why.skipped": "skipped once", "why.paused": "paused", "why.series_ended": "it no longer repeats", "why.tested_contact": "a test",

  "ring.on": "Ring me here", "ring.off": "Stop ringing here", "ring.done": "Done",
  "ring.later": "In 10 minutes",
  "ring.send": "Send", "ring.type": "Type your answer", "ring.for": "For whom",
  "ring.conversation": "Conversation", "ring.no_line": "Connection lost; trying again.",
  "ring.unmute": "Turn sound on", "ring.here_now": "This browser rings from now on. Keep this page open.",

  "ring.explain": "This browser becomes a device like any other: it rings, speaks and listens while this page is open.",
  "ring.privacy": "Speaking uses your browser's own speech recognition, which may send sound to its maker.",

  "ring.state.off": "It does not ring here.", "ring.state.joining": "Connecting…",
  "ring.state.ready": "Ready: it rings here for {name}.",
  "ring.state.lost": "Connection lost; trying again…",
  "ring.state.elsewhere": "On for {name}: another tab of this browser keeps the line.",
  "ring.state.ringing": "It rings for {name}.",

  "browser.name": "Browser", "device.some": "a device", "kind.xiaozhi": "Voice device",
  "kind.mqtt": "MQTT device", "kind.telegram": "Telegram", "kind.chat": "Console chat",
  "kind.browser": "Browser", "kind.terminal": "Terminal", "kind.webhook": "Webhook",
  "kind.notify": "Notification",

  "chat.explain": "Say it as you would in Telegram: requests, answers, and commands such as /vip and /queue.",
  "chat.none": "Nothing was said yet.", "chat.type": "Say something", "chat.which": "Which chat",
  "chat.example1": "/help", "chat.example2": "/queue",
  "chat.example3": "Remind me in 5 minutes to stretch",

  "people.explain": "Whom you look after, where it rings for them, and who is told when nobody answers.",
  "people.add": "Add a person",
  "people.none": "Nobody is here yet. Set your first reminder, or add a person.",
  "people.chats": "Active chats ({n})", "people.login": "Sign-in link",
  "person.choose": "Person", "person.name": "Name", "person.zone": "Time zone",
  "person.language": "Language", "person.remove_sure": "Remove {name} and all their data?",
  "login.explain": "This opens the console once as {name}, within 15 minutes:",

  "quiet.hours": "quiet {hours}", "quiet.none": "no quiet hours", "quiet.begins": "Quiet from",
  "quiet.ends": "until",
  "quiet.explain": "In quiet hours nothing rings unless it is critical; it is told when they end.",

  "devices.title": "Rings on", "devices.none": "No device yet. Open “Ring here”, or start a voice device.",
  "devices.add": "Add a device", "device.online": "online", "device.seen": "last seen {away}",
  "device.never": "never seen",
  "device.proved": "worked {away}", "device.test": "Test", "device.off": "switched off", "device.kind": "Kind", "device.name": "Name",
  "device.address": "Address",
  "device.address_hint": "What it needs to be reached: a chat's number, an Apprise address, a webhook. Voice devices need none.",
  "device.order": "Order (the smallest is tried first)", "device.enabled": "In use",

  "setup.offer": "Nobody is set up yet. Five questions, and it rings where you hear it.",
  "setup.explain": "What this browser knows is already filled in.", "setup.name": "1. Your name", "setup.language": "2. Your language",
  "setup.zone": "3. Your time zone", "setup.next": "Next", "setup.ring": "4. Let this browser ring",
  "setup.ring_explain": "It rings now as a test. Press Done when you hear it.", "setup.ring_test": "Ring now", "setup.answer": "It rings: answer it.",
  "setup.contact": "5. Somebody who is told when you do not answer",
  "setup.contact_explain": "They get a test message now and answer it through its link.", "setup.contact_name": "Their name",
  "setup.contact_test": "Save and send a test", "setup.told": "The test is on its way. Their answer shows here, and later beside their name.",
  "setup.works": "It works: answered.", "setup.fails": "It was not answered, or could not be told there.", "setup.done": "Finish",
  "contact.proved": "answered a test {away}", "contact.untested": "not tested yet",

  "contacts.title": "Told when nobody answers",
  "contacts.none": "Nobody yet. A contact is told when nobody confirms.", "contacts.add": "Add a contact",
  "contact.after": "{span} after the one before", "contact.at_once": "at once",
  "contact.address": "Address",
  "contact.address_hint": "device:<id>, chat:<id>, or any Apprise address such as ntfy://topic",
  "contact.order": "Order", "contact.delay": "Minutes after the one before",

  "codes.title": "New devices waiting for your approval",
  "codes.explain": "Compare the code with the one on the device's screen.", "codes.asked": "asked {away}",
  "codes.accept": "Add it", "codes.refuse": "Refuse", "codes.done": "The device was added",

  "queue.explain": "Everything that happens later waits here. Urgent work goes first, and waiting counts too: nothing waits forever.",
  "queue.next": "Next in line", "queue.nothing": "Nothing waits: everything is done at once.",
  "queue.hour": "The last hour", "queue.slots": "Worker slots", "queue.depth": "Waiting",
  "queue.age": "Longest wait", "queue.oldest": "waits {span}", "queue.at_once": "no wait",
  "queue.running": "{n} running", "queue.later": "{n} due later",

  "slots.ordinary": "Ordinary slots: {busy} of {slots} busy",
  "slots.reserved": "For critical only: {busy} of {slots}", "level.critical": "Critical",
  "level.high": "VIP", "level.normal": "Normal", "level.bulk": "Bulk",

  "rules.title": "Chats and their priority",
  "rules.explain": "Drag, or type a number from 0 to 100. What already waits is moved at once.",
  "rules.none": "No chat has a rule yet. Write something in the chat.",
  "rules.drag": "Drag the priority of {what}", "rules.type": "Type the priority of {what}",
  "rules.to": "goes on to {to}", "rules.nowhere": "is not forwarded",
  "rules.dead": "cannot be reached now: {to}", "rules.waiting": "{n} waiting",
  "rules.on": "on", "rules.saved": "Saved: {what}",
  "rules.bad": "A priority is a number from 0 to 100, or vip.",

  "dead.title": "Failed tasks", "dead.none": "No task has failed.", "dead.tries": "tries: {n}",
  "dead.error": "The error, and what it was about", "dead.replay": "Try again", "dead.drop": "Drop",
  "dead.sure": "Drop this task for good?", "dead.replayed": "Queued again", "dead.dropped": "Dropped",

  "dispatch.explain": "What happened, who can go, and who is on the way. No team is ever given to two events.",
  "dispatch.none": "No events. Report one above; programs report them through the API.",
  "dispatch.events": "Events", "dispatch.map": "Map", "dispatch.out": "On the way or unavailable",
  "map.label": "Map with {teams} teams and {events} events",

  "severity.low": "low", "severity.medium": "medium", "severity.high": "high",
  "severity.critical": "critical", "event.open": "open", "event.proposed": "waits for approval",
  "event.short": "not enough teams", "event.sent": "sent, not all confirmed", "event.covered": "covered", "event.closed": "closed",
  "event.cancelled": "cancelled",

  "team.standby": "standby", "team.deployed": "on the way", "team.unavailable": "unavailable",
  "team.held": "held", "team.verb.complete": "Back", "team.verb.decline": "Declines",
  "team.verb.breakdown": "Broke down", "team.verb.standby": "Ready again", "call.waiting": "to be called",
  "call.calling": "is being called", "call.accepted": "is coming", "call.declined": "declined",
  "call.unanswered": "does not answer", "call.uncalled": "call by other means",

  "cap.firefighting": "firefighting", "cap.medical": "medical", "cap.water_rescue": "water rescue",
  "cap.evacuation": "evacuation", "cap.search": "search", "cap.heavy_machinery": "heavy machinery",
  "cap.extrication": "extrication", "cap.hazmat": "hazardous materials",

  "holds.title": "Held for a decision", "holds.none": "No team is held.",
  "dispatch.nobody_out": "Nobody. Every team is on standby.",
  "holds.by": "for {event}, ends {away}",

  "scheme.title": "Schemes for {event}", "scheme.plan": "Propose teams", "scheme.close": "Close the event",
  "scheme.needs": "Needs {needs}", "scheme.none": "No scheme yet.", "scheme.approve": "Approve: send them",
  "scheme.instead": "Send these instead",
  "scheme.reject": "Reject", "scheme.held": "decide {away}", "scheme.best.optimal": "Best (proved)",
  "scheme.best.feasible": "Best found", "scheme.best.heuristic": "Good", "scheme.other": "Alternative {n}",
  "scheme.score": "points", "scheme.covered": "{n}% covered", "scheme.eta": "all there in {span}",
  "scheme.cost": "cost {n}", "scheme.short": "{n} × {what} missing",
  "scheme.asked": "Planning has started", "scheme.approved": "Approved: they are called",
  "scheme.rejected": "Rejected", "scheme.closed": "Closed",

  "scheme.status.proposed": "proposed", "scheme.status.committed": "sent",
  "scheme.status.rejected": "rejected", "scheme.status.lapsed": "expired",
  "scheme.status.empty": "nobody found",

  "health.well": "All is well", "health.degraded": "Degraded: a service cannot be reached; work goes on without it",
  "health.unready": "Not ready: a required service cannot be reached",

  "chart.rung": "Rings per minute", "chart.confirmed": "Confirmed per minute",
  "chart.missed": "Missed per minute", "chart.dead": "Failed tasks",

  "alerts.title": "Needs attention", "alerts.none": "Nothing needs attention.", "alerts.look": "Show",

  "calendar.title": "How {name}'s days went", "calendar.title.me": "How your days went",
  "calendar.share": "{done} of {total} done, {late} of them late, {missed} missed, in thirteen weeks",
  "calendar.nothing": "Nothing has come due yet.", "calendar.done": "done", "calendar.late": "late",
  "calendar.missed": "missed", "calendar.free": "nothing due",
  "calendar.day": "{done} done, {late} late, {missed} missed",
  "calendar.label": "Calendar of the last {n} days",

  "weekday.0": "Mon", "weekday.2": "Wed", "weekday.4": "Fri", "weekday.6": "Sun",

  "log.title": "Everything that happened", "log.search": "Search the log", "log.older": "Older",
  "log.none": "Nothing found.",
};
